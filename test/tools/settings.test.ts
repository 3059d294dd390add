/** Settings on the way from `.env` to a function: none is lost because of its name. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { bringSettings, limitRoutes } from '../../tools/deploy/bringSettings.ts';
import { loginFunctions, type Service } from '../../tools/deploy/service.ts';
import { readConfiguration } from '../../tools/shared/configuration.ts';
import { readSettings } from '../../tools/shared/dotenv.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { ALL_SETTINGS, mistake } from '../../tools/shared/settingNames.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const loadDotenvOfServerless = createRequire(import.meta.url)('serverless/lib/cli/load-dotenv.js');
const { listed: LISTED } = readConfiguration(join(PROJECT, 'serverless.yml'));

const parent = temporaryFolder();

/** A folder with files by name. */
function folderWith(contents: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(parent, 'settings-'));
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  return folder;
}

describe('of a stage are brought to a service', () => {
  const serviceOf = (environment?: Record<string, unknown>, fn: object = {}): Service => ({
    provider: { ...(environment && { environment }) },
    functions: { samlLoggedIn: { name: 'saml', ...fn } },
    custom: {},
  });
  const bringing = (env: Record<string, string>, service = serviceOf(), stage = 'dev', saml = 'default') => {
    const folder = folderWith({
      'serverless.yml': `custom: {loginHooks: {saml: ${saml}}}\n`,
      '.env.own': 'NODE_EXTRA_CA_CERTS=own.pem\nSECRET_IDS=\\\\$A\n',
      'own.pem': 'x',
      '.env.lost': 'NODE_EXTRA_CA_CERTS=lost.pem\n',
    });
    const configuration = readConfiguration(join(folder, 'serverless.yml'));
    const settings = readSettings({ folder, stage, configuration, env });
    return { ...bringSettings(service, settings, { env, configuration, folder, stage }), service };
  };
  const brought = (...given: Parameters<typeof bringing>) => {
    const { problems, service } = bringing(...given);
    expect(problems).toEqual([]);
    return service;
  };

  test('those that are set, an empty one too, and no other variable', () => {
    const SECRETS_FILE = 'secrets.json';
    const given = SETTING_NAMES.filter((name) => name !== 'SECRETS_FILE').map((name) => [name, 'x']);
    const all = { ...Object.fromEntries(given), OPENID_HANDLER_MODULE: '' };
    const { provider } = brought({ ...all, SECRETS_FILE, DIRECTORY_URL: 'https://a.example' });
    expect(provider.environment).toEqual(all);
  });

  test.each(['$A', '\\$A'])('%s as serverless has read it, whatever the file has in its place', (value) => {
    const { provider } = brought({ SECRET_IDS: value }, serviceOf(), 'own');
    expect(provider.environment?.SECRET_IDS).toBe(value);
  });

  test('what the service has stays, and what it sets to nothing is left out', () => {
    const service = serviceOf({ RESPONSE_NAMES: 'snake_case', MAX_BODY_BYTES: null, OWN: 'x', OTHER: null });
    const { provider } = brought({ RESPONSE_NAMES: 'camelCase', MAX_BODY_BYTES: '1' }, service);
    expect(provider.environment).toEqual({ RESPONSE_NAMES: 'snake_case', OWN: 'x' });
  });

  test.each([
    [undefined, 'handlers/a', 'handlers/a', []],
    ['handlers/b', 'handlers/a', 'handlers/b', ['handlers/b takes the place of handlers/a']],
    ['handlers/a', 'handlers/a', 'handlers/a', []],
    [undefined, 'default', undefined, []],
  ])('a handler: %s over %s', (set, module, expected, told) => {
    const env: Record<string, string> = set === undefined ? {} : { SAML_HANDLER_MODULE: set };
    const { service, notes } = bringing(env, serviceOf(), 'dev', module);
    expect(service.provider.environment?.SAML_HANDLER_MODULE).toBe(expected);
    expect(notes).toEqual(told.map((one) => `samlLoggedIn: environment: ${one} in serverless.yml`));
  });

  test('a handler stays where the function itself sets it to nothing', () => {
    const service = serviceOf({}, { environment: { SAML_HANDLER_MODULE: null } });
    bringing({}, service, 'dev', 'handlers/a');
    expect(loginFunctions(service)).toMatchObject([{ settings: { SAML_HANDLER_MODULE: 'handlers/a' } }]);
  });

  test.each([
    ['own', 'own.pem', [], ['own.pem']],
    ['lost', 'lost.pem', ['NODE_EXTRA_CA_CERTS: expected a file below the folder of the project'], []],
    ['dev', undefined, [], []],
  ])(
    'the certificates of the stage %s and not of the machine, which are packaged',
    (stage, file, told, packaged) => {
      const service: Service = { ...serviceOf(), package: { patterns: [] } };
      const { problems } = bringing({ NODE_EXTRA_CA_CERTS: '/etc/ssl/proxy.pem' }, service, stage);
      expect(service.provider.environment?.NODE_EXTRA_CA_CERTS).toBe(file);
      expect(problems).toEqual(told.map((text) => expect.stringContaining(text)));
      expect(service.package?.patterns).toEqual(packaged);
    },
  );

  test.each([
    ['dev', 'off', 7],
    ['prod', 'on', 90],
    ['constructor', 'on', 30],
  ])('%s has monitoring %s and logs for %i days where nothing is set', (stage, monitoring, days) => {
    const { custom, provider } = brought({}, serviceOf(), stage);
    expect(custom?.monitoring).toBe(monitoring);
    expect(provider).toEqual({ environment: {}, logRetentionInDays: days });
  });

  test('those of a deployment are where serverless and its plugin read them, as numbers where they are', () => {
    const ALARM_TOPIC_ARN = 'arn:aws:sns:eu-central-1:123456789012:a';
    const { custom, functions } = brought({ ALARM_TOPIC_ARN, RESERVED_CONCURRENCY: '0', MONITORING: 'on' });
    expect(custom).toEqual({ monitoring: 'on', alarmTopicArn: ALARM_TOPIC_ARN });
    expect(functions.samlLoggedIn).toMatchObject({ reservedConcurrency: 0 });
  });

  test('what the service has of a deployment stays, and may be filled in by CloudFormation', () => {
    const service = serviceOf({}, { provisionedConcurrency: 3 });
    service.custom = { monitoring: 'off', alarmTopicArn: { Ref: 'Topic' } };
    brought({ MONITORING: 'on', ALARM_TOPIC_ARN: 'x', PROVISIONED_CONCURRENCY: '5' }, service);
    expect(service.custom).toMatchObject({ monitoring: 'off', alarmTopicArn: { Ref: 'Topic' } });
    expect(service.functions.samlLoggedIn).toMatchObject({ provisionedConcurrency: 3 });
  });

  test.each<[object, object]>([
    [{ DetailedMetricsEnabled: true }, { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 8 }],
    [{ ThrottlingRateLimit: 5 }, { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 8 }],
    // What CloudFormation fills in stays as it is.
    [{ 'Fn::If': ['IsBusy', { ThrottlingRateLimit: 5 }, {}] }, {}],
  ])('requests to an HTTP API with %j are limited to %j', (DefaultRouteSettings, limits) => {
    const HttpApiStage = { Type: 'AWS::ApiGatewayV2::Stage', Properties: { DefaultRouteSettings } };
    const { provider, ...service } = serviceOf();
    const template = { Resources: { HttpApiStage } };
    const packaged = {
      ...service,
      service: 'a',
      provider: { ...provider, compiledCloudFormationTemplate: template },
    };
    limitRoutes(packaged, bringing({ THROTTLING_BURST: '8' }).routes);
    expect(HttpApiStage.Properties.DefaultRouteSettings).toEqual({ ...DefaultRouteSettings, ...limits });
  });

  test.each<[string, Record<string, string>, object]>([
    ['MONITORING', {}, { monitoring: { Ref: 'Monitoring' } }],
    ['ALARM_TOPIC_ARN', { ALARM_TOPIC_ARN: '' }, {}],
    ['PROVISIONED_CONCURRENCY', { PROVISIONED_CONCURRENCY: '3', RESERVED_CONCURRENCY: '2' }, {}],
  ])('%s is refused: %j and custom: %j', (name, env, custom) => {
    const { problems } = bringing(env, { ...serviceOf(), custom });
    expect(problems).toEqual([expect.stringMatching(`^${name}: expected `)]);
  });

  test.each([0, true, 'x'])('%j is verified as the text that Lambda makes of it', (value) => {
    const service = serviceOf({ HANDLER_TIMEOUT_MS: value });
    expect(loginFunctions(service)).toMatchObject([{ settings: { HANDLER_TIMEOUT_MS: String(value) } }]);
  });
});

