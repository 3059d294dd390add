/** What the doctor says of a stage in AWS as moto plays it: what somebody changed by hand is found, and gone after its cure. */
import { join } from 'node:path';
import { ApiGatewayV2Client, CreateApiCommand, CreateRouteCommand } from '@aws-sdk/client-apigatewayv2';
import {
  AddPermissionCommand,
  CreateFunctionUrlConfigCommand,
  DeleteFunctionConcurrencyCommand,
  DeleteFunctionUrlConfigCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  RemovePermissionCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { deployed } from '../../tools/doctor/deployed.ts';
import { doctorPolicy } from '../../tools/doctor/policy.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { awsEnvironment, clientConfig, REGION } from '../support/aws.ts';
import { runCommand } from '../support/commands.ts';
import { DEPLOY_TIMEOUT_MS, deploy } from '../support/deployment.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';
import { emptyAws, type Policy, sids, userWith, withIam, without, withoutIam } from '../support/iam.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const FunctionName = 'login-hooks-dev-samlLoggedIn';
const SECRET = 'login-hooks/doctor';
const SETTINGS = {
  SECRET_IDS: SECRET,
  SAML_ASSERTION_CHECK: 'on',
  SAML_ISSUERS: '{"urn:idp":{"audiences":["a"],"recipients":["https://b.example"]}}',
};

const functions = new LambdaClient(clientConfig());
const secrets = new SecretsManagerClient(clientConfig());
let variables: Record<string, string> = {};

beforeAll(async () => {
  Object.assign(process.env, awsEnvironment(), SETTINGS);
  deploy({ ...SETTINGS, ...BUILT });
  await makeSecret();
  const { Environment } = await functions.send(new GetFunctionConfigurationCommand({ FunctionName }));
  variables = Environment?.Variables ?? {};
}, DEPLOY_TIMEOUT_MS);
afterAll(emptyAws);

const examine = async (before = {}, stage = new Stage('dev')) => {
  const { findings, unasked, facts } = await deployed({ stage, nowMs: Date.now(), before });
  expect(unasked).toEqual([]);
  return { findings, codes: findings.map(({ code, subject }) => `${code} ${subject}`), facts };
};

test('a stage as it was deployed has nothing', async () => {
  const { findings, facts } = await examine();
  expect(findings).toEqual([]);
  expect(facts).toEqual({ secrets: { [SECRET]: expect.any(String) } });
});

test('a stage that is not deployed has no functions', async () => {
  const { codes } = await examine({}, new Stage('prod'));
  expect(codes).toEqual([
    'function_missing login-hooks-prod-openidLoggedIn',
    'function_missing login-hooks-prod-samlLoggedIn',
  ]);
});

type Act = () => Promise<unknown>;
const configure = (change: object) =>
  functions.send(new UpdateFunctionConfigurationCommand({ FunctionName, ...change }));
const setVariables = (Variables: Record<string, string>) => configure({ Environment: { Variables } });
const reserve = (ReservedConcurrentExecutions: number) =>
  functions.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
const makeSecret = () => secrets.send(new CreateSecretCommand({ Name: SECRET, SecretString: 'x' }));
const StatementId = 'by-hand';
const permit = (more: object) => {
  const statement = { StatementId, Action: 'lambda:InvokeFunction', Principal: '210987654321', ...more };
  return functions.send(new AddPermissionCommand({ FunctionName, ...statement }));
};
const forbid = () => functions.send(new RemovePermissionCommand({ FunctionName, StatementId }));
const permitApi = async (AuthorizationType: 'NONE' | 'AWS_IAM') => {
  const apis = new ApiGatewayV2Client(clientConfig());
  const { ApiId = '' } = await apis.send(new CreateApiCommand({ Name: 'logins', ProtocolType: 'HTTP' }));
  await apis.send(new CreateRouteCommand({ ApiId, RouteKey: 'POST /saml', AuthorizationType }));
  const SourceArn = `arn:aws:execute-api:${REGION}:123456789012:${ApiId}/*`;
  return permit({ Principal: 'apigateway.amazonaws.com', SourceArn });
};

test.each<[title: string, change: Act, found: string[], cure: Act]>([
  [
    'a check that is switched off',
    () => setVariables({ ...variables, SAML_ASSERTION_CHECK: 'off' }),
    ['settings_differ'],
    () => setVariables(variables),
  ],
  [
    'another handler',
    () => configure({ Handler: 'own.handler' }),
    ['handler_differs'],
    () => configure({ Handler: 'dist/functions/samlLoggedIn.handler' }),
  ],
  [
    'a runtime without updates',
    () => configure({ Runtime: 'nodejs20.x' }),
    ['runtime_deprecated'],
    () => configure({ Runtime: 'nodejs24.x' }),
  ],
  [
    'a function that is switched off',
    () => reserve(0),
    ['function_switched_off'],
    () => functions.send(new DeleteFunctionConcurrencyCommand({ FunctionName })),
  ],
  ['another account that may call', () => permit({}), [], forbid],
  ['anybody may call', () => permit({ Principal: '*' }), ['permission_open'], forbid],
  ['a service may call', () => permit({ Principal: 's3.amazonaws.com' }), ['permission_open'], forbid],
  ['an API with an open route may call', () => permitApi('NONE'), ['route_open'], forbid],
  ['an API with a guarded route may call', () => permitApi('AWS_IAM'), [], forbid],
  [
    'an open URL',
    () => functions.send(new CreateFunctionUrlConfigCommand({ FunctionName, AuthType: 'NONE' })),
    ['function_url_open'],
    () => functions.send(new DeleteFunctionUrlConfigCommand({ FunctionName })),
  ],
])('%s is found, and gone after its cure', async (_, change, found, cure) => {
  await change();
  expect((await examine()).codes).toEqual(found.map((code) => `${code} ${FunctionName}`));
  await cure();
  expect((await examine()).codes).toEqual([]);
});

test('a secret that is to be deleted is found, and another version of one is told once', async () => {
  await secrets.send(new DeleteSecretCommand({ SecretId: SECRET }));
  expect((await examine()).codes).toEqual([`secret_deleted ${SECRET}`]);
  await secrets.send(new RestoreSecretCommand({ SecretId: SECRET }));
  const { facts: before } = await examine();
  await secrets.send(new PutSecretValueCommand({ SecretId: SECRET, SecretString: 'y' }));
  const { codes, facts } = await examine(before);
  expect(codes).toEqual([`secret_changed ${SECRET}`]);
  expect((await examine(facts)).codes).toEqual([]);
});

describe('the command', () => {
  const folder = temporaryFolder();
  afterEach(withoutIam);

  const run = async (settings: Record<string, string>) => {
    const args = ['doctor', '--only', 'aws', '--json', '--facts', join(folder, 'facts.json')];
    const env = commandEnvironment({ ...awsEnvironment(), ...BUILT, ...SETTINGS, ...settings });
    const { status, stdout } = await runCommand(['tools/cli/bin.cjs', ...args], { env }).end(0);
    return { status, unasked: JSON.parse(stdout).unasked };
  };
  const runWith = async (policy: Policy) => {
    const { accessKeyId, secretAccessKey } = await userWith(policy);
    await withIam();
    return run({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  };
  const policy: Policy = doctorPolicy(new Stage('dev', SETTINGS));

  test('needs no other right than those of its policy', async () => {
    expect(await runWith(policy)).toEqual({ status: 0, unasked: [] });
  });

  test.each(sids(policy).filter((sid) => sid !== 'Routes'))(
    'says which rights it lacks without the statement %s',
    async (sid) => {
      const { Action } = policy.Statement.find(({ Sid }) => Sid === sid) ?? { Action: [] };
      const { status, unasked } = await runWith(without(policy, sid));
      expect(status).toBe(2);
      const lacking = unasked.map(({ message }: { message: string }) => /allow (\S+)/.exec(message)?.[1]);
      expect([Action].flat()).toEqual(expect.arrayContaining([...new Set(lacking)]));
    },
  );

  test('where AWS cannot be reached, it says so once', async () => {
    const { status, unasked } = await run({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
    expect(status).toBe(2);
    expect(unasked).toEqual([{ subject: 'AWS', message: expect.stringContaining('AWS cannot be reached') }]);
  });
});
