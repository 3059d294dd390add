/**
 * Variables that are no settings of ours, and by which Node or Lambda run other code in a function, ask another AWS, or check
 * and hide less. The plugin reads this table at packaging, a function at its cold start.
 */

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

type Rule = readonly [isAllowed: (value: string) => boolean, expected: string];

const UNSET = 'expected to be unset, because it';
const isEmpty = (value: string) => value === '';
const FILES_OF_LAYERS: Rule = [
  (value) => value.split(/[ :]/).every((file) => LAYER_FILE.test(file)),
  'expected only files of layers, below /opt/',
];

/**
 * What is refused at a cold start. Lambda's own variables are there too, `LD_LIBRARY_PATH` and `NODE_PATH` among them, which
 * it does not reserve: a name does not tell who set it.
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
  /** And the endpoint of each service by itself. */
  AWS_ENDPOINT_URL: [isEmpty, `${UNSET} sends requests for secrets elsewhere`],
};

/** Names that the runtime, the loader of libraries and AWS's own library read. */
const OF_THE_RUNTIME = /^(?:LD_|_|AWS_|NODE_)/;
/** Those of them that a template may set: the last two are judged by their values. */
const PACKAGED = [
  ...['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT', 'AWS_RETRY_MODE', 'AWS_MAX_ATTEMPTS'],
  ...['AWS_STS_REGIONAL_ENDPOINTS', 'AWS_XRAY_CONTEXT_MISSING', 'AWS_NODEJS_CONNECTION_REUSE_ENABLED'],
  ...['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'AWS_LAMBDA_EXEC_WRAPPER'],
];

type Problem = [variable: string, expected: string];

/**
 * What must not be in the environment of a function that starts.
 *
 * @returns each variable and what was expected of it, never its value
 */
export function environmentProblems(env: Readonly<Record<string, string | undefined>>): Problem[] {
  return Object.entries(env).flatMap(([variable, value]): Problem[] => {
    const rule = ruleOf(variable);
    if (rule === undefined || value === undefined) return [];
    const [isAllowed, expected] = rule;
    return isAllowed(value) ? [] : [[variable, expected]];
  });
}

/** The same of the variables that a template sets: Lambda's own are not among them. */
export function templateProblems(variables: Readonly<Record<string, string>>): Problem[] {
  return Object.entries(variables).flatMap(([name, value]): Problem[] =>
    isJudged(name) && !PACKAGED.includes(name)
      ? [[name, ruleOf(name)?.[1] ?? 'expected to be unset in a template']]
      : environmentProblems({ [name]: value }),
  );
}

/** Whether the value of a variable must be known before a deployment. */
export function isJudged(variable: string): boolean {
  return OF_THE_RUNTIME.test(variable) || ruleOf(variable) !== undefined;
}

function ruleOf(variable: string): Rule | undefined {
  const name = /^AWS_ENDPOINT_URL/.test(variable) ? 'AWS_ENDPOINT_URL' : variable;
  return Object.hasOwn(RULES, name) ? RULES[name] : undefined;
}

/** As `--flag` or `--flag=value`; the file that is loaded may stand after a space. Quotes are not read: no flag has any. */
function flagsIn(options: string): string[] {
  const joined = options.replace(/(^| )(-r|--require|--import) +/g, '$1$2=');
  return joined.split(' ').filter(Boolean);
}

function isHarmless(flag: string): boolean {
  const [name, value = '', ...more] = flag.split('=') as [string, ...string[]];
  if (more.length > 0) return false;
  if (LOADING_FLAGS.includes(name)) return LAYER_FILE.test(value);
  // After its two hyphens, Node takes an underscore for a hyphen.
  const spelled = name.slice(0, 2) + name.slice(2).replaceAll('_', '-');
  return HARMLESS_FLAGS.includes(spelled) && /^\w*$/.test(value);
}