describe('a name', () => {
  const problemOf = (name: string, nearest: string) => `${name} is not a setting; the nearest is ${nearest}`;

  test.each([
    ['oidc-handler-module', 'OPENID_HANDLER_MODULE'],
    ['TOKEN_CHECK', 'OPENID_TOKEN_CHECK'],
    ['CLOCK_SCEW_SECOND', 'CLOCK_SKEW_SECONDS'],
  ])('%s is none of an operator’s own, listed or not: it is a mistaken %s', (name, nearest) => {
    const problem = problemOf(name, nearest);
    expect([mistake(name, LISTED), mistake(name, [...LISTED, name])]).toEqual([problem, problem]);
  });

  test.each([
    ['HANDLER_TIMEOUT_SECONDS', 'HANDLER_TIMEOUT_MS'],
    ['clock_skew', 'CLOCK_SKEW_SECONDS'],
    ['THROTTLING_LIMIT', 'THROTTLING_BURST'],
  ])('%s may be an operator’s own where it is listed, and is else a mistaken %s', (name, nearest) => {
    const told = `${problemOf(name, nearest)}. A variable of your own must be listed below environment`;
    expect(mistake(name, LISTED)).toContain(told);
    expect(mistake(name, [...LISTED, name])).toBeNull();
  });

  test.each([
    ...[...ALL_SETTINGS, 'AWS_REGION', 'AWS_PROFILE', 'HTTPS_PROXY', 'DIRECTORY_URL', 'ENTRA_SECRET_ID'],
    ...['ACCESS_TOKEN', 'CALLER', 'HANDLER', 'HANDLER_URL', 'ISSUERS', 'LOG_LEVEL', 'MAX_GROUPS'],
    ...['RETENTION_DAYS', 'TIMEOUT_MS', 'PATH'],
  ])('%s is no mistake', (name) => {
    expect(mistake(name, LISTED)).toBeNull();
  });
});

