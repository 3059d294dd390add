/** What the plugin brings to the configuration of a project that names its kinds of login. */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bringFunctions } from '../../tools/deploy/broughtFunctions.ts';
import type { Serverless } from '../../tools/deploy/service.ts';
import { loginHooksIn } from '../../tools/shared/configuration.ts';
import { type OwnProject, ownProject } from '../support/ownProject.ts';

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
  bringFunctions(serverless, { ...loginHooksIn(configuration, 'serverless.yml'), service: null });
  return serverless.configurationInput;
}

const OPENID = {
  handler: 'dist/functions/openidLoggedIn.handler',
  events: [{ httpApi: { method: 'POST', path: '/openid', authorizer: { type: 'aws_iam' } } }],
};
const PATTERNS = ['!**', 'dist/**', '!dist/**/*.map'];
const BY_HTTP = { openid: 'default', http: true };

test.each([
  [{ openid: 'default' }, ['openidLoggedIn']],
  [{ saml: 'handlers/x' }, ['samlLoggedIn']],
  [{ saml: 'default', openid: 'default' }, ['openidLoggedIn', 'samlLoggedIn']],
])('%j is the functions %j', (named, functions) => {
  expect(Object.keys(brought(named).functions ?? {})).toEqual(functions);
});

test('routes are brought by http alone', () => {
  expect(brought({ openid: 'default' }).functions).toEqual({ openidLoggedIn: { handler: OPENID.handler } });
  expect(brought(BY_HTTP).functions).toEqual({ openidLoggedIn: OPENID });
});

test.each<[Named, object, string]>([
  [{}, {}, 'custom.loginHooks: expected what answers the logins'],
  [
    { saml: 'default' },
    { functions: { openidLoggedIn: { timeout: 10 } } },
    'functions.openidLoggedIn: expected custom.loginHooks.openid too',
  ],
])('a project that names %j and has %j is refused', (named, said, problem) => {
  expect(() => brought(named, said)).toThrow(`serverless.yml: ${problem}`);
});

describe('what the project says', () => {
  test.each<[title: string, said: object, expected: object]>([
    [
      'is added to',
      { functions: { mine: { handler: 'a.b' } } },
      { mine: { handler: 'a.b' }, openidLoggedIn: OPENID },
    ],
    ['may be a section without content', { functions: null }, { openidLoggedIn: OPENID }],
    [
      'completes a function',
      { functions: { openidLoggedIn: { timeout: 10 } } },
      { openidLoggedIn: { ...OPENID, timeout: 10 } },
    ],
    [
      'replaces the routes of a function',
      { functions: { openidLoggedIn: { events: [] } } },
      { openidLoggedIn: { ...OPENID, events: [] } },
    ],
    [
      'leaves the routes of a function out',
      { functions: { openidLoggedIn: { events: null } } },
      { openidLoggedIn: { handler: OPENID.handler } },
    ],
    ['leaves a function out', { functions: { openidLoggedIn: null } }, {}],
  ])('%s', (_, said, functions) => {
    expect(brought(BY_HTTP, said).functions).toEqual(functions);
  });

  test('replaces a value, and leaves one out, wherever it is', () => {
    const said = { provider: { name: 'aws', memorySize: 1024, architecture: null, logs: { httpApi: true } } };
    expect(brought(BY_HTTP, said).provider).toEqual({
      name: 'aws',
      memorySize: 1024,
      runtime: 'nodejs24.x',
      timeout: 20,
      logs: { httpApi: true, lambda: { logFormat: 'JSON' } },
    });
  });

  test('is packaged after what is brought', () => {
    const said = { package: { patterns: ['templates/**'], individually: true } };
    expect(brought(BY_HTTP, said).package).toEqual({
      excludeDevDependencies: false,
      patterns: [...PATTERNS, 'templates/**'],
      individually: true,
    });
  });

  test.each<[object, string]>([
    [{ functions: `\${param:functions}` }, 'functions: expected a map'],
    [{ functions: [{ mine: {} }] }, 'functions: expected a map'],
    [{ functions: { openidLoggedIn: `\${param:fn}` } }, 'functions.openidLoggedIn: expected a map'],
    [{ package: { patterns: `\${param:patterns}` } }, 'package.patterns: expected a list'],
  ])('is refused where nothing can be added to it: %j', (said, problem) => {
    expect(() => brought(BY_HTTP, said)).toThrow(
      `serverless.yml: ${problem} that is written out or in a file`,
    );
  });
});

const CONFIGURATION = `service: my-logins
plugins: [login-hooks/serverless]
provider:
  name: aws
  region: eu-central-1
  memorySize: \${param:memory}
  environment:
    DIRECTORY: \${env:DIRECTORY, null}
params: {default: {memory: 1024}, prod: {memory: 2048}}
custom: {loginHooks: {openid: default, http: true}}
package: \${file(package.yml)}
functions:
  openidLoggedIn:
    timeout: \${self:custom.timeout, 12}
    description: \${env:PURPOSE}
`;

describe('the variables of the project', () => {
  let project: OwnProject;
  beforeAll(async () => {
    project = await ownProject({
      'serverless.yml': CONFIGURATION,
      'package.yml': "patterns: ['texts/**']\n",
    });
  });
  afterAll(() => project.remove());

  test('are resolved beside what is brought', async () => {
    const { stdout, stderr } = await project.serverless(['print', '--format', 'json', '--stage', 'prod'], {
      PURPOSE: 'logins',
    });
    const printed = JSON.parse(stdout || stderr);
    expect(printed).toMatchObject({
      provider: { memorySize: 2048, runtime: 'nodejs24.x', environment: {} },
      package: { patterns: [...PATTERNS, 'texts/**'] },
      functions: { openidLoggedIn: { ...OPENID, timeout: 12, description: 'logins' } },
    });
  });
});
