/** Settings on the way from `.env` to a function: none is lost because of its name, and what is in force is told. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { loginFunctions } from '../../tools/deploy/functions.ts';
import { WORKED_HANDLERS } from '../../tools/local/inForce.ts';
import { DEPLOYMENT_SETTINGS } from '../../tools/shared/deployment.ts';
import { checkSettingNames, loadDotenv, notesOfUnpassed } from '../../tools/shared/dotenv.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { LOCAL_SETTING, mistake, namesTakenBy } from '../../tools/shared/settingNames.ts';
import { customHandler } from '../support/customHandler.ts';
import { pathWithoutBuild, writeService } from '../support/services.ts';
import { runTool } from '../support/tools.ts';

const loadDotenvOfServerless = createRequire(import.meta.url)('serverless/lib/cli/load-dotenv.js');
const ENTRA = 'events/openidLoggedIn/entra.json';
const KNOWN = [...namesTakenBy(join(PROJECT, 'serverless.yml')), LOCAL_SETTING];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder with files by name. */
function folderWith(contents: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'login-hooks-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  return folder;
}

/** A stage that has these settings, and what a command needs to find them. */
function stageWith(settings: string) {
  const stage = `test-${folders.length}`;
  return { stage, env: { LOGIN_HOOKS_ENV_FOLDER: folderWith({ [`.env.${stage}`]: settings }) } };
}

test('serverless.yml takes every setting but the one of this machine', () => {
  expect(KNOWN.toSorted()).toEqual([...SETTING_NAMES, ...DEPLOYMENT_SETTINGS, 'AWS_REGION'].sort());
});

test('the handlers that come with this project are no operator’s own', () => {
  const files = readdirSync(join(PROJECT, 'handlers'));
  expect(WORKED_HANDLERS).toEqual(files.map((file) => parse(file).name).sort());
});

test.each([
  [0, '0'],
  [true, 'true'],
  ['x', 'x'],
])('a setting that a plugin makes %j is verified as the text that Lambda makes of it', (value, text) => {
  const functions = { samlLoggedIn: { handler: 'dist/functions/samlLoggedIn.handler', name: 'saml' } };
  const service = { provider: { environment: { HANDLER_TIMEOUT_MS: value } }, functions };
  expect(loginFunctions(service)).toMatchObject([{ environment: { HANDLER_TIMEOUT_MS: text } }]);
});

