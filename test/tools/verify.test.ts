/** What is in force with the settings of a stage, or what is wrong with them: by `npm run verify`, and before a package. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { verifyFunction } from '../../tools/deploy/verify.ts';
import { customHandler } from '../support/customHandler.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';

const ENTRA = 'events/openidLoggedIn/entra.json';

const folder = temporaryFolder();

/** A stage that has these settings, and what a command needs to find them. */
function stageWith(settings: string) {
  const stage = 'tested';
  writeFileSync(join(folder, `.env.${stage}`), settings);
  return { stage, env: { LOGIN_HOOKS_ENV_FOLDER: folder } };
}

describe.each([
  ['verify', []],
  ['login', ['openid', ENTRA]],
  ['check', []],
  ['start', []],
])('npm run %s', (name, args) => {
  test('refuses a mistaken name in the environment', async () => {
    const stderr =
      'environment: OIDC_HANDLER_MODULE is not a setting; the nearest is OPENID_HANDLER_MODULE\n';
    const env = { OIDC_HANDLER_MODULE: 'handlers/staff-group' };
    expect(await runTool(name, args, env)).toEqual({ status: 2, stdout: '', stderr });
  });

  test('refuses a mistaken name in the file of the stage', async () => {
    const { stage, env } = stageWith('SAML_HANDLER_MODUL=handlers/staff-group');
    const stderr = `.env.${stage}: SAML_HANDLER_MODUL is not a setting; the nearest is SAML_HANDLER_MODULE\n`;
    expect(await runTool(name, [...args, '--stage', stage], env)).toEqual({ status: 2, stdout: '', stderr });
  });
});

const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
test.each([
  ['verify', ['openidLoggedIn']],
  ['login', ['openid', ENTRA, '--verbose']],
  ['check', [ENTRA]],
])(
  'npm run %s refuses the signing secret in the place of its name, and shows it nowhere',
  async (name, args) => {
    const { status, stdout, stderr } = await runTool(name, args, { SIGNING_SECRET_ID: `whsec_${KEY}` });
    expect([status, stdout + stderr]).toEqual([
      1,
      expect.stringContaining(
        'SIGNING_SECRET_ID: expected the name or ARN of a secret, not the secret itself',
      ),
    ]);
    expect(stdout + stderr).not.toContain(KEY);
  },
);

