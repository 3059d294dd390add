/** What the doctor says of a stage in AWS as moto plays it: what somebody changed by hand is found, and gone after its cure. */
import { join } from 'node:path';
import { APIGatewayClient, CreateRestApiCommand, PutMethodCommand } from '@aws-sdk/client-api-gateway';
import {
  ApiGatewayV2Client,
  CreateApiCommand,
  CreateRouteCommand,
  DeleteRouteCommand,
  UpdateRouteCommand,
} from '@aws-sdk/client-apigatewayv2';
import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DisableAlarmActionsCommand,
  EnableAlarmActionsCommand,
  PutMetricAlarmCommand,
  type PutMetricAlarmInput,
  PutMetricDataCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  DeleteLogGroupCommand,
  PutRetentionPolicyCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  AddPermissionCommand,
  CreateAliasCommand,
  CreateEventSourceMappingCommand,
  CreateFunctionUrlConfigCommand,
  DeleteAliasCommand,
  DeleteEventSourceMappingCommand,
  DeleteFunctionConcurrencyCommand,
  DeleteFunctionEventInvokeConfigCommand,
  DeleteFunctionUrlConfigCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  PublishLayerVersionCommand,
  PutFunctionConcurrencyCommand,
  PutFunctionEventInvokeConfigCommand,
  RemovePermissionCommand,
  UpdateFunctionCodeCommand,
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
import { Aws } from '../../tools/doctor/aws.ts';
import { deployed } from '../../tools/doctor/deployed.ts';
import { doctorPolicy } from '../../tools/doctor/policy.ts';
import { routes } from '../../tools/doctor/routes.ts';
import { deployedStack, type LoginFunction, Stack } from '../../tools/doctor/stack.ts';
import { waysIn } from '../../tools/doctor/waysIn.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { ask, awsEnvironment, clientConfig, REGION } from '../support/aws.ts';
import { runCommand } from '../support/commands.ts';
import { deployedFunction, deployedResources } from '../support/deployed.ts';
import { DEPLOY_TIMEOUT_MS, deploy } from '../support/deployment.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';
import { emptyAws, type Policy, sids, userWith, withIam, without, withoutIam } from '../support/iam.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const STACK = 'login-hooks-dev';
const FunctionName = `${STACK}-samlLoggedIn`;
const LOG_GROUP = `/aws/lambda/${FunctionName}`;
const ALARM = `${FunctionName}-errors`;
const SECRET = 'login-hooks/doctor';
const TOPIC = `arn:aws:sns:${REGION}:123456789012:logins`;
const SETTINGS = {
  MONITORING: 'on',
  ALARM_TOPIC_ARN: TOPIC,
  SECRET_IDS: SECRET,
  SAML_ASSERTION_CHECK: 'on',
  SAML_ISSUERS: '{"urn:idp":{"audiences":["a"],"recipients":["https://b.example"]}}',
};

const functions = new LambdaClient(clientConfig());
const metrics = new CloudWatchClient(clientConfig());
const logs = new CloudWatchLogsClient(clientConfig());
const secrets = new SecretsManagerClient(clientConfig());
const apis = new ApiGatewayV2Client(clientConfig());

const sns = (Action: string, parameters: Record<string, string>) =>
  ask('sns', '/', {
    method: 'POST',
    body: new URLSearchParams({ Action, Version: '2010-03-31', ...parameters }),
  });

/** moto leaves them out of stacks. */
const alarmsOfTemplate = async () =>
  (await deployedResources('AWS::CloudWatch::Alarm')).map(
    ({ Properties }) => Properties as unknown as PutMetricAlarmInput,
  );
const putAlarm = async (name: string) =>
  metrics.send(
    new PutMetricAlarmCommand(
      (await alarmsOfTemplate()).find(({ AlarmName }) => AlarmName === name) as PutMetricAlarmInput,
    ),
  );

let variables: Record<string, string> = {};