describe('a name', () => {
  test.each([
    ['SAML_HANDLER_MODUL', 'SAML_HANDLER_MODULE'],
    ['SAML_HANDLER_MODLUE', 'SAML_HANDLER_MODULE'],
    ['saml_handler_module', 'SAML_HANDLER_MODULE'],
    ['SAML-HANDLER-MODULE', 'SAML_HANDLER_MODULE'],
    ['SALM_HANDLER_MODULE', 'SAML_HANDLER_MODULE'],
    ['RESPONSE_NAME', 'RESPONSE_NAMES'],
    ['CLOCK_SCEW_SECONDS', 'CLOCK_SKEW_SECONDS'],
    ['ALARM_TOPIC_ARNS', 'ALARM_TOPIC_ARN'],
    ['SECRET_FILES', 'SECRETS_FILE'],
    ['OPENID_CHECK', 'OPENID_TOKEN_CHECK'],
    ['SAML_ASSERTIONS', 'SAML_ASSERTION_CHECK'],
    ['SAML_HANDLER', 'SAML_HANDLER_MODULE'],
    ['CALLER', null],
    ['CALLER_CHECKED_BY', 'CALLER_CHECK'],
    ['SIGNING_SECRET', 'SIGNING_SECRET_ID'],
    ['SECRETS_TTL', 'SECRETS_FILE'],
    ['HANDLER_TIMEOUT', 'HANDLER_TIMEOUT_MS'],
    ['HANDLER_TIMEOUT_SECONDS', 'HANDLER_TIMEOUT_MS'],
    ['MAX_BODY', 'MAX_BODY_BYTES'],
    ['MAX_BODY_KB', 'MAX_BODY_BYTES'],
    ['CLOCK_SKEW', 'CLOCK_SKEW_SECONDS'],
    ['clock_skew', 'CLOCK_SKEW_SECONDS'],
    ['CAPACITY_PROVIDER', 'CAPACITY_PROVIDER_ARN'],
    ['ALARM_TOPIC', 'ALARM_TOPIC_ARN'],
    ['LOG_RETENTION', 'LOG_RETENTION_DAYS'],
    ['THROTTLING_LIMIT', 'THROTTLING_BURST'],
    ['TOKEN_CHECK', 'OPENID_TOKEN_CHECK'],
    ['ASSERTION_CHECK', 'SAML_ASSERTION_CHECK'],
    ['HANDLER_MODULE', 'OPENID_HANDLER_MODULE'],
    ...[...SETTING_NAMES, ...DEPLOYMENT_SETTINGS, 'AWS_REGION'].map((name): [string, null] => [name, null]),
    ...[
      'AWS_PROFILE',
      'HTTPS_PROXY',
      'DIRECTORY_URL',
      'ENTRA_SECRET_ID',
      'ACCESS_TOKEN',
      'HANDLER',
      'HANDLER_URL',
      'ISSUERS',
      'LOG_LEVEL',
      'MAX_GROUPS',
      'RETENTION_DAYS',
      'TIMEOUT_MS',
      'TOPIC_ARN',
      'SAML2AWS_PROFILE',
      'PATH',
      'HOME',
    ].map((name): [string, null] => [name, null]),
  ])('%s is a mistaken %s', (name, nearest) => {
    const problem = `${name} is not a setting; the nearest is ${nearest}`;
    expect(mistake(name, KNOWN)).toEqual(nearest === null ? null : expect.stringContaining(problem));
  });

  test.each([
    ['OIDC_HANDLER_MODULE', 'OPENID_HANDLER_MODULE'],
    ['SSO_HANDLER_MODULE', 'SAML_HANDLER_MODULE'],
    ['oidc-handler-module', 'OPENID_HANDLER_MODULE'],
    ['OIDC_SHADOW_HANDLER_MODULE', 'OPENID_SHADOW_HANDLER_MODULE'],
    ['OIDC_TOKEN_CHECK', 'OPENID_TOKEN_CHECK'],
    ['SHIBBOLETH_ASSERTION_CHECK', 'SAML_ASSERTION_CHECK'],
    ['HANDLER_MODULE', 'OPENID_HANDLER_MODULE'],
    ['SAML_HANDLER_MODUL', 'SAML_HANDLER_MODULE'],
  ])('%s is none of an operator’s own, listed or not: it is a mistaken %s', (name, nearest) => {
    const problem = `${name} is not a setting; the nearest is ${nearest}`;
    expect([mistake(name, KNOWN), mistake(name, [...KNOWN, name])]).toEqual([problem, problem]);
  });

  test('that is a setting which the configuration does not take is told', () => {
    expect(mistake('OPENID_TOKEN_CHECK', [])).toMatch(
      /^OPENID_TOKEN_CHECK is a setting that must be listed /,
    );
  });

  test('that begins as a setting may be an operator’s own where it is listed', () => {
    expect(mistake('SAML_DIRECTORY', KNOWN)).toMatch(
      /nearest is .* variable of your own must be listed below/,
    );
    expect(mistake('SAML_DIRECTORY', [...KNOWN, 'SAML_DIRECTORY'])).toBeNull();
  });

  test('that serverless.yml takes is known, and those of the files that it includes', () => {
    const folder = folderWith({
      'serverless.yml': `a: \${env:SAML_DIRECTORY, null}\nb: \${opt:x, env:OPENID_X, 'y'}\nc: \${file(./own.yml):c}\n`,
      'own.yml': `c: \${env:SECRET_OF_MINE}\nd: \${file(serverless.yml):a}\n`,
    });
    expect(namesTakenBy(join(folder, 'serverless.yml'))).toEqual([
      'SAML_DIRECTORY',
      'OPENID_X',
      'SECRET_OF_MINE',
    ]);
  });
});

