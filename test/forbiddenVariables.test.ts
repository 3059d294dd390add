/** Variables that change what code a function runs, and whom it trusts. */
import { expect, test } from '@jest/globals';
import { environmentProblems, isJudged, templateProblems } from '../lib/forbiddenVariables.ts';
import { readConfiguration } from '../lib/readSettings.ts';

const namesOf = (env: Record<string, string>) => environmentProblems(env).map(([name]) => name);

test.each([
  '',
  ' --enable-source-maps  --max-old-space-size=400 ',
  '--max-semi-space-size=16 --stack-trace-limit=20',
  '--no-warnings --disable-warning=DEP0025 --no-deprecation',
  '--dns-result-order=ipv4first',
  '--experimental-require-module',
  '--max_old_space_size=400 --enable_source_maps',
  '--import /opt/wrapper.mjs',
  '-r /opt/a.js --require=/opt/@scope/b/c.cjs --require  /opt/d.js',
])('NODE_OPTIONS may be %j', (NODE_OPTIONS) => {
  expect(namesOf({ NODE_OPTIONS })).toEqual([]);
});

test.each([
  ...['--require ./hook.cjs', '--import data:text/javascript,0', '--import=/opt/a=b'],
  ...['--import /opt/x.mjs?y', '--import /opt/../tmp/x.mjs', '--import x/opt/x.mjs'],
  ...['--import /opt/%2e%2e/tmp/x.mjs', '--import /opt/x.mjs /tmp/y.mjs', '--enable-source-maps --inspect'],
  ...['--import /optional/x.mjs', 'x--enable-source-maps'],
  '--max-old-space-size=4\n',
])('NODE_OPTIONS may not be %j', (NODE_OPTIONS) => {
  expect(namesOf({ NODE_OPTIONS })).toEqual(['NODE_OPTIONS']);
});

test.each([
  ['NODE_TLS_REJECT_UNAUTHORIZED', '1', ''],
  ['NODE_DEBUG', '', ''],
  ['NODE_EXTRA_CA_CERTS', '/opt/authority.pem', ''],
  ['OWN_AWS_ENDPOINT_URL', 'https://aws.example', ''],
  ['constructor', 'x', ''],
  ['AWS_ENDPOINT_URL', '', ''],
  ['AWS_ENDPOINT_URL', 'https://aws.example', 'expected to be unset, because it sends requests for secrets'],
  ['AWS_LAMBDA_EXEC_WRAPPER', '/opt/otel-instrument', ''],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'expected to be unset'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '', 'expected to be unset'],
  ['AWS_LAMBDA_EXEC_WRAPPER', '/var/task/wrapper.sh', 'expected only files of layers, below /opt/'],
  ['LD_PRELOAD', '/opt/lib/libjemalloc.so.2 /opt/a.so:/opt/b.so', ''],
  ['LD_PRELOAD', '/opt/a.so ./b.so', 'expected only files of layers, below /opt/'],
  ['NODE_DEBUG', 'http', 'expected to be unset, because it logs tokens'],
  ['OPENSSL_CONF', '/opt/openssl.cnf', 'expected to be unset, because it can weaken TLS'],
])('%s=%s is judged: %j', (name, value, expected) => {
  expect(environmentProblems({ [name]: value })).toEqual(
    expected === '' ? [] : [[name, expect.stringMatching(`^${expected}`)]],
  );
});

test('a variable without a value is none', () => {
  expect(environmentProblems({ NODE_DEBUG: undefined })).toEqual([]);
});

test('what NODE_OPTIONS may be is told by its problem', () => {
  const [[, expected] = []] = environmentProblems({ NODE_OPTIONS: '--inspect' });
  expect(expected).toMatch(
    /^expected --enable-source-maps, .*, and --require or --import only of files below \/opt\/$/,
  );
});

test('a template may not set what Lambda sets, nor what an environment may not have', () => {
  const forbidden = {
    ...{ LD_LIBRARY_PATH: '/opt/lib', LD_PRELOAD: '/opt/lib/alloc.so', _HANDLER: 'own.handler' },
    ...{ AWS_REGION: 'eu-central-1', AWS_CONFIG_FILE: 'config', AWS_ENDPOINT_URL: '', NODE_PATH: '/opt' },
    ...{ NODE_TLS_REJECT_UNAUTHORIZED: '1', OPENSSL_CONF: '/opt/openssl.cnf', NODE_OPTIONS: '--inspect' },
    ...{ AWS_LAMBDA_EXEC_WRAPPER: './own' },
  };
  const problems = Object.keys(forbidden).map((name) => [name, expect.stringMatching('^expected ')]);
  expect(templateProblems({ OWN: 'x', ...forbidden }).sort()).toEqual(problems.sort());
});

