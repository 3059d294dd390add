/** The policies of docs/deploy.md, in force: what each of their statements is for. */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { GetPolicyCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BUILT } from '../support/environment.ts';
import { blocksOf } from '../support/pages.ts';
import { resourcesIn } from '../support/template.ts';
import { runTool } from '../support/tools.ts';
import { awsEnvironment, clientConfig } from './machine/aws.ts';
import { DEPLOY_TIMEOUT_MS, project, serverless } from './machine/deployment.ts';
import {
  DEPLOYER,
  emptyAws,
  environmentWith,
  LOG_READER,
  lacking,
  type Policy,
  withoutIam,
} from './machine/policies.ts';

const STAGE = ['--stage', 'prod'];
const FUNCTIONS = ['login-hooks-prod-openidLoggedIn', 'login-hooks-prod-samlLoggedIn'];

const blocks = [...(await blocksOf('docs/deploy.md')), ...(await blocksOf('docs/connect.md'))];
const textsOf = (kind: string) => blocks.filter(({ language }) => language === kind).map(({ text }) => text);
const [direct, routes] = textsOf('json')
  .slice(3)
  .map((text) => JSON.parse(text)) as [Policy, Policy];
/** What the pages add to `serverless.yml`, under one heading; and how they name it. */
const HEADING = 'resources:\n  Resources:\n';
/** It follows on the keys of `custom.loginHooks`. */
const NAMED = '    others: {Caller: takes the routes, Domain: of the campus, DomainMapping: of the campus}\n';
const additions =
  HEADING +
  textsOf('yaml')
    .map((text) => text.replace(HEADING, ''))
    .join('');

afterAll(emptyAws);

describe('who deploys', () => {
  const commandsOf = async (policy: Policy) => {
    const credentials = await environmentWith(policy);
    return (args: string[], settings = {}) =>
      serverless([...args, ...STAGE], { ...BUILT, ...credentials, ...settings });
  };
  beforeEach(emptyAws);

  test(
    'deploys, changes settings, rolls back and removes',
    async () => {
      const run = await commandsOf(DEPLOYER);
      run(['deploy']);
      run(['deploy'], { RESPONSE_NAMES: 'camelCase', MONITORING: 'off', LOG_RETENTION_DAYS: '30' });
      const [, first = ''] = /Timestamp: (\d+)/.exec(run(['deploy', 'list'])) ?? [];
      expect(run(['rollback', '--timestamp', first])).toContain('rolled back');
      run(['remove']);
    },
    5 * DEPLOY_TIMEOUT_MS,
  );

  test.each(lacking(DEPLOYER))(
    'does not deploy without the statement %s',
    async (_, rest, actions) => {
      const run = await commandsOf(rest);
      const denied = actions.map((action) => action.replace('*', '\\w*')).join('|');
      expect(() => run(['deploy'])).toThrow(new RegExp(`to perform: (?:${denied})\\b`));
    },
    DEPLOY_TIMEOUT_MS,
  );
});

describe('who calls', () => {
  beforeAll(async () => {
    await emptyAws();
    appendFileSync(join(project, 'serverless.yml'), `${NAMED}\n${additions}`);
    serverless(['deploy', ...STAGE], BUILT);
  }, DEPLOY_TIMEOUT_MS);
  afterEach(withoutIam);

  const invoke = async (policy: Policy, FunctionName: string) => {
    const env = await environmentWith(policy);
    const credentials = { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY };
    const client = new LambdaClient({ ...clientConfig(), credentials });
    const answer = client.send(new InvokeCommand({ FunctionName, InvocationType: 'DryRun' }));
    return answer.then(
      ({ StatusCode }) => StatusCode,
      ({ name }: Error) => name,
    );
  };

  test.each(FUNCTIONS)('invokes %s', async (name) => {
    expect(await invoke(direct, name)).toBe(204);
  });

  test.each(lacking(direct))('needs the statement %s', async (sid, rest) => {
    const index = direct.Statement.findIndex(({ Sid }) => Sid === sid);
    expect(await invoke(rest, FUNCTIONS[index] ?? '')).toBe('AccessDeniedException');
  });

  test.each(FUNCTIONS)('%s admits the role of another account', async (FunctionName) => {
    const { Policy = '{}' } = await new LambdaClient(clientConfig()).send(
      new GetPolicyCommand({ FunctionName }),
    );
    const { Statement } = JSON.parse(Policy) as { Statement: object[] };
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Action: 'lambda:InvokeFunction',
        Principal: 'arn:aws:iam::210987654321:role/identity-service',
      }),
    );
  });

  test('the policies for the routes name the routes of the template', async () => {
    const client = new CloudFormationClient(clientConfig());
    const { TemplateBody = '{}' } = await client.send(
      new GetTemplateCommand({ StackName: 'login-hooks-prod' }),
    );
    const of = (type: string) => resourcesIn(TemplateBody, type);
    const [stage] = of('AWS::ApiGatewayV2::Stage').map(({ StageName }) => StageName);
    const keys = of('AWS::ApiGatewayV2::Route').map(({ RouteKey }) => String(RouteKey).replace(' ', ''));
    const expected = keys.map((key) => `${stage}/${key}`);
    const named = [routes.Statement[0]?.Resource ?? []].flat();
    expect(named.map((arn) => arn.replace(/^.*?\//, ''))).toEqual(expected);
    const caller = of('AWS::IAM::Role').find(({ RoleName }) => RoleName === 'login-hooks-prod-caller');
    for (const path of expected) expect(JSON.stringify(caller)).toContain(`/${path}"`);
  });
});

describe('who reads the log', () => {
  const requestId = randomUUID();
  beforeAll(async () => {
    await emptyAws();
    const logs = new CloudWatchLogsClient(clientConfig());
    const login = { event: 'login', answer: 'ErrorResponse', handler: 'default', language: 'en' };
    const record = { ...login, requestId, reason: 'assertion_expired' };
    const message = JSON.stringify({ level: 'INFO', requestId, message: record });
    const group = { logGroupName: '/aws/lambda/login-hooks-dev-samlLoggedIn' };
    const stream = { ...group, logStreamName: 'a' };
    await logs.send(new CreateLogGroupCommand(group));
    await logs.send(new CreateLogStreamCommand(stream));
    const logEvents = [{ timestamp: Date.now(), message }];
    await logs.send(new PutLogEventsCommand({ ...stream, logEvents }));
  });
  afterEach(withoutIam);
  const runWith = async (policy: Policy) =>
    runTool('why', [requestId], { ...awsEnvironment(), ...(await environmentWith(policy)) });

  test('is told why a login was refused', async () => {
    const { status, stdout } = await runWith(LOG_READER);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^reason {3}assertion_expired$/m)]);
  });

  test.each(lacking(LOG_READER))(
    'is told of the right that is missing without %s',
    async (_, rest, [action]) => {
      const { status, stderr } = await runWith(rest);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`allow ${action} (docs/deploy.md)`)]);
    },
  );
});