describe('a file of settings', () => {
  const YML = readFileSync(join(PROJECT, 'serverless.yml'));
  const check = (contents: Record<string, string | Buffer>, env: Record<string, string> = {}) =>
    checkSettingNames({ folder: folderWith({ 'serverless.yml': YML, ...contents }), stage: 'prod', env });

  test.each<[string, Record<string, string | Buffer>, string[]]>([
    ['is not there', {}, []],
    ['is right', { '.env.prod': 'SAML_HANDLER_MODULE=x\nAWS_PROFILE=y' }, []],
    [
      'has a mistaken name',
      { '.env.prod': 'SAML_HANDLER_MODUL=x' },
      ['.env.prod: SAML_HANDLER_MODUL is not a setting; the nearest is SAML_HANDLER_MODULE'],
    ],
    ['has it in .env', { '.env': 'SAML_HANDLER_MODUL=x' }, ['.env: SAML_HANDLER_MODUL is not a setting']],
    ['has it in .env, which is not read', { '.env': 'SAML_HANDLER_MODUL=x', '.env.prod': '' }, []],
    ['is of another stage', { '.env.dev': 'SAML_HANDLER_MODUL=x' }, []],
    [
      'has a name without =',
      { '.env.prod': 'SAML_HANDLER_MODULE x' },
      ['.env.prod: expected SAML_HANDLER_MODULE='],
    ],
    [
      'has a name after set',
      { '.env.prod': 'set SAML_HANDLER_MODULE=x' },
      ['.env.prod: expected SAML_HANDLER_MODULE='],
    ],
    [
      'has a name in two words',
      { '.env.prod': 'SAML_HANDLER MODULE=x' },
      ['.env.prod: expected SAML_HANDLER='],
    ],
    ['speaks of a setting', { '.env.prod': '# SAML_HANDLER_MODULE x\nA="SAML_HANDLER_MODULE x"' }, []],
    ['has a value of several lines', { '.env.prod': 'OPENID_ISSUERS=\'{\n  "https://a": {}\n}\'' }, []],
    [
      'begins with a mark of its form',
      { '.env.prod': '\ufeffSAML_HANDLER_MODUL=x' },
      ['.env.prod: SAML_HANDLER_MODUL'],
    ],
    [
      'is in UTF-16',
      { '.env.prod': Buffer.from('\ufeffSAML_HANDLER_MODULE=x', 'utf16le') },
      ['.env.prod: expected a file of UTF-8 text'],
    ],
  ])('%s', (_, contents, expected) => {
    const { problems } = check(contents);
    expect(problems).toEqual(expected.map((text) => expect.stringContaining(text)));
    expect(problems.join()).not.toMatch(/=x|https/);
  });

  test('is told from the environment', () => {
    const { problems } = check({ '.env.prod': 'SAML_X=1' }, { SAML_X: '1', OPENID_X: '2' });
    expect(problems.map((problem) => problem.split(' is not')[0])).toEqual([
      '.env.prod: SAML_X',
      'environment: OPENID_X',
    ]);
  });

  test.each<[string, string[]]>([
    ['SAML_HANDLER_MODULE=x\nSECRET_ID=y\nAWS_PROFILE=z', ['SAML_HANDLER_MODULE, SECRET_ID']],
    ['AWS_PROFILE=z', []],
    ['', []],
  ])('that is not read is told where it holds settings: %j', (text, settings) => {
    expect(check({ '.env': text, '.env.prod': '' })).toEqual({
      problems: [],
      notes: settings.map((names) => `.env is not read, because .env.prod exists. Not in force: ${names}`),
    });
  });

  test.each<[string, string]>([
    ['DIRECTORY_URL=x\nAWS_PROFILE=y\nDIRECTORY_ISSUER=z', 'DIRECTORY_URL, DIRECTORY_ISSUER'],
    ['SAML_HANDLER_MODULE=x\nMONITORING=on\nSECRETS_FILE=x\nLISTED=x\nWRITTEN_OUT=y\nOF_FUNCTION=z', ''],
    ['AWS_REGION=x\nNODE_EXTRA_CA_CERTS=y\nHTTPS_PROXY=z\nSLS_DEBUG=1\nCI=1', ''],
    [`HOST=x\nPORT=1\nLISTED=$HOST:\${PORT}`, ''],
    ['COMMENTED=x', 'COMMENTED'],
    ['', ''],
  ])('has variables that no function gets: %j → %s', (text, names) => {
    const own = `    LISTED: \${env:LISTED, null}\n    WRITTEN_OUT: x\n    # COMMENTED: \${env:COMMENTED, null}\n`;
    const [before, after] = String(YML).split(/(?<= {2}environment:\n)/);
    const yml = `${before}${own}${after}    environment: {OF_FUNCTION: x}\n`;
    const folder = folderWith({ 'serverless.yml': yml, '.env.prod': text });
    expect(notesOfUnpassed({ folder, stage: 'prod' })).toEqual(
      names === ''
        ? []
        : [expect.stringContaining(`.env.prod: not passed to the functions on AWS: ${names}. `)],
    );
  });

  test.each<[string, Record<string, string>]>([
    [`A=1\nB=\${A}2\nC=$B`, {}],
    ['A="x # y"  # z\nB=\'$A\'\nC=\\$A', {}],
    ['export A=1\nB: 2\nC=', {}],
    [`A=\${B:-3}\nC="l1\\nl2"`, {}],
    [`A=1\nB=\${A}\nC=3`, { A: 'set', C: '' }],
  ])('is read as serverless reads it: %j beside %j', (text, env) => {
    const folder = folderWith({ '.env.prod': text, '.env': 'A=not read' });
    const read = (load: () => void) => {
      const { cwd } = process;
      const before = { ...process.env };
      Object.assign(process.env, env);
      process.cwd = () => folder;
      try {
        load();
        return { A: process.env.A, B: process.env.B, C: process.env.C };
      } finally {
        process.cwd = cwd;
        for (const name of ['A', 'B', 'C']) delete process.env[name];
        Object.assign(process.env, before);
      }
    };
    expect(read(() => loadDotenv(folder, 'prod'))).toEqual(read(() => loadDotenvOfServerless('prod')));
  });
});

