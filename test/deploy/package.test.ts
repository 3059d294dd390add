/** What `serverless package` makes: the template and the zip that a deployment sends. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { commandEnvironment } from '../support/environment.ts';
import { linkedProject } from '../support/linkedProject.ts';
import { type CommandResult, runCommands, type ServerlessCommand } from '../support/serverlessCommands.ts';
import { resourcesIn, templateIn } from '../support/template.ts';
import { namesIn } from '../support/zip.ts';

const MAX_ZIP_BYTES = 250 * 1024;
const ALL_MS = 300_000;

const project = linkedProject();
/** Builds a bundle of its own. */
const operatorsProject = linkedProject(['handlers', 'tools']);
const commands: ServerlessCommand[] = [];
let results: CommandResult[];
beforeAll(async () => {
  results = await runCommands(project, commands);
}, ALL_MS);

/** Adds a command to those that run together before the tests; gives its result to a test. */
function serverless(args: string[], settings: Record<string, string> = {}): () => CommandResult {
  const index = commands.push({ args, settings }) - 1;
  return () => results[index] as CommandResult;
}

/** `serverless package` into a folder of its own. */
function serverlessPackage(settings: Record<string, string>, more: string[] = []) {
  const output = mkdtempSync(join(project, 'package-'));
  const result = serverless(['package', '--package', output, ...more], settings);
  return { output, result };
}

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:b-AbCdEf';

/** What the functions may do, without what Serverless gives every function for its logs. */
function statementsOf(roles: Record<string, unknown>[]) {
  const policies = roles.flatMap(
    ({ Policies }) => Policies as { PolicyDocument: { Statement: { Action: string[] }[] } }[],
  );
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  return statements.filter(({ Action }) => !Action.every((action) => action.startsWith('logs:')));
}

/** The properties of a package's resources, by their type. */
function packaged(settings: Record<string, string>, stage = 'dev') {
  const { output, result } = serverlessPackage(settings, ['--stage', stage]);
  return (type: string) => {
    const { status, stdout, stderr } = result();
    if (status !== 0) throw new Error(stdout + stderr);
    return resourcesIn(templateIn(output), type);
  };
}