beforeAll(async () => {
  Object.assign(process.env, awsEnvironment(), BUILT, SETTINGS);
  deploy({ ...SETTINGS, ...BUILT });
  await makeTopic();
  await makeSecret();
  for (const { AlarmName = '' } of await alarmsOfTemplate()) await putAlarm(AlarmName);
  const { Environment } = await functions.send(new GetFunctionConfigurationCommand({ FunctionName }));
  variables = Environment?.Variables ?? {};
}, DEPLOY_TIMEOUT_MS);
afterAll(emptyAws);

/** moto has no API in stacks. */
const WITHOUT_API = 'api_missing HttpApi';

const patient = (before = {}) => ({ stage: new Stage('dev'), nowMs: Date.now(), before });
const examine = async (before = {}) => {
  const { findings, unasked, facts } = await deployed(patient(before));
  expect(unasked).toEqual([]);
  const all = findings.map(({ code, subject }) => `${code} ${subject}`);
  return { findings, codes: all.filter((one) => one !== WITHOUT_API), facts };
};

test(
  'a stage as it was deployed has nothing',
  async () => {
    const { findings, facts } = await examine();
    expect(findings.map(({ code, subject }) => `${code} ${subject}`)).toEqual([WITHOUT_API]);
    expect(facts).toEqual({ secrets: { [SECRET]: expect.any(String) } });
  },
  DEPLOY_TIMEOUT_MS,
);

type Act = () => Promise<unknown>;
/** Each code with what it is about is found once. The cure is what the finding says to do. */
type Case = [title: string, change: Act, found: string[], cure: Act];

const configure = (change: object) =>
  functions.send(new UpdateFunctionConfigurationCommand({ FunctionName, ...change }));
const setVariables = (Variables: Record<string, string>) => configure({ Environment: { Variables } });
const reserve = (ReservedConcurrentExecutions: number) =>
  functions.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
const unreserve = () => functions.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
const setAlarm = (StateValue: 'ALARM' | 'OK') =>
  metrics.send(new SetAlarmStateCommand({ AlarmName: ALARM, StateValue, StateReason: 'x' }));
const keepLogs = (retentionInDays: number) =>
  logs.send(new PutRetentionPolicyCommand({ logGroupName: LOG_GROUP, retentionInDays }));
const makeSecret = () => secrets.send(new CreateSecretCommand({ Name: SECRET, SecretString: 'x' }));
const makeTopic = async () => {
  await sns('CreateTopic', { Name: 'logins' });
  await sns('Subscribe', { TopicArn: TOPIC, Protocol: 'email', Endpoint: 'a@example.org' });
};

const StatementId = 'by-hand';
const permit = (more: object = {}) => {
  const statement = { StatementId, Action: 'lambda:InvokeFunction', Principal: '210987654321', ...more };
  return functions.send(new AddPermissionCommand({ FunctionName, ...statement }));
};
const forbid = () => functions.send(new RemovePermissionCommand({ FunctionName, StatementId }));
const QUEUE = `arn:aws:sqs:${REGION}:123456789012:queue`;
let UUID: string | undefined;