const MISTAKEN = { OIDC_HANDLER_MODULE: 'handlers/staff-group' };
const REFUSED = 'environment: OIDC_HANDLER_MODULE is not a setting; the nearest is OPENID_HANDLER_MODULE\n';
describe.each([
  ['verify', []],
  ['login', ['openid', ENTRA]],
  ['check', []],
])('npm run %s', (name, args) => {
  test('refuses a mistaken name in the environment', () => {
    const { status, stdout, stderr } = runTool(name, args, MISTAKEN);
    expect([status, stdout, stderr]).toEqual([2, '', REFUSED]);
  });

  test('refuses a mistaken name in the file of the stage', () => {
    const { stage, env } = stageWith('SAML_HANDLER_MODUL=handlers/staff-group');
    const { status, stdout, stderr } = runTool(name, [...args, '--stage', stage], env);
    const problem = `.env.${stage}: SAML_HANDLER_MODUL is not a setting; the nearest is SAML_HANDLER_MODULE\n`;
    expect([status, stdout, stderr]).toEqual([2, '', problem]);
  });
});

const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
test.each([
  ['verify', ['openidLoggedIn']],
  ['login', ['openid', ENTRA, '--verbose']],
  ['check', [ENTRA]],
])('npm run %s refuses the signing secret in the place of its name, and shows it nowhere', (name, args) => {
  const { status, stdout, stderr } = runTool(name, args, { SIGNING_SECRET_ID: `whsec_${KEY}` });
  expect([status, stdout + stderr]).toEqual([
    1,
    expect.stringContaining('SIGNING_SECRET_ID: expected the name or ARN of a secret, not the secret itself'),
  ]);
  expect(stdout + stderr).not.toContain(KEY);
});

test('npm start refuses a mistaken name in the environment', () => {
  const { status, stdout, stderr } = runTool('start', [], MISTAKEN);
  expect([status, stdout, stderr]).toEqual([2, '', REFUSED]);
});

