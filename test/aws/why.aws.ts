/** The rights with which `why` reads CloudWatch Logs, as moto plays it. */
import { randomUUID } from 'node:crypto';
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { runTool } from '../support/tools.ts';
import { awsEnvironment, clientConfig } from './machine/aws.ts';
import {
  emptyAws,
  environmentWith,
  LOG_READER,
  lacking,
  type Policy,
  withoutIam,
} from './machine/policies.ts';

const logs = new CloudWatchLogsClient(clientConfig());
const reference = randomUUID();

/** Of one login, as Lambda writes it. */
function lineOf(requestId: string) {
  const login = { event: 'login', answer: 'ErrorResponse', handler: 'default', language: 'en' };
  const message = { ...login, requestId, reason: 'assertion_expired' };
  return { timestamp: Date.now(), message: JSON.stringify({ level: 'INFO', requestId, message }) };
}

beforeAll(async () => {
  await emptyAws();
  const group = { logGroupName: '/aws/lambda/login-hooks-dev-samlLoggedIn' };
  const stream = { ...group, logStreamName: 'a' };
  await logs.send(new CreateLogGroupCommand(group));
  await logs.send(new CreateLogStreamCommand(stream));
  await logs.send(new PutLogEventsCommand({ ...stream, logEvents: [lineOf(reference)] }));
});
afterAll(emptyAws);

describe('with the policy of the guide', () => {
  afterEach(withoutIam);
  const runWith = async (policy: Policy) =>
    runTool('why', [reference], { ...awsEnvironment(), ...(await environmentWith(policy)) });

  test('it needs no other right', async () => {
    expect(await runWith(LOG_READER)).toMatchObject({ status: 0 });
  });

  test.each(lacking(LOG_READER))('it says which right it lacks without %s', async (_, rest, [action]) => {
    const { status, stderr } = await runWith(rest);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`allow ${action} (docs/deploy.md)`)]);
  });
});
