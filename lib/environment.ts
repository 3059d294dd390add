/** Variables that are no settings of ours, and by which Node or Lambda run other code in a function, or check and hide less. */

/** In a layer. What is in the package comes in through the settings of handlers. */
const LAYER_FILE = /^(?:file:\/\/)?\/opt\/(?!.*\.\.)[\w./@-]+$/;

/**
 * Of the flags that Node takes from `NODE_OPTIONS` (https://nodejs.org/docs/latest-v24.x/api/cli.html#node_optionsoptions). Those
 * that are not here open a debugger, load code, weaken TLS or HTTP, or are not known.
 */
const HARMLESS_FLAGS = [
  ...['--enable-source-maps', '--stack-trace-limit'],
  ...['--max-old-space-size', '--max-semi-space-size', '--max-old-space-size-percentage'],
  ...['--no-warnings', '--disable-warning', '--trace-warnings', '--no-deprecation', '--trace-deprecation'],
  ...['--dns-result-order', '--network-family-autoselection-attempt-timeout'],
  ...['--experimental-require-module', '--no-experimental-require-module'],
];
/** Each with a file after it. */
const LOADING_FLAGS = ['-r', '--require', '--import'];

interface Rule {
  isAllowed: (value: string) => boolean;
  expected: string;
}

const NONE = () => false;
const IN_LAYER: Rule = {
  isAllowed: (value) => value.split(/[ :]/).every((file) => LAYER_FILE.test(file)),
  expected: 'expected only files of a layer, below /opt/',
};

/**
 * `NODE_EXTRA_CA_CERTS` is not here, because an authority of one's own is trusted by intent; nor is `NODE_PATH`, which
 * Lambda sets itself: the bundle has its modules in it.
 */
const RULES: Readonly<Record<string, Rule>> = {
  NODE_TLS_REJECT_UNAUTHORIZED: {
    isAllowed: (value) => value === '1',
    expected:
      'expected to be unset, because certificates must be checked; NODE_EXTRA_CA_CERTS names an authority of your own',
  },
  NODE_OPTIONS: {
    isAllowed: (value) => flagsIn(value).every(isHarmless),
    expected: `expected only ${HARMLESS_FLAGS.join(', ')}, and --require or --import of a file of a layer, below /opt/`,
  },
  /** It prints headers and URLs, with tokens in them. */
  NODE_DEBUG: { isAllowed: NONE, expected: 'expected to be unset, because it logs tokens' },
  /** It can allow old versions of TLS and load engines. */
  OPENSSL_CONF: { isAllowed: NONE, expected: 'expected to be unset, because it can weaken TLS' },
  LD_PRELOAD: IN_LAYER,
  LD_AUDIT: IN_LAYER,
  AWS_LAMBDA_EXEC_WRAPPER: IN_LAYER,
};

export const JUDGED_VARIABLES: readonly string[] = Object.keys(RULES);

/**
 * What must not be in the environment of a function.
 *
 * @returns each variable and what was expected of it, never its value
 */
export function environmentProblems(
  env: Readonly<Record<string, string | undefined>>,
): [variable: string, expected: string][] {
  return Object.entries(RULES).flatMap(([variable, { isAllowed, expected }]) => {
    const value = env[variable];
    return value === undefined || isAllowed(value) ? [] : [[variable, expected]];
  });
}

/** As `--flag` or `--flag=value`; the file that is loaded may stand after a space. Quotes are not read: no flag has any. */
function flagsIn(options: string): string[] {
  const joined = options.replace(/(^| )(-r|--require|--import) +/g, '$1$2=');
  return joined.split(' ').filter(Boolean);
}

function isHarmless(flag: string): boolean {
  const [name = '', ...rest] = flag.split('=');
  const value = rest.join('=');
  return LOADING_FLAGS.includes(name)
    ? LAYER_FILE.test(value)
    : HARMLESS_FLAGS.includes(name) && /^\w*$/.test(value);
}