test('serverless package tells of a .env that it does not read', async () => {
  const parent = mkdtempSync(join(PROJECT, '.build-test-'));
  folders.push(parent);
  const folder = writeService(parent, { useDotenv: true });
  writeFileSync(join(folder, '.env'), 'SECRETS_FILE=secrets.json\n');
  writeFileSync(join(folder, '.env.dev'), '');
  const cli = join(PROJECT, 'node_modules', 'serverless', 'bin', 'serverless.js');
  const env = { HOME: process.env.HOME, PATH: pathWithoutBuild(parent) };
  const { status, stderr } = spawnSync(process.execPath, [cli, 'package'], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  const line = '.env is not read, because .env.dev exists. Not in force: SECRETS_FILE';
  expect([status, stderr.split('\n').filter((one) => one.startsWith('.env'))]).toEqual([0, [line]]);
});

describe('npm run verify', () => {
  const ISSUERS =
    '{"https://a.example": {"audiences": ["client"]}, "https://b.example": {"audiences": ["c"]}}';
  const OPENID = 'openidLoggedIn: handler default, callers iam, ID token check off';
  const SAML = 'samlLoggedIn: handler default, callers iam, assertion check off';

  test.each<[string[], Record<string, string>, string[]]>([
    [[], {}, [OPENID, SAML]],
    [['samlLoggedIn'], {}, [SAML]],
    [
      ['campus:samlLoggedIn', '--sources='],
      {},
      ['campus: handler default, callers iam, assertion check off'],
    ],
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
  ])('%j says what is in force with %j', (args, env, lines) => {
    const { status, stdout, stderr } = runTool('verify', args, env);
    expect([status, stdout, stderr]).toEqual([0, lines.map((line) => `${line}\n`).join(''), '']);
  });

  test('reads the file of the stage, and expands it', () => {
    const { stage, env } = stageWith('NAME=staff-group\nSAML_HANDLER_MODULE=handlers/$NAME');
    const { stdout } = runTool('verify', ['--stage', stage, 'samlLoggedIn'], env);
    expect(stdout).toContain('handler handlers/staff-group,');
  });

  const REFUSAL = 'samlLoggedIn would respond to every login with an error:\n';
  test.each([
    [
      { RESPONSE_NAMES: 'x', CLOCK_SKEW_SECONDS: '-1' },
      `  environment: RESPONSE_NAMES: expected snake_case or camelCase
  environment: CLOCK_SKEW_SECONDS: expected a whole number from 0 to 600
`,
    ],
    [
      { SAML_HANDLER_MODULE: 'handlers/staf-group' },
      '  environment: SAML_HANDLER_MODULE: there is no handler handlers/staf-group; the nearest is handlers/staff-group\n',
    ],
    [
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      '  environment: NODE_TLS_REJECT_UNAUTHORIZED: expected to be unset, because it trusts every certificate; NODE_EXTRA_CA_CERTS names an authority of your own\n',
    ],
    [
      { CALLER_CHECK: 'signature' },
      '  .env.dev: SIGNING_SECRET_ID: expected the name or ARN of a secret, because CALLER_CHECK is signature\n',
    ],
  ])('says in a sentence what is wrong with %j', (env, sentences) => {
    const { status, stderr } = runTool('verify', ['samlLoggedIn'], env as Record<string, string>);
    expect([status, stderr]).toEqual([1, REFUSAL + sentences]);
  });

  test('says what a deployment would be refused for, and which variables it does not pass', () => {
    const { stage, env } = stageWith(
      'MONITORING=yes\nLOG_RETENTION_DAYS=30\nCAPACITY_MEMORY_MB=2048\nDIRECTORY_URL=https://a.example',
    );
    const { status, stdout, stderr } = runTool('verify', ['samlLoggedIn', '--stage', stage], {
      ...env,
      THROTTLING_RATE: 'fast',
    });
    expect([status, stdout, stderr]).toEqual([
      1,
      `${SAML}\n`,
      `.env.${stage}: not passed to the functions on AWS: DIRECTORY_URL. If a handler reads them, list them below provider.environment in serverless.yml, e.g. DIRECTORY_URL: \${env:DIRECTORY_URL, null}
a deployment would be refused:
  .env.${stage}: MONITORING: expected on or off
  environment: THROTTLING_RATE: expected a whole number above 0
  .env.${stage}: CAPACITY_MEMORY_MB: expected CAPACITY_PROVIDER_ARN to be set too
`,
    ]);
  });

  test('refuses to package what is for this machine alone', () => {
    const env = { OPENID_ISSUERS: '{"http://localhost:8080": {"audiences": ["a"]}}' };
    expect(runTool('verify', ['openidLoggedIn'], env).status).toBe(0);
    const { status, stderr } = runTool('verify', ['openidLoggedIn', '--sources=OPENID_ISSUERS=.env'], env);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^ {2}\.env: OPENID_ISSUERS\.http:.*: expected .*; Lambda refuses http on localhost, .*$/m,
      ),
    ]);
  });

  test('starts a function as on Lambda, where code comes from the package and from layers alone', () => {
    const env = { AWS_LAMBDA_EXEC_WRAPPER: '/tmp/wrapper' };
    expect(runTool('verify', ['openidLoggedIn'], env).status).toBe(0);
    const { status, stderr } = runTool('verify', ['openidLoggedIn', '--sources='], env);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(
        'environment: AWS_LAMBDA_EXEC_WRAPPER: expected only files of layers, below /opt/',
      ),
    ]);
  });

  test('says which file a mistake is in', () => {
    const { stage, env } = stageWith('NAME=x\nRESPONSE_NAMES=$NAME');
    const refused = (file: string) =>
      `${REFUSAL}  ${file}: RESPONSE_NAMES: expected snake_case or camelCase\n`;
    const args = ['samlLoggedIn', '--stage', stage];
    expect(runTool('verify', args, env).stderr).toBe(refused(`.env.${stage}`));
    expect(runTool('verify', args, { ...env, RESPONSE_NAMES: 'y' }).stderr).toBe(refused('environment'));
    const sources = '--sources=RESPONSE_NAMES=serverless.yml';
    expect(runTool('verify', ['samlLoggedIn', sources], { RESPONSE_NAMES: 'y' }).stderr).toBe(
      refused('serverless.yml'),
    );
  });

  test('says in a sentence that a handler throws while it loads, and where', async () => {
    const module = await customHandler("throw new Error('no such table')");
    const { status, stderr } = runTool('verify', ['samlLoggedIn'], { SAML_HANDLER_MODULE: module });
    expect(status).toBe(1);
    const thrown = `${REFUSAL}  environment: SAML_HANDLER_MODULE: ${module} threw while loading:\n    Error: no such table\n`;
    expect(stderr.startsWith(thrown)).toBe(true);
    // The line of the handler, and no frame of Node or of the function.
    expect(stderr.slice(thrown.length)).toMatch(/^ +at file:.*:1:7\n$/);
  });

  test('calls no handler', async () => {
    const module = await customHandler('export default () => process.exit(3);');
    const { status, stderr } = runTool('verify', ['samlLoggedIn'], { SAML_HANDLER_MODULE: module });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('npm run verify -- --try', () => {
  const SAMPLE = 'samlLoggedIn: events/samlLoggedIn/service-form.json → ';

  test.each([
    ["{ type: 'ForbiddenResponse' }", 0, 'ForbiddenResponse (forbidden)'],
    ["{ type: 'ErrorResponse' }", 0, 'ErrorResponse (error)'],
    ["{ type: 'AuthorizedUserResponse' }", 1, 'failed: answer_invalid'],
    ['undefined', 1, 'failed: answer_invalid'],
    ["(() => { throw new Error('x'); })()", 1, 'failed: handler_threw'],
    ['new Promise(() => {})', 1, 'failed: handler_timed_out'],
    ['process.exit(3)', 1, 'failed: crash: the process of samlLoggedIn ended (exit code 3)'],
  ])('of a handler that gives %s', async (answer, code, told) => {
    const module = await customHandler(`export default () => (${answer});`);
    const env = { SAML_HANDLER_MODULE: module, HANDLER_TIMEOUT_MS: '200' };
    const { status, stdout, stderr } = runTool('verify', ['--try', 'samlLoggedIn'], env);
    const [line] = code === 0 ? stdout.trim().split('\n').slice(-1) : stderr.split('\n');
    expect([status, line]).toEqual([code, SAMPLE + told]);
  });

  test('leaves out the checks, which no sample passes', () => {
    const { status, stdout } = runTool('verify', ['--try'], {
      SAML_HANDLER_MODULE: 'handlers/edugain-federation',
      SAML_ASSERTION_CHECK: 'on',
      SAML_ISSUERS: '{"urn:idp": {"audiences": ["a"], "recipients": ["b"]}}',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('assertion check on, issuers urn:idp\n');
    const untried = "  the handler does not list the sample's issuer, so nothing else of it was tried; ";
    const login = 'npm run login -- saml <event.json> --stage dev tries an event of your own';
    expect(stdout).toContain(`${SAMPLE}ForbiddenResponse (issuer_not_listed)\n${untried}${login}\n`);
    expect(stdout).toContain('openidLoggedIn: no handler of your own to try\n');
  });
});