test.each<[string, boolean]>([
  ['OPENSSL_CONF', true],
  ['NODE_PATH', true],
  ['OWN_NODE_PATH', false],
])('that the value of %s must be known: %p', (name, isNeeded) => {
  expect(isJudged(name)).toBe(isNeeded);
});

test('a template may set what is its own', () => {
  const allowed = {
    ...{ AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true', AWS_RETRY_MODE: 'adaptive' },
    ...{
      AWS_MAX_ATTEMPTS: '3',
      AWS_STS_REGIONAL_ENDPOINTS: 'regional',
      OWN_LD_PRELOAD: 'x',
      constructor: 'x',
    },
    ...{ AWS_XRAY_CONTEXT_MISSING: 'LOG_ERROR', AWS_NODEJS_CONNECTION_REUSE_ENABLED: '1' },
    ...{ OWN_AWS_ENDPOINT_URL: 'https://aws.example', NODE_ENV: 'production', SSL_CERT_DIR: '/opt' },
    ...{ NODE_EXTRA_CA_CERTS: 'certs/own.pem', NODE_OPTIONS: '--enable-source-maps' },
    ...{ AWS_LAMBDA_EXEC_WRAPPER: '/opt/wrapper' },
  };
  expect(templateProblems(allowed)).toEqual([]);
});

const REFUSED = {
  ...{ NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_DEBUG: 'http', OPENSSL_CONF: 'x' },
  ...{ LD_PRELOAD: 'x', LD_AUDIT: 'x', AWS_ENDPOINT_URL_KMS: 'https://aws.example' },
};
test('on Lambda, each of them stops a function', () => {
  const { problems } = readConfiguration('OpenID', { ...REFUSED, AWS_LAMBDA_RUNTIME_API: 'x' });
  expect(problems).toEqual(Object.keys(REFUSED).map((name) => expect.stringMatching(`^${name}: expected `)));
});

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime, as Lambda sets them. */
const OF_LAMBDA = {
  ...{ _HANDLER: 'dist/functions/samlLoggedIn.handler', _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be' },
  ...{ AWS_DEFAULT_REGION: 'eu-central-1', AWS_REGION: 'eu-central-1', AWS_LAMBDA_LOG_FORMAT: 'JSON' },
  ...{ AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x', AWS_LAMBDA_FUNCTION_NAME: 'logins' },
  ...{ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512', AWS_LAMBDA_FUNCTION_VERSION: '1' },
  ...{ AWS_XRAY_DAEMON_ADDRESS: '169.254.79.129:2000', AWS_LAMBDA_LOG_LEVEL: 'INFO' },
  ...{ AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand', AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/logins' },
  ...{ AWS_LAMBDA_LOG_STREAM_NAME: '2026/11/26/[1]a', AWS_ACCESS_KEY: 'x', AWS_ACCESS_KEY_ID: 'x' },
  ...{ AWS_SECRET_ACCESS_KEY: 'x', AWS_SESSION_TOKEN: 'x', AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001' },
  ...{ LAMBDA_TASK_ROOT: '/var/task', LAMBDA_RUNTIME_DIR: '/var/runtime', LANG: 'en_US.UTF-8', TZ: ':UTC' },
  ...{ PATH: '/usr/local/bin:/usr/bin/:/bin:/opt/bin', AWS_XRAY_CONTEXT_MISSING: 'LOG_ERROR' },
  ...{ LD_LIBRARY_PATH: '/lib64:/usr/lib64:/var/runtime:/var/runtime/lib:/var/task:/var/task/lib:/opt/lib' },
  ...{ NODE_PATH: '/opt/nodejs/node24/node_modules:/opt/nodejs/node_modules:/var/runtime/node_modules' },
};
test('with all that Lambda sets, a function is usable', () => {
  expect(readConfiguration('SAML', OF_LAMBDA).problems).toEqual([]);
});

test('on a developer’s machine, editors set NODE_OPTIONS, and certificates are checked all the same', () => {
  const env = { NODE_OPTIONS: '--require /editor/debugger.js', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(readConfiguration('SAML', env).problems).toEqual([
    expect.stringMatching('^NODE_TLS_REJECT_UNAUTHORIZED: expected '),
  ]);
});