/** What cannot be at the same time stands in different rounds. */
const ROUNDS: Case[][] = [
  [
    [
      'a check that is switched off',
      () => setVariables({ ...variables, SAML_ASSERTION_CHECK: 'off' }),
      [`settings_edited ${FunctionName}`],
      () => setVariables(variables),
    ],
    [
      'another time-out',
      () => configure({ Timeout: 3 }),
      [`configuration_edited ${FunctionName}`],
      () => configure({ Timeout: 20 }),
    ],
    [
      'a function that is switched off',
      () => reserve(0),
      [`function_switched_off ${FunctionName}`],
      unreserve,
    ],
    ['another account that may call', () => permit(), [`permission_added ${FunctionName}`], forbid],
    [
      'a URL',
      () => functions.send(new CreateFunctionUrlConfigCommand({ FunctionName, AuthType: 'NONE' })),
      [`function_url_added ${FunctionName}`],
      () => functions.send(new DeleteFunctionUrlConfigCommand({ FunctionName })),
    ],
    [
      'an alias',
      () => functions.send(new CreateAliasCommand({ FunctionName, Name: 'live', FunctionVersion: '1' })),
      [`alias_added ${FunctionName}`],
      () => functions.send(new DeleteAliasCommand({ FunctionName, Name: 'live' })),
    ],
    [
      'a destination of events',
      () => {
        const DestinationConfig = { OnSuccess: { Destination: QUEUE } };
        return functions.send(new PutFunctionEventInvokeConfigCommand({ FunctionName, DestinationConfig }));
      },
      [`destination_added ${FunctionName}`],
      () => functions.send(new DeleteFunctionEventInvokeConfigCommand({ FunctionName })),
    ],
    [
      'a source of events',
      async () => {
        const query = { Action: 'CreateQueue', Version: '2012-11-05', QueueName: 'queue' };
        await ask('sqs', '/', { method: 'POST', body: new URLSearchParams(query) });
        const source = { FunctionName, EventSourceArn: QUEUE };
        ({ UUID } = await functions.send(new CreateEventSourceMappingCommand(source)));
      },
      [`event_source_added ${FunctionName}`],
      () => functions.send(new DeleteEventSourceMappingCommand({ UUID })),
    ],
    [
      'an alarm that is gone',
      () => metrics.send(new DeleteAlarmsCommand({ AlarmNames: [ALARM] })),
      [`alarm_missing ${ALARM}`],
      () => putAlarm(ALARM),
    ],
    [
      'a topic that is gone',
      () => sns('DeleteTopic', { TopicArn: TOPIC }),
      [`topic_missing ${TOPIC}`],
      makeTopic,
    ],
    [
      'logs that are kept for another time',
      () => keepLogs(1),
      [`log_retention_edited ${LOG_GROUP}`],
      () => keepLogs(7),
    ],
    [
      'a secret that is to be deleted',
      () => secrets.send(new DeleteSecretCommand({ SecretId: SECRET })),
      [`secret_deleted ${SECRET}`],
      () => secrets.send(new RestoreSecretCommand({ SecretId: SECRET })),
    ],
  ],
  [
    [
      'a variable of nobody',
      () => setVariables({ ...variables, NODE_OPTIONS: '--require /opt/x.cjs' }),
      [`settings_edited ${FunctionName}`],
      () => setVariables(variables),
    ],
    [
      'a runtime without updates',
      () => configure({ Runtime: 'nodejs20.x' }),
      [`configuration_edited ${FunctionName}`, `runtime_deprecated ${FunctionName}`],
      () => configure({ Runtime: 'nodejs24.x' }),
    ],
    ['a reserved concurrency of nobody', () => reserve(1), [`concurrency_edited ${FunctionName}`], unreserve],
    [
      'an alarm without actions',
      () => metrics.send(new DisableAlarmActionsCommand({ AlarmNames: [ALARM] })),
      [`alarm_muted ${ALARM}`],
      () => metrics.send(new EnableAlarmActionsCommand({ AlarmNames: [ALARM] })),
    ],
    ['an alarm that is raised', () => setAlarm('ALARM'), [`alarm_raised ${ALARM}`], () => setAlarm('OK')],
    [
      'a log group that is gone',
      () => logs.send(new DeleteLogGroupCommand({ logGroupName: LOG_GROUP })),
      [`log_group_missing ${LOG_GROUP}`],
      async () => {
        await logs.send(new CreateLogGroupCommand({ logGroupName: LOG_GROUP }));
        await keepLogs(7);
      },
    ],
    [
      'a secret that is gone',
      () => secrets.send(new DeleteSecretCommand({ SecretId: SECRET, ForceDeleteWithoutRecovery: true })),
      [`secret_missing ${SECRET}`],
      makeSecret,
    ],
  ],
];

test.each(ROUNDS.map((cases) => [cases.map(([title]) => title).join(', '), cases] as const))(
  'found, each once, and gone after its cure: %s',
  async (_, cases) => {
    for (const [, change] of cases) await change();
    expect((await examine()).codes.toSorted()).toEqual(cases.flatMap(([, , found]) => found).toSorted());
    for (const [, , , cure] of cases) await cure();
    expect((await examine()).codes).toEqual([]);
  },
  DEPLOY_TIMEOUT_MS,
);