describe('a file of settings', () => {
  const filesIn = (folder: string, env: NodeJS.ProcessEnv = {}) => ({
    ...{ folder, stage: 'prod', configuration: readConfiguration(join(folder, 'serverless.yml')), env },
  });
  const YML = readFileSync(join(PROJECT, 'serverless.yml'));
  const check = (contents: Record<string, string | Buffer>, env: Record<string, string> = {}) =>
    readSettings(filesIn(folderWith({ 'serverless.yml': YML, ...contents }), env)).problems;

  test.each<[string, string | Buffer, string[]]>([
    ['has a name without =', 'SAML_HANDLER_MODULE x', ['expected SAML_HANDLER_MODULE=']],
    ['has a name with blanks', 'MESSAGE LANGUAGE=x', ['expected MESSAGE_LANGUAGE=']],
    [
      'has a $ that is no variable',
      `OPENID_ISSUERS='https://a/ab$defgh'\nA=\${NONE}\nB="x$NONE"`,
      ['OPENID_ISSUERS: a $ begins', 'A: a $ begins', 'B: a $ begins'],
    ],
    ['has another $', `A=1\nB=$A\${C:-d}\${C-d}\${C:+d}$PLACE\nC=x\\$yz\nD=a$1$$\nE=$C`, []],
    ['speaks of a setting', '# SAML_HANDLER_MODULE x\nA="SAML_HANDLER_MODULE x"', []],
    ['has a value of several lines', 'OPENID_ISSUERS=\'{\n  "https://a": {}\n}\'', []],
    ['begins with a mark of its form', '\ufeffSAML_HANDLER_MODUL=x', ['SAML_HANDLER_MODUL']],
    ['is in UTF-16', Buffer.from('\ufeffA=x', 'utf16le'), ['expected a file of UTF-8 text']],
  ])('%s', (_, text, expected) => {
    const problems = check({ '.env.prod': text }, { PLACE: '/' });
    expect(problems).toEqual(expected.map((one) => expect.stringContaining(`.env.prod: ${one}`)));
    expect(problems.join()).not.toMatch(/=x|https/);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ '.env': 'OPENID_X=1' }, ['.env: OPENID_X', 'environment: SAML_X']],
    [{ '.env': 'OPENID_X=1', '.env.prod': '' }, ['environment: SAML_X']],
  ])('is told from others and from the environment: %j', (contents, expected) => {
    const problems = check(contents, { SAML_X: '2' });
    expect(problems.map((problem) => problem.split(' is not')[0])).toEqual(expected);
  });

  test.each<[string, string, Record<string, string>, boolean]>([
    ['has an empty file', 'live', { '.env.live': '' }, true],
    ['begins as is listed', 'pr-12', {}, true],
    ['has none of its own', 'production', { '.env.live': '', '.env': 'SAML_HANDLER_MODULE=x' }, false],
    ['differs in case', 'Live', { '.env.live': '' }, false],
  ])('of a stage that %s: %s', (_, stage, contents, isThere) => {
    const yml = `custom: {loginHooks: {openid: default, stages: [prod, pr-*]}}\nparams: {default: {}, test: {}}\n`;
    const folder = folderWith({ 'serverless.yml': yml, ...contents });
    const { problems } = readSettings({ ...filesIn(folder), stage });
    const there = 'dev or live or pr-* or prod or test';
    const problem = `there is no stage ${stage}: expected ${there}. For another one, make .env.${stage}`;
    expect(problems).toEqual(isThere ? [] : [expect.stringContaining(problem)]);
  });

  test.each<[string, string]>([
    ['DIRECTORY_URL=x\nAWS_PROFILE=y\nDIRECTORY_ISSUER=z', 'DIRECTORY_URL, DIRECTORY_ISSUER'],
    ['SAML_HANDLER_MODULE=x\nMONITORING=on\nSECRETS_FILE=x\nLISTED=x\nWRITTEN_OUT=y\nOF_FUNCTION=z', ''],
    ['AWS_REGION=x\nNODE_EXTRA_CA_CERTS=y\nHTTPS_PROXY=z\nSLS_DEBUG=1\nCI=1', ''],
    [`HOST=x\nPORT=1\nLISTED=$HOST:\${PORT}`, ''],
  ])('has variables that no function gets: %j → %s', (text, names) => {
    const own = `    LISTED: \${env:LISTED, null}\n    WRITTEN_OUT: x\n`;
    const yml = String(YML).replace('provider:\n', (provider) => `${provider}  environment:\n${own}`);
    const folder = folderWith({
      'serverless.yml': `${yml}functions: {samlLoggedIn: {environment: {OF_FUNCTION: x}}}\n`,
      '.env.prod': text,
    });
    expect(readSettings(filesIn(folder)).notes).toEqual(
      names === ''
        ? []
        : [expect.stringContaining(`.env.prod: not passed to the functions on AWS: ${names}. `)],
    );
  });

  test('takes the place of .env, and it is said what is not in force then', () => {
    const text = 'OPENID_TOKEN_CHECK=on\nCALLER_CHECK=signature\nMONITORING=on\nOWN=x\n';
    const folder = folderWith({ '.env': text, '.env.prod': 'MONITORING=off\n' });
    expect(readSettings(filesIn(folder, { CALLER_CHECK: 'iam' })).notes).toEqual([
      '.env is not read, because .env.prod exists. Not in force: OPENID_TOKEN_CHECK',
    ]);
  });

  test('is not read where serverless reads none, and it is said what is not in force then', () => {
    const folder = folderWith({ '.env.prod': 'OPENID_TOKEN_CHECK=on\n' });
    const { env, problems, notes } = readSettings({ ...filesIn(folder), hasDotenv: false });
    expect({ env, problems }).toEqual({ env: {}, problems: [] });
    expect(notes).toEqual([
      '.env.prod is not read, because serverless.yml has no useDotenv: true. Not in force: OPENID_TOKEN_CHECK',
    ]);
  });

  test('takes the place of .env, which may then be a folder', () => {
    const folder = folderWith({ '.env.prod': 'MONITORING=off\n' });
    mkdirSync(join(folder, '.env'));
    expect(readSettings(filesIn(folder))).toMatchObject({
      env: { MONITORING: 'off' },
      problems: [],
      notes: [],
    });
  });

  test.each<[string, Record<string, string>]>([
    [`A=1\nB=\${A}2\nC=$B`, {}],
    ['A="x # y"  # z\nB=\'$A\'\nC=\\$A', {}],
    ['export A=1\nB: 2\nC=', {}],
    [`A=\${B:-3}$C\nC="l1\\nl2"`, {}],
    [`A=1\nB=\${A}\nC=3`, { A: 'set', C: '' }],
  ])('is read as serverless reads it: %j beside %j', (text, env) => {
    const folder = folderWith({ '.env.prod': text, '.env': 'A=not read' });
    const { cwd } = process;
    const before = { ...process.env };
    Object.assign(process.env, env);
    process.cwd = () => folder;
    try {
      const read = readSettings(filesIn(folder, process.env)).env;
      expect(process.env).toEqual({ ...before, ...env });
      loadDotenvOfServerless('prod');
      expect(read).toEqual({ ...process.env });
    } finally {
      process.cwd = cwd;
      for (const name of ['A', 'B', 'C']) delete process.env[name];
    }
  });
});