/** As an operator packages: a process of `serverless`, which has `npm` build the bundle. */
function packagedByOperator(settings: Record<string, string>): string {
  const output = mkdtempSync(join(operatorsProject, 'package-'));
  const file = join(PROJECT, 'node_modules', 'serverless', 'bin', 'serverless.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, 'package', '--package', output], {
    cwd: operatorsProject,
    encoding: 'utf8',
    env: commandEnvironment(settings),
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return output;
}

const secretNamed = (name: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${name}-??????`,
});

describe('a package', () => {
  let output: string;
  const ofType = (type: string) => resourcesIn(templateIn(output), type);
  const Variables = {
    OPENID_HANDLER_MODULE: 'handlers/email-domain',
    SECRET_IDS: `login-hooks/a, ${ARN}`,
    SIGNING_SECRET_ID: 'login-hooks/not-used',
  };
  beforeAll(() => {
    output = packagedByOperator({ ...Variables, SECRETS_FILE: 'secrets.json' });
  });

  test('has both functions, on Node 24 and arm64, with JSON logs and the settings that are set', () => {
    const common = { Runtime: 'nodejs24.x', Architectures: ['arm64'], LoggingConfig: { LogFormat: 'JSON' } };
    const CODE_VERSION = expect.stringMatching(/^[0-9a-f]{16}$/);
    const Environment = { Variables: { ...Variables, CODE_VERSION } };
    expect(ofType('AWS::Lambda::Function')).toEqual([
      expect.objectContaining({ ...common, Environment, Handler: 'dist/functions/openidLoggedIn.handler' }),
      expect.objectContaining({ ...common, Environment, Handler: 'dist/functions/samlLoggedIn.handler' }),
    ]);
  });

  test('has routes that IAM closes, and no other way in', () => {
    expect(ofType('AWS::ApiGatewayV2::Route')).toEqual([
      expect.objectContaining({ RouteKey: 'POST /openid', AuthorizationType: 'AWS_IAM' }),
      expect.objectContaining({ RouteKey: 'POST /saml', AuthorizationType: 'AWS_IAM' }),
    ]);
    expect(ofType('AWS::Lambda::Url')).toEqual([]);
  });

  test('may read the secrets that are listed or in use, and do nothing else', () => {
    const Resource = [secretNamed('login-hooks/a'), ARN];
    expect(statementsOf(ofType('AWS::IAM::Role'))).toEqual([
      { Effect: 'Allow', Action: ['secretsmanager:GetSecretValue'], Resource },
    ]);
  });

  test('keeps logs for a limited time, and costs nothing that is not used', () => {
    expect(ofType('AWS::Logs::LogGroup')).toHaveLength(2);
    for (const group of ofType('AWS::Logs::LogGroup')) expect(group.RetentionInDays).toBe(7);
    expect([...ofType('AWS::CloudWatch::Alarm'), ...ofType('AWS::Logs::MetricFilter')]).toEqual([]);
    expect(ofType('AWS::Lambda::Alias')).toEqual([]);
  });

  test('limits the rate of requests', () => {
    const DefaultRouteSettings = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 };
    expect(ofType('AWS::ApiGatewayV2::Stage')).toEqual([expect.objectContaining({ DefaultRouteSettings })]);
  });

  test('holds the bundle, the licences of its libraries, and nothing else', () => {
    const zip = readFileSync(join(output, 'login-hooks.zip'));
    const names = namesIn(zip);
    expect(names).toContain('dist/functions/openidLoggedIn.mjs');
    expect(names).toContain('dist/THIRD_PARTY_LICENSES.txt');
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
  expect(stdout).toBe(
    "ServerlessError: login-hooks needs Node 24, and this is 22.9.0: run npx serverless, which uses the project's own Node\n",
  );
});

const withoutSettings = packaged({});
test('without a list, no secret may be read', () => {
  expect(statementsOf(withoutSettings('AWS::IAM::Role'))).toEqual([]);
});

describe('the stage prod', () => {
  const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';
  const ofType = packaged(
    { ALARM_TOPIC_ARN: TOPIC, RESERVED_CONCURRENCY: '5', PROVISIONED_CONCURRENCY: '2' },
    'prod',
  );

  test('has settings of its own', () => {
    for (const group of ofType('AWS::Logs::LogGroup')) expect(group.RetentionInDays).toBe(90);
    for (const fn of ofType('AWS::Lambda::Function')) expect(fn.ReservedConcurrentExecutions).toBe(5);
    expect(ofType('AWS::Lambda::Alias')).toHaveLength(2);
    for (const alias of ofType('AWS::Lambda::Alias')) {
      expect(alias.ProvisionedConcurrencyConfig).toEqual({ ProvisionedConcurrentExecutions: 2 });
    }
  });

  test('counts logins, and raises four alarms for each function', () => {
    expect(ofType('AWS::Logs::MetricFilter')).toHaveLength(2 * 5);
    const alarms = ofType('AWS::CloudWatch::Alarm');
    const names = ['openidLoggedIn', 'samlLoggedIn'].flatMap((name) =>
      ['errors', 'refusals', 'throttles', 'slow'].map((kind) => `login-hooks-prod-${name}-${kind}`),
    );
    expect(alarms.map(({ AlarmName }) => AlarmName)).toEqual(names);
    for (const { AlarmActions } of alarms) expect(AlarmActions).toEqual([TOPIC]);
  });
});

test.each(
  [
    [['deploy', 'function', '-f', 'openidLoggedIn'], 'expected serverless deploy: this has no template'],
    [
      ['rollback', 'function', '-f', 'openidLoggedIn', '--function-version', '1'],
      'expected serverless rollback: this has no template',
    ],
  ].map(([args, problem]) => ({ args, problem, result: serverless(args as string[]) })),
)('$args is refused', ({ problem, result }) => {
  const { status, stdout, stderr } = result();
  expect([status, stdout + stderr]).toEqual([1, expect.stringContaining(problem as string)]);
});

const SIGNATURE = { CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'login-hooks/signing' };
const bySignature = packaged(SIGNATURE);
test('where callers are checked by their signature, the routes are open and the functions have the secret', () => {
  for (const route of bySignature('AWS::ApiGatewayV2::Route'))
    expect(route).not.toHaveProperty('AuthorizationType');
  for (const fn of bySignature('AWS::Lambda::Function'))
    expect(fn.Environment).toMatchObject({ Variables: SIGNATURE });
  expect(statementsOf(bySignature('AWS::IAM::Role'))).toEqual([
    expect.objectContaining({ Resource: [secretNamed('login-hooks/signing')] }),
  ]);
});

const REFUSED: [Record<string, string>, string][] = [
  [
    { MONITORING: 'yes', THROTTLING_RATE: 'abc' },
    'environment: MONITORING: expected on or off\nenvironment: THROTTLING_RATE: expected a whole number from 1 to 999999999',
  ],
  [
    { OPENID_HANDLER_MODULE: 'handlers/emial-domain' },
    'there is no handler handlers/emial-domain; the nearest is handlers/email-domain',
  ],
  [{ OPENID_HANDLER_MODULE: 'handlers/\x9b2J' }, 'there is no handler handlers/\\u009b2J'],
  [{ SAML_HANDLER_MODULE: '' }, 'SAML_HANDLER_MODULE: expected the name of a module'],
  [{ SECRET_IDS: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:*' }, 'SECRET_IDS: expected'],
  [{ CALLER_CHECK: 'signature' }, 'SIGNING_SECRET_ID: expected the name or ARN of a secret'],
];
test.each(REFUSED.map(([settings, problem]) => ({ settings, problem, ...serverlessPackage(settings) })))(
  'is refused with $settings',
  ({ problem, result }) => {
    const { status, stdout, stderr } = result();
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain(problem);
  },
);

/** What `serverless package` says to a changed `serverless.yml`, and to a stage whose file has these settings. */
function packageChanged(
  replaced: string,
  by: string,
  settings: Record<string, string> = {},
  ofStage?: string,
) {
  const yml = readFileSync(join(PROJECT, 'serverless.yml'), 'utf8');
  if (!yml.includes(replaced)) throw new Error(`expected ${replaced} in serverless.yml`);
  const name = `changed-${commands.length}`;
  writeFileSync(
    join(project, `${name}.yml`),
    yml.replace(replaced, () => by),
  );
  if (ofStage === undefined) return serverlessPackage(settings, ['--config', `${name}.yml`]).result;
  writeFileSync(join(project, `.env.${name}`), ofStage);
  return serverlessPackage(settings, ['--config', `${name}.yml`, '--stage', name]).result;
}

/** The same, with these variables of all functions. */
const withEnvironment = (environment: string, settings?: Record<string, string>) =>
  packageChanged('  name: aws', `  name: aws\n  environment: {${environment}}`, settings);

const ONE_KIND = `service: logins
plugins:
  - ./tools/deploy/plugin.cjs
provider: {name: aws, region: eu-central-1}
custom: {monitoring: on, loginHooks: {saml: default}}
`;
writeFileSync(join(project, 'one.yml'), ONE_KIND);
const oneKind = serverlessPackage({}, ['--config', 'one.yml']);
test('of one kind without routes has no API, and few resources', () => {
  const { stderr, status } = oneKind.result();
  expect([status, stderr]).toEqual([0, expect.stringContaining('ALARM_TOPIC_ARN is not set: alarms are')]);
  const { Resources } = JSON.parse(templateIn(oneKind.output));
  expect(Object.keys(Resources)).toHaveLength(15);
  expect(resourcesIn(templateIn(oneKind.output), 'AWS::ApiGatewayV2::Api')).toEqual([]);
});

const unreached = serverlessPackage(SIGNATURE, ['--config', 'one.yml']).result;
test('is refused where nobody could send a signed request', () => {
  const { status, stdout, stderr } = unreached();
  expect([status, stdout + stderr]).toEqual([
    1,
    expect.stringContaining('environment: CALLER_CHECK: expected iam, or http: true below custom.loginHooks'),
  ]);
});

writeFileSync(join(project, 'own.pem'), 'x');
const withCertificates = packageChanged(
  'custom:',
  'package: {patterns: [own.pem]}\ncustom:\n  monitoring: off',
  {},
  'NODE_EXTRA_CA_CERTS=own.pem\n',
);
const withoutCertificates = packageChanged('custom:', 'custom:', {}, 'NODE_EXTRA_CA_CERTS=own.pem\n');
test('has the certificates that its stage names, or is refused', () => {
  expect(withCertificates()).toMatchObject({ status: 0 });
  const { status, stdout, stderr } = withoutCertificates();
  expect([status, stdout + stderr]).toEqual([
    1,
    expect.stringContaining(
      'openidLoggedIn: NODE_EXTRA_CA_CERTS: own.pem is not in the package: add it below package.patterns, or ',
    ),
  ]);
});

const FUNCTION = 'LambdaFunction: Environment.Variables: ';
const REFUSED_IN_YML = [
  ['HANDLER_TIMEOUT_MS: 0', '.yml: HANDLER_TIMEOUT_MS: expected a whole number'],
  ['OPENID_TOKEN_CHECK: true', '.yml: OPENID_TOKEN_CHECK: expected on or off'],
  ['SECRET_IDS: {Ref: Secret}', `OpenidLoggedIn${FUNCTION}SECRET_IDS: expected a text`],
  ['SAML_HANDLER_MODULE: {Ref: Module}', `SamlLoggedIn${FUNCTION}SAML_HANDLER_MODULE: expected a text`],
  ['NODE_TLS_REJECT_UNAUTHORIZED: 0', `OpenidLoggedIn${FUNCTION}NODE_TLS_REJECT_UNAUTHORIZED: expected`],
  ['NODE_OPTIONS: {Ref: Options}', `OpenidLoggedIn${FUNCTION}NODE_OPTIONS: expected a text`],
  ['SAML_HANDLER_MODUL: x', `SamlLoggedIn${FUNCTION}SAML_HANDLER_MODUL is not a setting`],
].map(([variable = '', problem = '']) => ({ variable, problem, result: withEnvironment(variable) }));
test.each(REFUSED_IN_YML)('is refused where serverless.yml has $variable', ({ problem, result }) => {
  const { status, stdout, stderr } = result();
  expect([status, stdout + stderr]).toEqual([1, expect.stringContaining(problem)]);
});

const withSetting = withEnvironment('RESPONSE_NAMES: snake_case', { RESPONSE_NAMES: 'PascalCase' });
test('what serverless.yml has is in force, whatever the variable of the environment is', () => {
  expect(withSetting()).toMatchObject({ status: 0 });
});

const inSaml = (environment: string, settings?: Record<string, string>) =>
  packageChanged('custom:', `functions: {samlLoggedIn: {environment: {${environment}}}}\ncustom:`, settings);
const withInspector = inSaml('NODE_OPTIONS: --enable-source-maps --inspect');
test('is refused where a function alone has an environment that opens it', () => {
  const { status, stdout, stderr } = withInspector();
  expect([status, stdout + stderr]).toEqual([
    1,
    expect.stringContaining(`SamlLoggedIn${FUNCTION}NODE_OPTIONS: expected --enable-source-maps, `),
  ]);
});

const withLayer = inSaml('NODE_OPTIONS: --import /opt/wrapper.mjs, AWS_LAMBDA_EXEC_WRAPPER: /opt/wrapper');
test('may load the files of layers, which are not on this machine', () => {
  expect(withLayer().status).toBe(0);
});

const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const withTheSecret = serverlessPackage({ CALLER_CHECK: 'signature', SIGNING_SECRET_ID: `whsec_${KEY}` });
test('is refused with the signing secret in the place of its name, and shows it nowhere', () => {
  const { status, stdout, stderr } = withTheSecret.result();
  expect([status, stdout + stderr]).toEqual([
    1,
    expect.stringContaining('environment: SIGNING_SECRET_ID: expected the name or ARN of a secret, not the'),
  ]);
  expect(stdout + stderr).not.toContain(KEY);
});

const withOwnVariables = withEnvironment(
  `SECRET_OF_MINE: x, SAML_DIRECTORY: "\${env:SAML_DIRECTORY, null}"`,
  {
    SAML_DIRECTORY: 'x',
  },
);
test('takes a variable of an operator’s own, whatever it is called', () => {
  expect(withOwnVariables().status).toBe(0);
});

const withTwoHandlers = inSaml('SAML_HANDLER_MODULE: handlers/staff-group', {
  OPENID_TOKEN_CHECK: 'on',
  OPENID_ISSUERS: '{"https://a.example": {"audiences": ["client"]}}',
});
test('says what is in force in each function, by its own settings', () => {
  const { status, stdout, stderr } = withTwoHandlers();
  expect(status).toBe(0);
  expect(stdout).toBe('');
  expect(stderr.match(/^\w+: handler [^;\n]*/gm)?.sort()).toEqual([
    'openidLoggedIn: handler default, callers iam, ID token check on, issuers https://a.example',
    'samlLoggedIn: handler handlers/staff-group, callers iam, assertion check off',
  ]);
});

/** What `serverless package` says to a stage whose file has these settings. */
function packageStage(settings: string) {
  const stage = `test-${commands.length}`;
  const file = `.env.${stage}`;
  writeFileSync(join(project, file), settings);
  return { file, result: serverlessPackage({}, ['--stage', stage]).result };
}

// Read for each stage without a file of its own.
writeFileSync(join(project, '.env'), 'SECRETS_FILE=secrets.json\n');
const ofStage = packageStage(
  'NAME=staff-group\nSAML_HANDLER_MODULE=handlers/$NAME\nDIRECTORY_URL=https://a.example',
);
const ofMistakenStage = packageStage('SAML_HANDLER_MODUL=handlers/staff-group');
test('takes settings from the file of the stage, and refuses a mistaken name in it', () => {
  const { stderr: told } = ofStage.result();
  expect(told).toContain('samlLoggedIn: handler handlers/staff-group,');
  expect(told).toContain(`.env is not read, because ${ofStage.file} exists. Not in force: SECRETS_FILE\n`);
  expect(told).toContain(`${ofStage.file}: not passed to the functions on AWS: DIRECTORY_URL. `);
  const { status, stdout, stderr } = ofMistakenStage.result();
  expect([status, stdout + stderr]).toEqual([
    1,
    expect.stringContaining(`${ofMistakenStage.file}: SAML_HANDLER_MODUL is not a setting`),
  ]);
});
