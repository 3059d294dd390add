/** What the plugin brings to the configuration of a project that names its kinds of login. */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { bringFunctions } from '../../tools/deploy/broughtFunctions.ts';
import type { Serverless } from '../../tools/deploy/service.ts';
import { loginHooksIn } from '../../tools/shared/configuration.ts';

const ServerlessItself: new (options: object) => Serverless = createRequire(import.meta.url)(
  'serverless/lib/serverless',
);

interface Named {
  openid?: string;
  saml?: string;
  http?: boolean;
}

/** The configuration that `serverless` has afterwards. */
function brought(loginHooks: Named, said: object = {}): Record<string, unknown> {
  const configuration = { custom: { loginHooks }, ...said };
  const serverless = new ServerlessItself({
    ...{ commands: ['package'], options: {}, serviceDir: tmpdir() },
    ...{ configurationFilename: 'serverless.yml', configuration },
  });
  const file = 'serverless.yml';
  bringFunctions(serverless, { ...loginHooksIn(configuration, file), file, service: null, listed: [] });
  return serverless.configurationInput;
}

const OPENID = {
  handler: 'dist/functions/openidLoggedIn.handler',
  events: [{ httpApi: { method: 'POST', path: '/openid', authorizer: { type: 'aws_iam' } } }],
};
const PATTERNS = ['!**', 'dist/**', '!dist/**/*.map'];
const BY_HTTP = { openid: 'default', http: true };

test.each<[Named, string[]]>([
  [{ openid: 'default' }, ['openidLoggedIn']],
  [{ saml: 'handlers/x' }, ['samlLoggedIn']],
  [{ saml: 'default', openid: 'default' }, ['openidLoggedIn', 'samlLoggedIn']],
])('%j is the functions %j', (named, functions) => {
  expect(Object.keys(brought(named).functions ?? {})).toEqual(functions);
});

test('routes, and the log of their callers, are brought by http only', () => {
  expect(brought({ openid: 'default' }).functions).toEqual({ openidLoggedIn: { handler: OPENID.handler } });
  expect(brought({ openid: 'default' }).provider).not.toHaveProperty('logs.httpApi');
  expect(brought(BY_HTTP)).toMatchObject({
    functions: { openidLoggedIn: OPENID },
    provider: { logs: { httpApi: true } },
  });
});

test('of an API elsewhere there is no log', () => {
  const { provider } = brought(BY_HTTP, { provider: { httpApi: { id: 'a1b2c3' } } });
  expect(provider).not.toHaveProperty('logs.httpApi');
});

const ofOpenId = (said: object | null) => ({ functions: { openidLoggedIn: said } });
const MINE = { mine: { handler: 'a.b' } };
test.each<[title: string, said: object, expected: object]>([
  ['a function more', { functions: MINE }, { ...MINE, openidLoggedIn: OPENID }],
  ['a section without content', { functions: null }, { openidLoggedIn: OPENID }],
  ['a time-out', ofOpenId({ timeout: 10 }), { openidLoggedIn: { ...OPENID, timeout: 10 } }],
  ['other routes', ofOpenId({ events: [] }), { openidLoggedIn: { ...OPENID, events: [] } }],
  ['no routes', ofOpenId({ events: null }), { openidLoggedIn: { handler: OPENID.handler } }],
  ['no function', ofOpenId(null), {}],
])('the project may say %s', (_, said, functions) => {
  expect(brought(BY_HTTP, said).functions).toEqual(functions);
});

test('the project replaces a value, leaves one out, and adds patterns', () => {
  const said = {
    provider: { name: 'aws', memorySize: 1024, architecture: null, logs: { httpApi: null } },
    package: { patterns: ['templates/**'], individually: true },
  };
  const { provider, package: packaged } = brought(BY_HTTP, said);
  expect(provider).toEqual({
    ...{ name: 'aws', memorySize: 1024, runtime: 'nodejs24.x', timeout: 20 },
    logs: { lambda: { logFormat: 'JSON' } },
  });
  const patterns = [...PATTERNS, 'templates/**'];
  expect(packaged).toEqual({ excludeDevDependencies: false, patterns, individually: true });
});

const [A_MAP, A_LIST] = ['a map', 'a list'].map(
  (what) => `expected ${what} that is written out or in a file`,
);
const PATTERNS_LATER = { package: { patterns: `\${param:patterns}` } };
const NOT_NAMED = 'functions.openidLoggedIn: expected custom.loginHooks.openid too';
test.each<[Named, object, string]>([
  [{}, {}, 'custom.loginHooks: expected what answers the logins'],
  [{ saml: 'default' }, { functions: { openidLoggedIn: { timeout: 10 } } }, NOT_NAMED],
  [BY_HTTP, { functions: `\${param:functions}` }, `functions: ${A_MAP}`],
  [BY_HTTP, { functions: [{ mine: {} }] }, `functions: ${A_MAP}`],
  [BY_HTTP, { functions: { openidLoggedIn: `\${param:fn}` } }, `functions.openidLoggedIn: ${A_MAP}`],
  [BY_HTTP, PATTERNS_LATER, `package.patterns: ${A_LIST}`],
])('a project that names %j and says %j is refused', (named, said, problem) => {
  expect(() => brought(named, said)).toThrow(`serverless.yml: ${problem}`);
});