describe('a stage', () => {
  const stageIn = (files: Record<string, string>, env: Record<string, string> = {}) => {
    const folder = folderWith(files);
    return { folder, stage: new Stage('prod', { LOGIN_HOOKS_ENV_FOLDER: folder, ...env }) };
  };

  test.each([
    ['SAML_HANDLER_MODULE=handlers/x', 'handlers/x', 'handlers/x (.env.prod)'],
    ['SAML_HANDLER_MODULE=default', undefined, 'the default handler (.env.prod)'],
    ['', undefined, 'the default handler (serverless.yml)'],
  ])('with %j says what answers, and where that is said', (text, handler, told) => {
    const { stage } = stageIn({ '.env.prod': text });
    expect([stage.handlerOf('samlLoggedIn'), stage.answeringOf('samlLoggedIn')]).toEqual([handler, told]);
  });

  test('has what is set and what its file adds, and changes nothing of this process', () => {
    const before = { ...process.env };
    const files = { '.env.prod': 'SAML_HANDLER_MODULE=x\nRESPONSE_NAMES=y' };
    const { stage } = stageIn(files, { RESPONSE_NAMES: 'z' });
    expect([stage.handlerOf('samlLoggedIn'), stage.env.RESPONSE_NAMES]).toEqual(['x', 'z']);
    const sources = ['SAML_HANDLER_MODULE', 'RESPONSE_NAMES'].map(stage.sourceOf);
    expect(sources).toEqual(['.env.prod', 'environment']);
    expect(process.env).toEqual(before);
  });

  test('has the certificates that its file names, whatever the machine has for its own network', () => {
    const OF_MACHINE = { NODE_EXTRA_CA_CERTS: '/etc/ssl/machine.pem' };
    expect(() => stageIn({ '.env.prod': 'NODE_EXTRA_CA_CERTS=none.pem' }, OF_MACHINE)).toThrow(
      '.env.prod: NODE_EXTRA_CA_CERTS does not exist: none.pem',
    );
  });

  test('has a level of logs that there is', () => {
    expect(() => stageIn({ '.env.prod': 'AWS_LAMBDA_LOG_LEVEL=debug' })).not.toThrow();
    expect(() => stageIn({ '.env.prod': 'AWS_LAMBDA_LOG_LEVEL=DEBUGG' })).toThrow(
      '.env.prod: AWS_LAMBDA_LOG_LEVEL: expected TRACE, DEBUG, INFO, WARN, ERROR or FATAL',
    );
  });

  test('follows its file, and stays as it is where that cannot be used', () => {
    const { folder, stage } = stageIn({ '.env.prod': 'SAML_HANDLER_MODULE=x\nMAX_BODY_BYTES=1' });
    writeFileSync(join(folder, '.env.prod'), 'SAML_HANDLER_MODULE=y');
    stage.refresh();
    expect([stage.handlerOf('samlLoggedIn'), stage.env.MAX_BODY_BYTES]).toEqual(['y', undefined]);
    writeFileSync(join(folder, '.env.prod'), 'SAML_HANDLER_MODUL=z');
    expect(() => stage.refresh()).toThrow('.env.prod: SAML_HANDLER_MODUL is not a setting');
    expect(stage.handlerOf('samlLoggedIn')).toBe('y');
  });
});
