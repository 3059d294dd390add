/** What `serverless package` makes: the template and the zip that a deployment sends. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { linkedProject } from '../support/linkedProject.ts';
import { runCommands, type ServerlessCommand } from '../support/services.ts';
import { resourcesIn, templateIn } from '../support/template.ts';
import { namesIn } from '../support/zip.ts';

const MAX_ZIP_BYTES = 250 * 1024;
const ALL_MS = 300_000;

const project = linkedProject();
const commands: ServerlessCommand[] = [];
let results: [number, string][];
beforeAll(async () => {
  results = await runCommands(project, commands);
}, ALL_MS);

/** Adds a command to those that run together before the tests; gives its exit code and all that it tells to a test. */
function serverless(args: string[], settings: Record<string, string> = {}): () => [number, string] {
  const index = commands.push({ args, settings }) - 1;
  return () => results[index] as [number, string];
}

/** `serverless package` into a folder of its own. */
function serverlessPackage(settings: Record<string, string> = {}, more: string[] = []) {
  const output = mkdtempSync(join(project, 'package-'));
  const result = serverless(['package', '--package', output, ...more], settings);
  /** The properties of a type's resources. */
  const ofType = (type: string) => {
    const [status, told] = result();
    if (status !== 0) throw new Error(told);
    return resourcesIn(templateIn(output), type);
  };
  return { output, result, ofType };
}

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:b-AbCdEf';
const secretNamed = (name: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${name}-??????`,
});

/** What the functions may do. */
function statementsOf(roles: Record<string, unknown>[]) {
  const policies = roles.flatMap(
    ({ Policies }) =>
      Policies as { PolicyDocument: { Statement: { Action: string[]; Resource: object[] }[] } }[],
  );
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const isOfLogs = ({ Action }: { Action: string[] }) => Action.every((action) => action.startsWith('logs:'));
  return { logs: statements.filter(isOfLogs), others: statements.filter((one) => !isOfLogs(one)) };
}

describe('a package, as an operator makes it in a process of its own', () => {
  // Builds a bundle of its own.
  const folder = linkedProject(['handlers', 'tools']);
  const output = mkdtempSync(join(folder, 'package-'));
  const ofType = (type: string) => resourcesIn(templateIn(output), type);
  const Variables = {
    OPENID_HANDLER_MODULE: 'handlers/email-domain',
    SECRET_IDS: `login-hooks/a, ${ARN}`,
    SIGNING_SECRET_ID: 'login-hooks/not-used',
  };
  beforeAll(async () => {
    const file = join(PROJECT, 'node_modules', 'serverless', 'bin', 'serverless.js');
    const env = commandEnvironment({ ...Variables, SECRETS_FILE: 'secrets.json' });
    const command = runCommand([file, 'package', '--package', output], { cwd: folder, env });
    expect(await command.end(0)).toMatchObject({ status: 0 });
  });

  test('has both functions, on Node 24 and arm64, with JSON logs, their build and the settings that are set', () => {
    const CODE_VERSION = expect.stringMatching(/^[0-9a-f]{16}$/);
    const common = {
      ...{ Runtime: 'nodejs24.x', Architectures: ['arm64'], LoggingConfig: { LogFormat: 'JSON' } },
      Environment: { Variables: { ...Variables, CODE_VERSION } },
    };
    expect(ofType('AWS::Lambda::Function')).toEqual([
      expect.objectContaining({ ...common, Handler: 'dist/functions/openidLoggedIn.handler' }),
      expect.objectContaining({ ...common, Handler: 'dist/functions/samlLoggedIn.handler' }),
    ]);
  });

  test('has routes that IAM closes, a limited rate and a log of callers, and no other way in', () => {
    expect(ofType('AWS::ApiGatewayV2::Route')).toEqual([
      expect.objectContaining({ RouteKey: 'POST /openid', AuthorizationType: 'AWS_IAM' }),
      expect.objectContaining({ RouteKey: 'POST /saml', AuthorizationType: 'AWS_IAM' }),
    ]);
    expect(ofType('AWS::ApiGatewayV2::Stage')).toMatchObject([
      {
        DefaultRouteSettings: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
        AccessLogSettings: { DestinationArn: { 'Fn::GetAtt': ['HttpApiLogGroup', 'Arn'] } },
      },
    ]);
    expect(ofType('AWS::Lambda::Url')).toEqual([]);
  });

  test('may read the secrets that are listed or in use and write its own logs, and do nothing else', () => {
    const { logs, others } = statementsOf(ofType('AWS::IAM::Role'));
    const Resource = [secretNamed('login-hooks/a'), ARN];
    expect(others).toEqual([{ Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource }]);
    const groups = ['openidLoggedIn', 'samlLoggedIn'].map((name) => ({
      'Fn::Sub': expect.stringMatching(`:log-group:/aws/lambda/login-hooks-dev-${name}:\\*$`),
    }));
    for (const { Resource } of logs) expect(Resource).toEqual(groups);
  });

  test('keeps logs for a limited time, and costs nothing that is not used', () => {
    expect(ofType('AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays)).toEqual([7, 7, 7]);
    const { Resources } = JSON.parse(templateIn(output));
    expect(Resources.SamlLoggedInLogGroup).not.toHaveProperty('DeletionPolicy');
    for (const type of ['CloudWatch::Alarm', 'Logs::MetricFilter', 'Lambda::Alias'])
      expect(ofType(`AWS::${type}`)).toEqual([]);
  });

  test('holds the bundle, the licences of its libraries, and nothing else', () => {
    const zip = readFileSync(join(output, 'login-hooks.zip'));
    const names = namesIn(zip);
    expect(names).toContain('dist/functions/openidLoggedIn.mjs');
    const isBundle = (name: string) => /^dist\/(chunks|functions|handlers)\/[\w-]+\.mjs$/.test(name);
    expect(names.filter((name) => !isBundle(name))).toEqual(['dist/THIRD_PARTY_LICENSES.txt']);
    expect(zip.length).toBeLessThan(MAX_ZIP_BYTES);
  });
});

test('under an older Node, one sentence says which is needed', () => {
  const plugin = join(PROJECT, 'tools', 'deploy', 'plugin.cjs');
  const older = `Object.defineProperty(process, 'versions', { value: { node: '22.9.0' } });
    try { require(${JSON.stringify(plugin)}); } catch ({ name, message }) { console.log(name + ': ' + message); }`;
  const { stdout } = spawnSync(process.execPath, ['-e', older], { encoding: 'utf8' });
  // By this name, `serverless` shows no stack.
  expect(stdout).toMatch(/^ServerlessError: login-hooks needs Node 24, and this is 22\.9\.0: .*\n$/);
});

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';
const PROD = { ALARM_TOPIC_ARN: TOPIC, RESERVED_CONCURRENCY: '5', PROVISIONED_CONCURRENCY: '2' };
const prod = serverlessPackage(PROD, ['--stage', 'prod']);
test('the stage prod has settings of its own, logs that stay, and four alarms for each function', () => {
  const { ofType } = prod;
  for (const fn of ofType('AWS::Lambda::Function')) expect(fn.ReservedConcurrentExecutions).toBe(5);
  const aliases = ofType('AWS::Lambda::Alias').map(({ ProvisionedConcurrencyConfig: one }) => one);
  expect(aliases).toEqual(Array(2).fill({ ProvisionedConcurrentExecutions: 2 }));
  const { SamlLoggedInLogGroup } = JSON.parse(templateIn(prod.output)).Resources;
  const kept = { DeletionPolicy: 'Retain', Properties: { RetentionInDays: 90 } };
  expect(SamlLoggedInLogGroup).toMatchObject(kept);
  const alarms = ofType('AWS::CloudWatch::Alarm');
  expect(alarms).toHaveLength(2 * 4);
  for (const { AlarmActions, OKActions } of alarms)
    expect([AlarmActions, OKActions]).toEqual([[TOPIC], [TOPIC]]);
});

const SIGNATURE = { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'login-hooks/signing' };
const bySignature = serverlessPackage(SIGNATURE);
test('where callers are checked by their signature, the routes are open and the functions have the secret', () => {
  for (const route of bySignature.ofType('AWS::ApiGatewayV2::Route'))
    expect(route).not.toHaveProperty('AuthorizationType');
  expect(statementsOf(bySignature.ofType('AWS::IAM::Role')).others).toEqual([
    expect.objectContaining({ Resource: [secretNamed('login-hooks/signing')] }),
  ]);
});

/** `serverless package` of a service of its own, for a stage whose file has these settings. */
function packageService(parts: object, settings: Record<string, string> = {}, ofStage = '') {
  const name = `service-${commands.length}`;
  const service = {
    service: 'logins',
    plugins: ['./tools/deploy/plugin.cjs'],
    provider: { name: 'aws', region: 'eu-central-1' },
    custom: { loginHooks: { openid: 'default', saml: 'default', http: true } },
    ...parts,
  };
  writeFileSync(join(project, `${name}.json`), JSON.stringify(service));
  writeFileSync(join(project, `.env.${name}`), ofStage);
  return serverlessPackage(settings, ['--config', `${name}.json`, '--stage', name]);
}
/** With these variables of one function. */
const inSaml = (environment: object, settings?: Record<string, string>) =>
  packageService({ functions: { samlLoggedIn: { environment } } }, settings).result;

const ONE_KIND = { custom: { monitoring: 'on', loginHooks: { saml: 'default' } } };
const oneKind = packageService(ONE_KIND);
test('of one kind without routes has no API, no secret, and few resources', () => {
  expect(oneKind.result()).toEqual([0, expect.stringContaining('ALARM_TOPIC_ARN is not set: alarms are')]);
  const { Resources } = JSON.parse(templateIn(oneKind.output));
  expect(Object.keys(Resources)).toHaveLength(15);
  expect(oneKind.ofType('AWS::ApiGatewayV2::Api')).toEqual([]);
  expect(statementsOf(oneKind.ofType('AWS::IAM::Role')).others).toEqual([]);
});

const deployFunction = serverless(['deploy', 'function', '-f', 'openidLoggedIn']);
const rollBack = ['rollback', 'function', '-f', 'openidLoggedIn', '--function-version', '1'];
const invokeLocal = serverless(['invoke', 'local', '-f', 'openidLoggedIn', '-d', '{}']);
const unusable = serverlessPackage({ MONITORING: 'yes', THROTTLING_RATE: 'abc' }).result;
const UNUSABLE =
  'environment: MONITORING: expected on or off\nenvironment: THROTTLING_RATE: expected a whole number';
const UNROUTED = 'environment: CALLER_CHECK: expected iam, or http: true below custom.loginHooks';
const hidden = serverlessPackage({ OPENID_HANDLER_MODULE: 'handlers/\x9b2J' }).result;
const SECRET = 'environment: SIGNING_SECRET_ID: expected the name or ARN of a secret, not the';
const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const withKey = serverlessPackage({ ...SIGNATURE, SIGNING_SECRET_ID: `whsec_${KEY}` }).result;
test.each([
  ['a function only', 'expected serverless deploy: this has no template', deployFunction],
  ['a function back', 'expected serverless rollback: this has no template', serverless(rollBack)],
  ['an invocation here', 'expected npx login-hooks login <openid|saml> <event.json>', invokeLocal],
  ['unusable settings of a deployment', UNUSABLE, unusable],
  ['control characters', 'there is no handler handlers/\\u009b2J', hidden],
  ['a secret in the place of its name', SECRET, withKey],
  ['signed requests without a route', UNROUTED, packageService(ONE_KIND, SIGNATURE).result],
])('refuses %s', (_, problem, result) => {
  const [status, told] = result();
  expect([status, told]).toEqual([1, expect.stringContaining(problem)]);
  expect(told).not.toContain(KEY);
});

const signedOne = inSaml(SIGNATURE);
const unread = packageService({}, {}, 'SAML_HANDLER_MODUL=handlers/staff-group\n').result;
test.each([
  ['signed requests to one function, while the other keeps its guarded route', signedOne],
  ['a mistake in a file that serverless does not read', unread],
])('accepts %s', (_, result) => {
  expect(result()).toEqual([0, expect.any(String)]);
});

const withTwoHandlers = inSaml(
  { SAML_HANDLER_MODULE: 'handlers/staff-group' },
  {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: '{"https://a.example": {"audiences": ["client"]}}',
  },
);
test('says what is in force in each function, by its own settings', () => {
  const [, told] = withTwoHandlers();
  expect(told.match(/^\w+: handler [^;\n]*/gm)?.sort()).toEqual([
    'openidLoggedIn: handler default, callers iam, ID token check on, issuers https://a.example',
    'samlLoggedIn: handler handlers/staff-group, callers iam, assertion check off',
  ]);
});

// Read for each stage without a file of its own.
writeFileSync(join(project, '.env'), 'SECRETS_FILE=secrets.json\n');
const OF_STAGE = 'NAME=staff-group\nSAML_HANDLER_MODULE=handlers/$NAME\nDIRECTORY_URL=https://a.example';
const ofStage = packageService({ useDotenv: true }, {}, OF_STAGE);
test('takes settings from the file of the stage', () => {
  const [, told] = ofStage.result();
  expect(told).toContain('samlLoggedIn: handler handlers/staff-group,');
  expect(told).toMatch(/\.env\.service-\d+: not passed to the functions on AWS: DIRECTORY_URL\. /);
});
