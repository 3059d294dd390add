/** `why` of records in CloudWatch Logs as moto plays it: it sends every record, whatever the pattern says. */
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
const DAY_MS = 86_400_000;

/** Of one login, as Lambda writes it. */
function lineOf(requestId: string, reason: string, agoMs: number) {
  const login = { event: 'login', answer: 'ErrorResponse', handler: 'default', language: 'en' };
  const message = { ...login, requestId, reason };
  return { timestamp: Date.now() - agoMs, message: JSON.stringify({ level: 'INFO', requestId, message }) };
}

beforeAll(async () => {
  await emptyAws();
  for (const [name, events] of Object.entries({
    openidLoggedIn: [lineOf(randomUUID(), 'token_expired', 2_000)],
    samlLoggedIn: [
      lineOf(reference, 'assertion_expired', 1.5 * DAY_MS),
      lineOf(randomUUID(), 'body_missing', 1_000),
    ],
  })) {
    const group = { logGroupName: `/aws/lambda/login-hooks-dev-${name}` };
    const stream = { ...group, logStreamName: 'a' };
    await logs.send(new CreateLogGroupCommand(group));
    await logs.send(new CreateLogStreamCommand(stream));
    await logs.send(new PutLogEventsCommand({ ...stream, logEvents: events }));
  }
});
afterAll(emptyAws);

test('of several logins, that of the reference is explained', async () => {
  const { status, stdout } = await runTool('why', [reference], awsEnvironment());
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Error: the assertion has expired.*\n/)]);
  expect(stdout).toMatch(/^reason {3}assertion_expired$/m);
});

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
