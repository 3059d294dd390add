/** What is in force with the settings of a stage, or what is wrong with them: by `verify`, and before a package. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { verifyFunction } from '../../tools/deploy/verify.ts';
import { customHandler } from '../support/customHandler.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runTool } from '../support/tools.ts';

const folder = temporaryFolder();

/** A stage that has these settings, and what a command needs to find them. */
function stageWith(settings: string) {
  const stage = 'tested';
  writeFileSync(join(folder, `.env.${stage}`), settings);
  return { stage, env: { LOGIN_HOOKS_ENV_FOLDER: folder } };
}

describe('verify', () => {
  const ISSUERS =
    '{"https://a.example": {"audiences": ["client"]}, "https://b.example": {"audiences": ["c"]}}';
  const OPENID = 'openidLoggedIn: handler default, callers iam, ID token check off';
  const SAML = 'samlLoggedIn: handler default, callers iam, assertion check off';

  const CHECKED = { OPENID_TOKEN_CHECK: 'on', OPENID_ISSUERS: ISSUERS };
  const OF_BOTH =
    'openidLoggedIn: handler default, callers iam, ID token check on, issuers https://a.example, https://b.example';
  const OF_LAYER = '/opt/own.mjs';
  test.each<[Record<string, string>, string, string]>([
    [{ REQUIRED_FIELDS: 'email' }, `${OPENID}, required fields email`, `${SAML}, required fields email`],
    [
      { ...CHECKED, OPENID_EXTERNAL_ID: 'sub', SAML_HANDLER_MODULE: OF_LAYER },
      `${OF_BOTH}, external ids of all issuers alike, without the issuer`,
      `${SAML.replace('default', OF_LAYER)}; the handler is not on this machine, and was not verified`,
    ],
    [
      { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'signing', AWS_LAMBDA_LOG_LEVEL: 'FATAL' },
      OPENID.replace('iam', 'signature'),
      SAML.replace('iam', 'signature'),
    ],
  ])('says what is in force with %j', async (env, ...lines) => {
    const stdout = lines.map((line) => `${line}\n`).join('');
    expect(await runTool('verify', [], env)).toEqual({ status: 0, stdout, stderr: '' });
  });

  test('says what a deployment would be refused for, and which variables it does not pass', async () => {
    const text = 'MONITORING=yes\nLOG_RETENTION_DAYS=31\nDIRECTORY_URL=https://a.example';
    const { stage, env } = stageWith(text);
    const args = ['--stage', stage];
    const concurrency = { PROVISIONED_CONCURRENCY: '3', RESERVED_CONCURRENCY: '2' };
    expect(await runTool('verify', args, { ...env, ...concurrency, THROTTLING_RATE: 'fast' })).toEqual({
      status: 1,
      stdout: `${OPENID}\n${SAML}\n`,
      stderr: `.env.${stage}: not passed to the functions on AWS: DIRECTORY_URL. If a handler reads them, list them below provider.environment in serverless.yml, e.g. DIRECTORY_URL: \${env:DIRECTORY_URL, null}
a deployment would be refused:
  .env.${stage}: MONITORING: expected on or off
  .env.${stage}: LOG_RETENTION_DAYS: expected 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288 or 3653
  environment: THROTTLING_RATE: expected a whole number from 1 to 999999999
  environment: PROVISIONED_CONCURRENCY: expected at most RESERVED_CONCURRENCY
`,
    });
  });

  test('calls no handler', async () => {
    const module = await customHandler('export default () => process.exit(3);');
    const { status, stderr } = await runTool('verify', [], { SAML_HANDLER_MODULE: module });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('takes what is for this machine alone, which a package does not', async () => {
    const settings = { OPENID_ISSUERS: '{"http://localhost:8080": {"audiences": ["a"]}}' };
    expect(await runTool('verify', [], settings)).toMatchObject({ status: 0 });
    const env = { ...settings, AWS_LAMBDA_RUNTIME_API: 'none' };
    const fn = { name: 'openidLoggedIn', env, sourceOf: () => '.env' };
    const problem = 'OPENID_ISSUERS.http://localhost:8080: expected an issuer: an https URL';
    const told = `openidLoggedIn would respond to every login with an error:\n  .env: ${problem}`;
    expect(await verifyFunction(fn)).toMatchObject({ notes: [], problems: [expect.stringContaining(told)] });
  });
});

const [FIRST, SECOND] = [
  'https://idp.example.ac.uk/idp/shibboleth',
  'https://login.uni.example/saml2/idp/metadata',
];
const SERVICE = { audiences: ['a'], recipients: ['b'] };

test('verify refuses issuers that only one of a setting and the mapping lists', async () => {
  const { status, stderr } = await runTool('verify', [], {
    SAML_HANDLER_MODULE: 'handlers/edugain-federation',
    SAML_ASSERTION_CHECK: 'on',
    SAML_ISSUERS: JSON.stringify({ [FIRST]: SERVICE, 'urn:idp': SERVICE }),
  });
  const refused = Array.from(stderr.matchAll(/^error +issuer_refused +(\S+)$/gm), ([, issuer]) => issuer);
  expect([status, refused]).toEqual([1, ['urn:idp', SECOND]]);
});

describe('verify --try', () => {
  test('sends the events that expect the handler in force, without the checks, and counts them', async () => {
    const { status, stdout } = await runTool('verify', ['--try'], {
      SAML_HANDLER_MODULE: 'handlers/edugain-federation',
      SAML_ASSERTION_CHECK: 'on',
      SAML_ISSUERS: JSON.stringify({ [FIRST]: SERVICE, [SECOND]: SERVICE }),
      RESPONSE_NAMES: 'camelCase',
    });
    expect(stdout).toContain(`assertion check on, issuers ${FIRST}, ${SECOND}\n`);
    expect(stdout).toMatch(
      /^samlLoggedIn: handlers\/edugain-federation \(environment\) answers, and refuses \d+ of \d+ events\n([1-9]\d*) of \1 events as expected$/m,
    );
    expect(stdout).toContain('openidLoggedIn: the default handler (serverless.yml) answers: everybody');
    expect(status).toBe(0);
  });

  test('says how to make an event, where none expects the handler', async () => {
    const module = await customHandler(`export default () => ({ type: 'ForbiddenResponse' });`);
    const { stage, env } = stageWith(`SAML_HANDLER_MODULE=${module}\n`);
    const { status, stdout } = await runTool('verify', ['--try', '--stage', stage], env);
    const command = `npx login-hooks check samlLoggedIn/<name> --update --stage ${stage}`;
    expect(stdout).toMatch(new RegExp(`^error +handler_not_compared[^]*${command}$`, 'm'));
    expect(status).toBe(1);
  });
});