const codesOf = (found: readonly { code: string }[]) => found.map(({ code }) => code);

/** The stack with an API of this id. */
async function stackWithApi(ApiId: string): Promise<Stack> {
  const { template } = (await deployedStack(new Aws(REGION), STACK)) as Stack;
  const names = { HttpApi: ApiId, SamlLoggedInLambdaFunction: FunctionName };
  return new Stack(STACK, template, new Map(Object.entries(names)));
}

test('another API that may call is found, and gone after its cure', async () => {
  // So moto names the API of the stack, which it does not make.
  const stack = await stackWithApi('None');
  const fn = stack.loginFunctions.find(({ name }) => name === FunctionName) as LoginFunction;
  const examined = async () => codesOf(await waysIn(new Aws(REGION), stack, fn));
  const SourceArn = `arn:aws:execute-api:${REGION}:123456789012:other/*`;
  expect(await examined()).toEqual([]);
  await permit({ Principal: 'apigateway.amazonaws.com', SourceArn });
  expect(await examined()).toEqual(['permission_added']);
  await forbid();
  expect(await examined()).toEqual([]);
});

test('routes that were edited, added and removed are found, and gone after their cure', async () => {
  const { ApiId = '' } = await apis.send(new CreateApiCommand({ Name: 'logins', ProtocolType: 'HTTP' }));
  const stack = await stackWithApi(ApiId);
  const create = (RouteKey: string, AuthorizationType: 'AWS_IAM' | 'NONE') =>
    apis.send(new CreateRouteCommand({ ApiId, RouteKey, AuthorizationType }));
  const examined = async () => codesOf(await routes(new Aws(REGION), stack));

  expect(await examined()).toEqual(['route_missing', 'route_missing']);
  const { RouteId: openid } = await create('POST /openid', 'AWS_IAM');
  const { RouteId: saml } = await create('POST /saml', 'NONE');
  const { RouteId: other } = await create('ANY /x', 'AWS_IAM');
  expect((await examined()).toSorted()).toEqual(['route_added', 'route_edited']);
  await apis.send(new UpdateRouteCommand({ ApiId, RouteId: saml, AuthorizationType: 'AWS_IAM' }));
  await apis.send(new DeleteRouteCommand({ ApiId, RouteId: other }));
  expect(await examined()).toEqual([]);
  await apis.send(new DeleteRouteCommand({ ApiId, RouteId: openid }));
  expect(await examined()).toEqual(['route_missing']);
});

test('methods of a REST API are found by what they ask for', async () => {
  const client = new APIGatewayClient(clientConfig());
  const { id: restApiId = '', rootResourceId: resourceId } = await client.send(
    new CreateRestApiCommand({ name: 'x' }),
  );
  const RestApiId = { Ref: 'Api' };
  const method = (HttpMethod: string, AuthorizationType: string) => ({
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      ...{ RestApiId, HttpMethod, AuthorizationType },
      ResourceId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
    },
  });
  const Resources = {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: {} },
    Post: method('POST', 'AWS_IAM'),
    Put: method('PUT', 'AWS_IAM'),
    Patch: method('PATCH', 'AWS_IAM'),
  };
  const put = (httpMethod: string, authorizationType: string) =>
    client.send(new PutMethodCommand({ restApiId, resourceId, httpMethod, authorizationType }));
  await put('POST', 'AWS_IAM');
  await put('PUT', 'NONE');
  await put('DELETE', 'AWS_IAM');
  const found = await routes(new Aws(REGION), new Stack(STACK, { Resources }, new Map([['Api', restApiId]])));
  expect(codesOf(found).toSorted()).toEqual(['route_added', 'route_edited', 'route_missing']);
});

test("an edited setting is told as a deployment tells it, and the value of a variable of one's own is not", async () => {
  await setVariables({ ...variables, SAML_ASSERTION_CHECK: 'off', OWN_TOKEN: 'not-for-a-report' });
  const { findings } = await examine();
  await setVariables(variables);
  const { message } = findings.find(({ code }) => code === 'settings_edited') ?? {};
  expect(message).toMatch(/SAML_ASSERTION_CHECK, OWN_TOKEN; assertion check on → off \(weaker\)/);
  expect(JSON.stringify(findings)).not.toContain('not-for-a-report');
});

