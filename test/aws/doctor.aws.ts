/** What the doctor says of a stage in AWS as moto plays it: what somebody changed by hand. */
import {
  APIGatewayClient,
  CreateRestApiCommand,
  GetResourcesCommand,
  PutMethodCommand,
} from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2Client, CreateApiCommand, CreateRouteCommand } from '@aws-sdk/client-apigatewayv2';
import {
  AddPermissionCommand,
  CreateFunctionUrlConfigCommand,
  DeleteFunctionUrlConfigCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  RemovePermissionCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { awsFindings } from '../../tools/doctor/aws.ts';
import { Aws } from '../../tools/doctor/awsRequests.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { runCommand } from '../support/commands.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';
import { awsEnvironment, clientConfig, REGION } from './machine/aws.ts';
import { DEPLOY_TIMEOUT_MS, deploy } from './machine/deployment.ts';
import { DOCTOR, emptyAws, environmentWith, lacking, type Policy, withoutIam } from './machine/policies.ts';

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
  Object.assign(process.env, awsEnvironment(), SETTINGS, BUILT);
  deploy({ ...SETTINGS, ...BUILT });
  await secrets.send(new CreateSecretCommand({ Name: SECRET, SecretString: 'x' }));
  const { Environment } = await functions.send(new GetFunctionConfigurationCommand({ FunctionName }));
  variables = Environment?.Variables ?? {};
}, DEPLOY_TIMEOUT_MS);
afterAll(emptyAws);

const examine = async (stage = 'dev') => {
  const findings = await awsFindings(new Aws(REGION), new Stage(stage), Date.now());
  return findings.map(({ code, subject }) => `${code} ${subject}`);
};

test('a stage as it was deployed has nothing', async () => {
  expect(await examine()).toEqual([]);
});

test('a stage that is not deployed has no functions', async () => {
  expect(await examine('prod')).toEqual([
    'function_missing login-hooks-prod-openidLoggedIn',
    'function_missing login-hooks-prod-samlLoggedIn',
  ]);
});

type Act = () => Promise<unknown>;
const configure = (change: object) => () =>
  functions.send(new UpdateFunctionConfigurationCommand({ FunctionName, ...change }));
const setVariables = (changes: object) => () =>
  configure({ Environment: { Variables: { ...variables, ...changes } } })();
const restore = () => {
  const Environment = { Variables: variables };
  return configure({ Environment, Handler: 'dist/functions/samlLoggedIn.handler', Runtime: 'nodejs24.x' })();
};
const StatementId = 'by-hand';
const permit = (more: object) => () => {
  const statement = { StatementId, Action: 'lambda:InvokeFunction', Principal: '210987654321', ...more };
  return functions.send(new AddPermissionCommand({ FunctionName, ...statement }));
};
const forbid = () => functions.send(new RemovePermissionCommand({ FunctionName, StatementId }));
const addUrl = () => functions.send(new CreateFunctionUrlConfigCommand({ FunctionName, AuthType: 'NONE' }));
const removeUrl = () => functions.send(new DeleteFunctionUrlConfigCommand({ FunctionName }));
const permitApi = (id = '') => {
  const SourceArn = `arn:aws:execute-api:${REGION}:123456789012:${id}/*`;
  return permit({ Principal: 'apigateway.amazonaws.com', SourceArn })();
};
const permitHttpApi = async () => {
  const apis = new ApiGatewayV2Client(clientConfig());
  const { ApiId } = await apis.send(new CreateApiCommand({ Name: 'logins', ProtocolType: 'HTTP' }));
  await apis.send(new CreateRouteCommand({ ApiId, RouteKey: 'POST /saml', AuthorizationType: 'NONE' }));
  return permitApi(ApiId);
};
const permitRestApi = (authorizationType: 'NONE' | 'AWS_IAM') => async () => {
  const apis = new APIGatewayClient(clientConfig());
  const { id: restApiId } = await apis.send(new CreateRestApiCommand({ name: 'logins' }));
  const { items: [root] = [] } = await apis.send(new GetResourcesCommand({ restApiId }));
  const method = { restApiId, resourceId: root?.id, httpMethod: 'POST', authorizationType };
  await apis.send(new PutMethodCommand(method));
  return permitApi(restApiId);
};

test.each<[title: string, change: Act, found: string | null, cure: Act]>([
  ['a check that is switched off', setVariables({ SAML_ASSERTION_CHECK: 'off' }), 'settings_differ', restore],
  ['other code', setVariables({ CODE_VERSION: 'other' }), 'code_differs', restore],
  ['another handler', configure({ Handler: 'own.handler' }), 'handler_differs', restore],
  ['a runtime without updates', configure({ Runtime: 'nodejs20.x' }), 'runtime_ends', restore],
  ['another account that may call', permit({}), null, forbid],
  ['anybody may call', permit({ Principal: '*' }), 'permission_open', forbid],
  ['a service may call', permit({ Principal: 's3.amazonaws.com' }), 'permission_open', forbid],
  ['any API may call', permit({ Principal: 'apigateway.amazonaws.com' }), 'permission_open', forbid],
  ['an HTTP API with an open route may call', permitHttpApi, 'route_open', forbid],
  ['a REST API with an open method may call', permitRestApi('NONE'), 'route_open', forbid],
  ['a REST API with a guarded method may call', permitRestApi('AWS_IAM'), null, forbid],
  ['an open URL', addUrl, 'function_url_open', removeUrl],
])('%s is found, and gone after its cure', async (_, change, found, cure) => {
  await change();
  expect(await examine()).toEqual(found === null ? [] : [`${found} ${FunctionName}`]);
  await cure();
  expect(await examine()).toEqual([]);
});

test('a secret that is to be deleted is found', async () => {
  await secrets.send(new DeleteSecretCommand({ SecretId: SECRET }));
  expect(await examine()).toEqual([`secret_missing ${SECRET}`]);
  await secrets.send(new RestoreSecretCommand({ SecretId: SECRET }));
  expect(await examine()).toEqual([]);
});

describe('the command', () => {
  afterEach(withoutIam);
  const run = async (settings: Record<string, string>) => {
    const env = commandEnvironment({ ...awsEnvironment(), ...BUILT, ...SETTINGS, ...settings });
    const args = ['tools/cli/bin.cjs', 'doctor', '--only', 'aws', '--json'];
    const { status, stdout } = await runCommand(args, { env }).end(0);
    return { status, findings: JSON.parse(stdout) };
  };
  const runWith = async (policy: Policy) => run(await environmentWith(policy));

  test('needs no other right than those of the policy in the guide', async () => {
    expect(await runWith(DOCTOR)).toEqual({ status: 0, findings: [] });
  });

  test.each(lacking(DOCTOR))('says which rights it lacks without %s', async (_, rest, actions) => {
    const { status, findings } = await runWith(rest);
    expect(status).toBe(2);
    const named = findings.map(({ message }: { message: string }) => /allow (\S+)/.exec(message)?.[1]);
    expect(actions).toEqual(expect.arrayContaining([...new Set(named)]));
  });

  test('where AWS cannot be reached, it says so once', async () => {
    const { status, findings } = await run({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
    expect([status, findings]).toMatchObject([2, [{ code: 'inconclusive', subject: 'AWS' }]]);
  });
});