describe('npm run verify', () => {
  const ISSUERS =
    '{"https://a.example": {"audiences": ["client"]}, "https://b.example": {"audiences": ["c"]}}';
  const OPENID = 'openidLoggedIn: handler default, callers iam, ID token check off';
  const SAML = 'samlLoggedIn: handler default, callers iam, assertion check off';

  test.each<[string[], Record<string, string>, string[]]>([
    [[], {}, [OPENID, SAML]],
    [
      ['samlLoggedIn'],
      { SAML_HANDLER_MODULE: 'handlers/staff-group', AWS_LAMBDA_LOG_LEVEL: 'FATAL' },
      ['samlLoggedIn: handler handlers/staff-group, callers iam, assertion check off'],
    ],
    [
      ['openidLoggedIn'],
      { OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS: ISSUERS },
      [
        'openidLoggedIn: handler default, callers iam, ID token check on, issuers https://a.example, https://b.example',
      ],
    ],
    [['openidLoggedIn'], { OPENID_ISSUERS: ISSUERS }, [OPENID]],
    [['openidLoggedIn'], { REQUIRED_FIELDS: 'email' }, [`${OPENID}, required fields email`]],
    [
      ['openidLoggedIn'],
      { REQUIRED_FIELDS: 'none', OPENID_EXTERNAL_ID: 'sub' },
      [`${OPENID}, required fields none, external ids of all issuers alike, without the issuer`],
    ],
    [
      ['samlLoggedIn'],
      { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'signing' },
      ['samlLoggedIn: handler default, callers signature, assertion check off'],
    ],
    [
      ['samlLoggedIn'],
      { SAML_HANDLER_MODULE: '/opt/own.mjs' },
      [
        'samlLoggedIn: handler /opt/own.mjs, callers iam, assertion check off; the handler is not on this machine, and was not verified',
      ],
    ],
  ])('%j says what is in force with %j', async (args, env, lines) => {
    const stdout = lines.map((line) => `${line}\n`).join('');
    expect(await runTool('verify', args, env)).toEqual({ status: 0, stdout, stderr: '' });
  });

  test('reads the file of the stage, and expands it', async () => {
    const { stage, env } = stageWith('NAME=staff-group\nSAML_HANDLER_MODULE=handlers/$NAME');
    const { stdout } = await runTool('verify', ['--stage', stage, 'samlLoggedIn'], env);
    expect(stdout).toContain('handler handlers/staff-group,');
  });

  test('says what a deployment would be refused for, and which variables it does not pass', async () => {
    const { stage, env } = stageWith(
      'MONITORING=yes\nLOG_RETENTION_DAYS=30\nDIRECTORY_URL=https://a.example',
    );
    const args = ['samlLoggedIn', '--stage', stage];
    expect(await runTool('verify', args, { ...env, THROTTLING_RATE: 'fast' })).toEqual({
      status: 1,
      stdout: `${SAML}\n`,
      stderr: `.env.${stage}: not passed to the functions on AWS: DIRECTORY_URL. If a handler reads them, list them below provider.environment in serverless.yml, e.g. DIRECTORY_URL: \${env:DIRECTORY_URL, null}
a deployment would be refused:
  .env.${stage}: MONITORING: expected on or off
  environment: THROTTLING_RATE: expected a whole number from 1 to 999999999
`,
    });
  });

  test('tells what is odd about a mapping', async () => {
    const sdk = new URL('../../lib/sdk.ts', import.meta.url);
    const module = await customHandler(`import { mapSamlLogin } from '${sdk}';
export default mapSamlLogin({ rules: [{ attribute: 'unit', is: ['eng-*'] }] });`);
    const { status, stdout } = await runTool('verify', ['samlLoggedIn'], { SAML_HANDLER_MODULE: module });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^warning +mapping_warning .*\n {2}rules\[0\]\.is: "eng-\*" has a "\*"/m);
  });

  test('calls no handler', async () => {
    const module = await customHandler('export default () => process.exit(3);');
    const { status, stderr } = await runTool('verify', ['samlLoggedIn'], { SAML_HANDLER_MODULE: module });
    expect([status, stderr]).toEqual([0, '']);
  });

  test.each([
    [
      'what is for this machine alone',
      { OPENID_ISSUERS: '{"http://localhost:8080": {"audiences": ["a"]}}' },
      'OPENID_ISSUERS.http://localhost:8080: expected an issuer: an https URL',
    ],
    [
      'code from elsewhere than the package and its layers',
      { AWS_LAMBDA_EXEC_WRAPPER: '/tmp/wrapper' },
      'AWS_LAMBDA_EXEC_WRAPPER: expected only files of layers, below /opt/',
    ],
  ])('takes %s, which a package does not', async (_, settings, problem) => {
    expect(await runTool('verify', ['openidLoggedIn'], settings)).toMatchObject({ status: 0 });
    const env = { ...settings, AWS_LAMBDA_RUNTIME_API: 'none' };
    const fn = { name: 'openidLoggedIn', env, sourceOf: () => '.env' };
    expect(await verifyFunction(fn)).toMatchObject({
      notes: [],
      problems: [
        expect.stringContaining(
          `openidLoggedIn would respond to every login with an error:\n  .env: ${problem}`,
        ),
      ],
    });
  });
});

describe('npm run verify -- --try', () => {
  test('sends the events that expect the handler in force, without the checks, and counts them', async () => {
    const { status, stdout } = await runTool('verify', ['--try'], {
      SAML_HANDLER_MODULE: 'handlers/edugain-federation',
      SAML_ASSERTION_CHECK: 'on',
      SAML_ISSUERS: '{"urn:idp": {"audiences": ["a"], "recipients": ["b"]}}',
      RESPONSE_NAMES: 'camelCase',
    });
    expect(stdout).toContain('assertion check on, issuers urn:idp\n');
    expect(stdout).toMatch(
      /^samlLoggedIn: handlers\/edugain-federation \(environment\) answers, and refuses \d+ of \d+ events\n([1-9]\d*) of \1 events as expected$/m,
    );
    expect(stdout).toContain('openidLoggedIn: no handler of your own to try\n');
    expect(status).toBe(0);
  });

  test('says how to make an event, where none expects the handler', async () => {
    const module = await customHandler(`export default () => ({ type: 'ForbiddenResponse' });`);
    const env = { SAML_HANDLER_MODULE: module };
    const { stage, env: folder } = stageWith('');
    const ended = await runTool('verify', ['--try', 'samlLoggedIn', '--stage', stage], { ...env, ...folder });
    const command = `npm run check -- samlLoggedIn/<name> --update --stage ${stage}`;
    const stderr = expect.stringMatching(new RegExp(`^error +handler_not_compared[^]*${command}\n$`));
    expect(ended).toMatchObject({ status: 1, stderr });
  });
});
