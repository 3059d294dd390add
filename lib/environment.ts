/** Variables that are no settings of ours, and by which Node or Lambda run other code in a function, or check and hide less. */

/** In a layer. What is in the package comes in through the settings of handlers. */
const LAYER_FILE = /^(?:file:\/\/)?\/opt\/(?!.*\.\.)[\w./@-]+$/;

/**
 * Of the flags that Node takes from `NODE_OPTIONS` (https://nodejs.org/docs/latest-v24.x/api/cli.html#node_optionsoptions). Those
 * that are not here open a debugger, load code, weaken TLS or HTTP, or are not known.
 */
const HARMLESS_FLAGS = [
  ...['--enable-source-maps', '--stack-trace-limit', '--max-old-space-size', '--max-semi-space-size'],
  ...['--no-warnings', '--disable-warning', '--no-deprecation', '--dns-result-order'],
  '--experimental-require-module',
];
/** Each with a file after it. */
const LOADING_FLAGS = ['-r', '--require', '--import'];

type Rule = [isAllowed: (value: string) => boolean, expected: string];

const UNSET = 'expected to be unset, because it';
const isEmpty = (value: string) => value === '';
const FILES_OF_LAYERS: Rule = [
  (value) => value.split(/[ :]/).every((file) => LAYER_FILE.test(file)),
  'expected only files of layers, below /opt/',
];

/**
 * `NODE_EXTRA_CA_CERTS` is not here, because an authority of one's own is trusted by intent; nor is `NODE_PATH`, which
 * Lambda sets itself: the bundle has its modules in it.
 */
const RULES: Readonly<Record<string, Rule>> = {
  NODE_TLS_REJECT_UNAUTHORIZED: [
    (value) => value === '1',
    `${UNSET} trusts every certificate; NODE_EXTRA_CA_CERTS names an authority of your own`,
  ],
  NODE_OPTIONS: [
    (value) => flagsIn(value).every(isHarmless),
    `expected ${HARMLESS_FLAGS.join(', ')}, and --require or --import only of files below /opt/`,
  ],
  /** It prints headers and URLs. */
  NODE_DEBUG: [isEmpty, `${UNSET} logs tokens`],
  /** It can allow old versions of TLS and load engines. */
  OPENSSL_CONF: [isEmpty, `${UNSET} can weaken TLS`],
  LD_PRELOAD: FILES_OF_LAYERS,
  LD_AUDIT: FILES_OF_LAYERS,
  AWS_LAMBDA_EXEC_WRAPPER: FILES_OF_LAYERS,
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
  return Object.entries(RULES).flatMap(([variable, [isAllowed, expected]]) => {
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
  const [name = '', value = '', ...more] = flag.split('=');
  if (more.length > 0) return false;
  if (LOADING_FLAGS.includes(name)) return LAYER_FILE.test(value);
  return HARMLESS_FLAGS.includes(name) && /^\w*$/.test(value);
}
