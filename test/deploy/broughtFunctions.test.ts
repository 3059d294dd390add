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

test.each<[title: string, said: object, expected: object]>([
  [
    'a function more',
    { functions: { mine: { handler: 'a.b' } } },
    { mine: { handler: 'a.b' }, openidLoggedIn: OPENID },
  ],
  ['a section without content', { functions: null }, { openidLoggedIn: OPENID }],
  [
    'a time-out',
    { functions: { openidLoggedIn: { timeout: 10 } } },
    { openidLoggedIn: { ...OPENID, timeout: 10 } },
  ],
  [
    'other routes',
    { functions: { openidLoggedIn: { events: [] } } },
    { openidLoggedIn: { ...OPENID, events: [] } },
  ],
  [
    'no routes',
    { functions: { openidLoggedIn: { events: null } } },
    { openidLoggedIn: { handler: OPENID.handler } },
  ],
  ['no function', { functions: { openidLoggedIn: null } }, {}],
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

const WRITTEN_OUT = 'that is written out or in a file';
test.each<[Named, object, string]>([
  [{}, {}, 'custom.loginHooks: expected what answers the logins'],
  [
    { saml: 'default' },
    { functions: { openidLoggedIn: { timeout: 10 } } },
    'functions.openidLoggedIn: expected custom.loginHooks.openid too',
  ],
  [BY_HTTP, { functions: `\${param:functions}` }, `functions: expected a map ${WRITTEN_OUT}`],
  [BY_HTTP, { functions: [{ mine: {} }] }, `functions: expected a map ${WRITTEN_OUT}`],
  [
    BY_HTTP,
    { functions: { openidLoggedIn: `\${param:fn}` } },
    `functions.openidLoggedIn: expected a map ${WRITTEN_OUT}`,
  ],
  [
    BY_HTTP,
    { package: { patterns: `\${param:patterns}` } },
    `package.patterns: expected a list ${WRITTEN_OUT}`,
  ],
])('a project that names %j and says %j is refused', (named, said, problem) => {
  expect(() => brought(named, said)).toThrow(`serverless.yml: ${problem}`);
});