test('a layer that somebody added is found', async () => {
  const { zip } = await deployedFunction('samlLoggedIn');
  const { LayerVersionArn = '' } = await functions.send(
    new PublishLayerVersionCommand({ LayerName: 'x', Content: { ZipFile: zip } }),
  );
  await configure({ Layers: [LayerVersionArn] });
  const { findings } = await examine();
  await configure({ Layers: [] });
  expect(findings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(`Layers: expected none, found ${LayerVersionArn}`),
  );
  expect((await examine()).codes).toEqual([]);
});

test('what Lambda refused and what crashed in the last day is found', async () => {
  const put = (MetricName: string, Value: number) => ({
    MetricName,
    Value,
    Timestamp: new Date(Date.now() - 3_600_000),
    Dimensions: [{ Name: 'FunctionName', Value: FunctionName }],
  });
  const MetricData = [put('Throttles', 2), put('Errors', 1)];
  await metrics.send(new PutMetricDataCommand({ Namespace: 'AWS/Lambda', MetricData }));
  const { findings } = await examine();
  expect(findings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('refused 2 logins in the last day'),
      expect.stringContaining('1 logins of the last day ended without a response'),
    ]),
  );
});

test('another version of a secret is told once', async () => {
  const { facts: before } = await examine();
  await secrets.send(new PutSecretValueCommand({ SecretId: SECRET, SecretString: 'y' }));
  const { codes, facts } = await examine(before);
  expect(codes).toContain(`secret_changed ${SECRET}`);
  expect((await examine(facts)).codes).not.toContain(`secret_changed ${SECRET}`);
});

test('code that was uploaded by hand', async () => {
  const upload = (ZipFile: Uint8Array) =>
    functions.send(new UpdateFunctionCodeCommand({ FunctionName, ZipFile }));
  const { zip } = await deployedFunction('samlLoggedIn');
  await upload(Buffer.concat([zip, Buffer.of(0)]));
  expect((await examine()).codes).toContain(`code_edited ${FunctionName}`);
  await upload(zip);
  expect((await examine()).codes).not.toContain(`code_edited ${FunctionName}`);
});

test('what this project would change, and a stage that is not deployed', async () => {
  const examined = async (stage: string, settings: Record<string, string>) => {
    const env = { ...process.env, ...settings };
    const { findings } = await deployed({ stage: new Stage(stage, env), nowMs: Date.now(), before: {} });
    return findings.filter(({ code }) => /^(?:project|stack)_/.test(code)).map(({ message }) => message);
  };
  expect(await examined('dev', { SAML_ASSERTION_CHECK: 'off' })).toContain(
    'this project would change it: assertion check on → off (weaker)',
  );
  expect(await examined('prod', {})).toEqual([`no such stack in ${REGION}`]);
});

/** What it asks only where it may read the template. */
const LATER = ['cloudformation:ListStackResources'];

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
    expect(await runWith(policy)).toEqual({ status: 1, unasked: [] });
  });

  test.each(sids(policy))('says which rights it lacks without the statement %s', async (sid) => {
    const { Action } = policy.Statement.find(({ Sid }) => Sid === sid) ?? { Action: [] };
    const { status, unasked } = await runWith(without(policy, sid));
    expect(status).toBe(2);
    const lacking = unasked.map(({ message }: { message: string }) => /allow (\S+)/.exec(message)?.[1]);
    expect([...new Set(lacking)].sort()).toEqual(
      [Action]
        .flat()
        .filter((action) => !LATER.includes(action))
        .sort(),
    );
  });

  test('where AWS cannot be reached, it says so once', async () => {
    const { status, unasked } = await run({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
    expect(status).toBe(2);
    expect(unasked).toEqual([{ subject: 'AWS', message: expect.stringContaining('AWS cannot be reached') }]);
  });
});
