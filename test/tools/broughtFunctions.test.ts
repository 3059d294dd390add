/** What the plugin brings to the configuration of a project that names its kinds of login. */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bringFunctions } from '../../tools/deploy/broughtFunctions.ts';
import type { Serverless } from '../../tools/deploy/service.ts';
import { type OwnProject, ownProject } from '../support/ownProject.ts';

const ServerlessItself: new (options: object) => Serverless = createRequire(import.meta.url)(
  'serverless/lib/serverless',
);

/** The configuration that `serverless` has afterwards. */
function brought(kinds: string[], said: object = {}): Record<string, unknown> {
  const serverless = new ServerlessItself({
    commands: ['package'],
    options: {},
    serviceDir: tmpdir(),
    configurationFilename: 'serverless.yml',
    configuration: { custom: { loginHooks: { kinds } }, ...said },
  });
  bringFunctions(serverless);
  return serverless.configurationInput;
}

const OPENID = {
  handler: 'dist/functions/openidLoggedIn.handler',
  events: [{ httpApi: { method: 'POST', path: '/openid', authorizer: { type: 'aws_iam' } } }],
};
const PATTERNS = ['!**', 'dist/**', '!dist/**/*.map'];

test.each([
  [['openid'], ['openidLoggedIn']],
  [['saml'], ['samlLoggedIn']],
  [
    ['saml', 'openid'],
    ['openidLoggedIn', 'samlLoggedIn'],
  ],
])('the kinds %j are the functions %j', (kinds, functions) => {
  expect(Object.keys(brought(kinds).functions ?? {})).toEqual(functions);
});

test('nothing is brought to a project that names no kinds', () => {
  const said = { custom: {}, functions: { mine: {} } };
  expect(brought([], said)).toEqual({ custom: {}, functions: { mine: {} } });
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
    expect(brought(['openid'], said).functions).toEqual(functions);
  });

  test('replaces a value, and leaves one out, wherever it is', () => {
    const said = { provider: { name: 'aws', memorySize: 1024, architecture: null, logs: { httpApi: true } } };
    expect(brought(['openid'], said).provider).toEqual({
      name: 'aws',
      memorySize: 1024,
      runtime: 'nodejs24.x',
      timeout: 20,
      logs: { httpApi: true, lambda: { logFormat: 'JSON' } },
    });
  });

  test('is packaged after what is brought', () => {
    const said = { package: { patterns: ['templates/**'], individually: true } };
    expect(brought(['openid'], said).package).toEqual({
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
    expect(() => brought(['openid'], said)).toThrow(
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
custom: {loginHooks: {kinds: [openid]}}
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
