/** Variables that change what code a function runs, and whom it trusts. */
import { expect, test } from '@jest/globals';
import { environmentProblems, JUDGED_VARIABLES } from '../lib/environment.ts';
import { readConfiguration } from '../lib/settings.ts';

const namesOf = (env: Record<string, string>) => environmentProblems(env).map(([name]) => name);

test.each([
  '',
  ' --enable-source-maps  --max-old-space-size=400 ',
  '--max-semi-space-size=16 --stack-trace-limit=20',
  '--no-warnings --disable-warning=DEP0025 --no-deprecation',
  '--dns-result-order=ipv4first',
  '--experimental-require-module',
  '--import /opt/wrapper.mjs',
  '--import=file:///opt/wrapper.mjs --enable-source-maps',
  '-r /opt/a.js --require=/opt/@scope/b/c.cjs --require  /opt/d.js',
])('NODE_OPTIONS may be %j', (NODE_OPTIONS) => {
  expect(namesOf({ NODE_OPTIONS })).toEqual([]);
});

test.each([
  '--require ./hook.cjs',
  '--require /var/task/hook.cjs',
  '-r hook',
  '-r=hook',
  '--import data:text/javascript,0',
  '--import=https://a.example/x.mjs',
  '--import /opt',
  '--import=/opt/a=b',
  '--import /opt/x.mjs?y',
  '--import /opt/../tmp/x.mjs',
  '--import /opt/%2e%2e/tmp/x.mjs',
  '--import /optional/x.mjs',
  '--import x/opt/x.mjs',
  '--import "/opt/x.mjs"',
  '--import --enable-source-maps',
  '--import',
  '--import /opt/x.mjs /tmp/y.mjs',
  '--loader /opt/x.mjs',
  '--experimental-loader=/opt/x.mjs',
  '--inspect',
  '--inspect-brk=0.0.0.0:9229',
  '--enable-source-maps --inspect',
  '--enable-source-maps\t--inspect',
  '--max-old-space-size=4\n',
  '--max-old-space-size=--inspect',
  '--max-old-space-sizes=4',
  'x--enable-source-maps',
  '--tls-min-v1.0',
  '--tls-cipher-list=ALL',
  '--tls-keylog=/tmp/keys',
  '--insecure-http-parser',
  '--openssl-legacy-provider',
  '--openssl-shared-config',
  '--openssl-config=/opt/openssl.cnf',
  '--use-openssl-ca',
  '--security-revert=CVE-2023-46809',
  '--env-file=/opt/.env',
  '--eval=0',
  '--localstorage-file=/tmp/x',
  '--what-is-not-known',
])('NODE_OPTIONS may not be %j', (NODE_OPTIONS) => {
  expect(namesOf({ NODE_OPTIONS })).toEqual(['NODE_OPTIONS']);
});

test.each([
  ['NODE_TLS_REJECT_UNAUTHORIZED', '1', ''],
  ['NODE_DEBUG', '', ''],
  ['NODE_EXTRA_CA_CERTS', '/opt/authority.pem', ''],
  ['NODE_PATH', '/opt/nodejs/node_modules:/var/runtime/node_modules', ''],
  ['AWS_LAMBDA_EXEC_WRAPPER', '/opt/otel-instrument', ''],
  ['LD_PRELOAD', '/opt/lib/libjemalloc.so.2 /opt/a.so:/opt/b.so', ''],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'expected to be unset'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', 'false', 'expected to be unset'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '', 'expected to be unset'],
  ['AWS_LAMBDA_EXEC_WRAPPER', '/var/task/wrapper.sh', 'expected only files of layers, below /opt/'],
  ['LD_PRELOAD', '/opt/a.so ./b.so', 'expected only files of layers, below /opt/'],
  ['LD_PRELOAD', '/opt/a.so:/tmp/b.so', 'expected only files of layers, below /opt/'],
  ['LD_AUDIT', '/tmp/b.so', 'expected only files of layers, below /opt/'],
  ['NODE_DEBUG', 'http', 'expected to be unset, because it logs tokens'],
  ['OPENSSL_CONF', '/opt/openssl.cnf', 'expected to be unset, because it can weaken TLS'],
])('%s=%s is judged: %j', (name, value, expected) => {
  expect(environmentProblems({ [name]: value })).toEqual(
    expected === '' ? [] : [[name, expect.stringMatching(`^${expected}`)]],
  );
});

test('what NODE_OPTIONS may be is told by its problem', () => {
  const [[, expected] = []] = environmentProblems({ NODE_OPTIONS: '--inspect' });
  expect(expected).toMatch(
    /^expected --enable-source-maps, .*, and --require or --import only of files below \/opt\/$/,
  );
});

test.each(['OpenID', 'SAML'] as const)('on Lambda, each of them stops a function of %s', (kind) => {
  const env = Object.fromEntries(JUDGED_VARIABLES.map((name) => [name, 'x']));
  const { problems } = readConfiguration(kind, { ...env, AWS_LAMBDA_RUNTIME_API: 'x' });
  expect(problems).toEqual(JUDGED_VARIABLES.map((name) => expect.stringMatching(`^${name}: expected `)));
});

test('on a developer’s machine, editors set NODE_OPTIONS, and certificates are checked all the same', () => {
  const env = { NODE_OPTIONS: '--require /editor/debugger.js', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(readConfiguration('SAML', env).problems).toEqual([
    expect.stringMatching('^NODE_TLS_REJECT_UNAUTHORIZED: expected '),
  ]);
});
