/** `why`: what the log of deployed functions says of a login, and which were refused. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { codeVersion } from '../../tools/deploy/codeVersion.ts';
import { awsFailure } from '../../tools/shared/awsAccess.ts';
import { handlerSetting } from '../../tools/shared/functions.ts';
import { type FunctionName, login } from '../support/bundle.ts';
import { filterPattern } from '../support/filterPattern.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { runTool } from '../support/tools.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PREFIX = '/aws/lambda/login-hooks-dev-';
const OPENID = 'openidLoggedIn';
const SAML = 'samlLoggedIn';

type LogRecord = Record<string, unknown>;

interface Input {
  logGroupNamePrefix: string;
  logGroupName: string;
  filterPattern: string;
  startTime: number;
  endTime: number;
  nextToken?: string;
}
interface LogGroup {
  logGroupName: string;
  retentionInDays?: number;
  logGroupClass?: string;
  events: { timestamp: number; message: string }[];
}

/** CloudWatch Logs as far as `why` asks it. */
const logs = {
  groups: [] as LogGroup[],
  /** What is refused: an action, after how many answers, how often, and by which exception. */
  refusal: { action: '', after: 0, times: 0, by: '' },
  /** What was asked. */
  asked: [] as { action: string; input: Input }[],
};
const server = await httpServer(({ headers }, response, body) => {
  const [, action = ''] = String(headers['x-amz-target']).split('.');
  const input = JSON.parse(body) as Input;
  const before = logs.asked.filter((one) => one.action === action).length;
  logs.asked.push({ action, input });
  const { refusal, groups } = logs;
  const isRefused = before >= refusal.after && before < refusal.after + refusal.times;
  if (isRefused && action === refusal.action) return sendJson(response, { __type: refusal.by }, 400);
  if (action !== 'DescribeLogGroups') return sendJson(response, { ...eventsOf(input) });
  const isNamed = ({ logGroupName }: LogGroup) => logGroupName.startsWith(input.logGroupNamePrefix);
  return sendJson(response, { logGroups: groups.filter(isNamed) });
});
afterAll(() => server.close());

/** An empty page comes before each page with records. */
function eventsOf({ logGroupName, filterPattern: pattern, startTime, endTime, nextToken }: Input) {
  if (nextToken === undefined) return { events: [], nextToken: 'next' };
  const isMatch = filterPattern(pattern);
  const { events = [] } = logs.groups.find((one) => one.logGroupName === logGroupName) ?? {};
  const isIn = (timestamp: number) => timestamp >= startTime && timestamp <= endTime;
  return {
    events: events.filter(({ timestamp, message }) => isIn(timestamp) && isMatch(JSON.parse(message))),
  };
}

beforeEach(() => {
  logs.asked = [];
  logs.refusal = { action: '', after: 0, times: 0, by: '' };
  logs.groups = [OPENID, SAML].map((name) => ({
    ...{ logGroupName: PREFIX + name, retentionInDays: 30, events: [] },
  }));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const why = (...args: string[]) =>
  runTool('why', args, { AWS_ENDPOINT_URL: server.url, AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' });

/** Puts a line into the log of a function. */
function put(functionName: string, agoMs: number, line: object): void {
  const group = logs.groups.find(({ logGroupName }) => logGroupName === PREFIX + functionName);
  group?.events.push({ timestamp: Date.now() - agoMs, message: JSON.stringify(line) });
}

/** Of a function's own record, as Lambda writes it. */
function log(functionName: string, agoMs: number, { level = 'INFO', ...message }: LogRecord): void {
  put(functionName, agoMs, { timestamp: 'x', level, requestId: message.requestId, message });
}

/** Of the end of an invocation, as Lambda writes it. */
function report(requestId: string, agoMs: number, more: object): void {
  const metrics = { durationMs: 20_000, memorySizeMB: 512, maxMemoryUsedMB: 101 };
  put(SAML, agoMs, { time: 'x', type: 'platform.report', record: { requestId, metrics, ...more } });
}

const loginOf = (requestId: string, more: LogRecord = {}): LogRecord => ({
  ...{ event: 'login', requestId, function: SAML, answer: 'ErrorResponse', reason: 'handler_threw' },
  ...{ status: 500, handler: 'handlers/own', issuer: 'https://idp.example.org', language: 'de', ...more },
});
const AUTHORIZED = { answer: 'AuthorizedUserResponse', reason: 'authorized', status: 200 };

const SAMPLES = [
  ...['entra-group-overage', 'keycloak-suspended-group', 'http-invalid-event', 'edugain-foreign-rector'],
];
/** Samples whose people are refused, with their records at level INFO. */
let refused: { name: string; functionName: string; record: LogRecord }[];
beforeAll(async () => {
  const samples = (await projectSamples()).filter(({ name }) => SAMPLES.includes(name));
  refused = await Promise.all(
    samples.map(async ({ functionName, name, event, expected }) => {
      const env = expected?.handler === undefined ? {} : handlerSetting(functionName, expected.handler);
      const { record = {} } = await login(functionName as FunctionName, event, { env });
      return { name, functionName, record: { ...record, requestId: randomUUID() } };
    }),
  );
});

function sampleNamed(wanted: string) {
  const found = refused.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`expected a refused sample ${wanted}`);
  return found;
}

test('the login of the reference is explained, and no other', async () => {
  const { functionName, record } = sampleNamed('edugain-foreign-rector');
  const requestId = String(record.requestId);
  log(functionName, 3 * DAY_MS, { ...record, version: await codeVersion() });
  log(functionName, 2 * DAY_MS, loginOf(`${requestId.slice(0, -1)}g`));
  log(OPENID, 3 * DAY_MS, loginOf(randomUUID()));
  log(functionName, 3 * DAY_MS, { event: 'unhandled_error', requestId });
  report(requestId, 3 * DAY_MS, { status: 'success' });
  const { status, stdout } = await why(requestId.toUpperCase());
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^Forbidden: a rule of the mapping refuses\n\nRule +issuers\[…\]\.rules\[1\]\.email_domains\n/,
  );
  expect(stdout).toMatch(/^Found +not logged$/m);
  expect(stdout).toMatch(/^Expected +email_domains \["uni\.example","\*\.uni\.example"\]$/m);
  expect(stdout).toMatch(/^Change +If this person should get in, add the domain to the rule/m);
  expect(stdout).toMatch(/^The person reads +Your e-mail address does not belong to an organisation/m);
  expect(stdout).toMatch(/^received {2}displayName, /m);
  expect(stdout).toMatch(/\n\n20\S+ \S+ UTC, samlLoggedIn, code [\da-f]+, as this project\n$/);
});

test('refusals are listed, and counted by rule and near miss', async () => {
  const explanation = { fields: {}, rule: 'rules[0].any_group', received: { names: [], others: 0 } };
  const rule = { answer: 'ForbiddenResponse', reason: 'rule_refused', explanation };
  const [first, second, third, old] = Array.from({ length: 4 }, () => randomUUID());
  log(SAML, 2 * MINUTE_MS, loginOf(`${first}`, { ...rule, near: ['case', 'slash'] }));
  log(OPENID, 3 * MINUTE_MS, loginOf(`${second}`, { issuer: 'https://other.example' }));
  log(OPENID, MINUTE_MS, loginOf(`${third}`, { ...rule, near: ['case', 'slash'] }));
  log(SAML, MINUTE_MS, loginOf(randomUUID(), AUTHORIZED));
  log(SAML, 40 * MINUTE_MS, loginOf(`${old}`));
  const listed = async (...args: string[]) => {
    const { status, stdout } = await why('--since', '30m', ...args);
    expect(status).toBe(0);
    return stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|').replace(/^20[^|]*/, 'time'));
  };
  expect(await listed()).toEqual([
    'time|reason|rule|reference',
    expect.stringMatching(/^-/),
    `time|handler_threw|-|${second}`,
    `time|rule_refused|rules[0].any_group|${first}`,
    `time|rule_refused|rules[0].any_group|${third}`,
    '',
    'refusals|reason|rule|near miss',
    expect.stringMatching(/^-/),
    '2|rule_refused|rules[0].any_group|case, slash',
    '1|handler_threw|-|-',
    '',
  ]);
  expect((await listed('--issuer', 'https://other.example')).join()).toContain(`${second},,refusals`);
  expect((await listed('--reason', 'rule_refused')).join()).not.toContain(second);
  const none = expect.stringMatching(/^no refusal\. .*INFO/);
  expect(await listed('--reason', 'token_expired')).toEqual([none, '']);
});

test.each<[sample: string, found: string, expected: string | null]>([
  ['entra-group-overage', 'not logged', null],
  ['keycloak-suspended-group', '\\d+ groups?', 'no_group \\["suspended"\\]'],
  ['http-invalid-event', 'idToken\\.sub: expected a string \\(missing\\)', null],
])('of %s, it tells what the log has', async (name, found, expected) => {
  const { functionName, record } = sampleNamed(name);
  log(functionName, 0, record);
  const { stdout } = await why(String(record.requestId));
  expect(stdout).toMatch(new RegExp(`^Found +${found}$`, 'm'));
  if (expected === null) expect(stdout).not.toMatch(/^Expected/m);
  else expect(stdout).toMatch(new RegExp(`^Expected +${expected}$`, 'm'));
  expect(stdout).not.toMatch(/is absent|undefined|null|groups\.from/);
});

test.each<[LogRecord, RegExp]>([
  [
    { reason: 'handler_not_loaded', module: 'handlers/nobody', problem: 'threw while loading', error: {} },
    /^Failed: the handler cannot be loaded\n\nFound +handler_not_loaded: .*handlers\/nobody/,
  ],
  [
    { reason: 'configuration_unusable', problems: ['OPENID_ISSUERS: expected JSON'] },
    /^Failed: a setting is wrong\n\nFound +configuration_unusable: .*OPENID_ISSUERS: expected JSON\n/,
  ],
  [
    { reason: 'assertion_expired', status: 422 },
    /^Error: the assertion has expired \(NotOnOrAfter\)\n\nFound +not logged\nExpected +after 20/,
  ],
  [
    { reason: 'of_a_later_version' },
    /^Error: of_a_later_version\n(?:.*\n)*The person reads +words of the handler, not/,
  ],
])('of a login that ended before or in its handler, it tells why: %j', async (more, told) => {
  const requestId = randomUUID();
  log(SAML, 0, loginOf(requestId, more));
  expect(await why(requestId)).toMatchObject({ status: 0, stdout: expect.stringMatching(told) });
});

test('days are searched from the newest on, of both functions, until the login is there', async () => {
  const requestId = randomUUID();
  log(OPENID, 1.5 * DAY_MS, loginOf(requestId));
  await why(requestId);
  const days = logs.asked
    .filter(({ action, input }) => action === 'FilterLogEvents' && input.nextToken !== undefined)
    .map(({ input: { logGroupName, startTime, endTime } }) => ({ logGroupName, startTime, endTime }));
  const [{ endTime: now } = { endTime: 0 }] = days;
  const day = (back: number) =>
    [OPENID, SAML].map((name) => ({
      logGroupName: PREFIX + name,
      startTime: now - (back + 1) * DAY_MS,
      endTime: now - back * DAY_MS,
    }));
  expect(days).toEqual([...day(0), ...day(1)]);
});

test('what AWS throttles is asked again', async () => {
  const requestId = randomUUID();
  log(SAML, 0, loginOf(requestId));
  logs.refusal = { action: 'FilterLogEvents', after: 1, times: 3, by: 'ThrottlingException' };
  // The pause before each attempt is a random part of its limit: here there is none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  expect(await why(requestId)).toMatchObject({ status: 0 });
});

test('a login that began in the day before its end is found', async () => {
  const requestId = randomUUID();
  report(requestId, DAY_MS - 1_000, { status: 'success' });
  const error = { class: 'TypeError', frames: ['at file:///var/a.mjs:8:20'] };
  log(SAML, DAY_MS + 1_000, loginOf(requestId, { error }));
  const { stdout } = await why(requestId);
  expect(stdout).toMatch(
    /^Failed: the handler threw an error\n\nFound +TypeError at file:\/\/\/var\/a\.mjs:8:20\n/,
  );
  expect(stdout).toMatch(/^The person reads +Ihre Anmeldung ist fehlgeschlagen/m);
  expect(stdout).toContain('code of an unknown version: ');
});

test.each<[object, RegExp]>([
  [{ status: 'timeout' }, /^Failed: .*: timeout, after 20000 ms, 101 of 512 MB of memory in use\n\nSee what/],
  [{ status: 'error', errorType: 'Runtime.OutOfMemory' }, /^Failed: .*: Runtime\.OutOfMemory, after/],
  [{ status: 'success' }, /^The function responded, and logged no login\. Where applicationLogLevel/],
])('where there is only what Lambda reports, %j, it says so', async (more, told) => {
  const requestId = randomUUID();
  report(requestId, 0, more);
  const { status, stdout } = await why(requestId);
  expect([status, stdout]).toEqual([0, expect.stringMatching(told)]);
});

describe('of an authorized login', () => {
  const requestId = randomUUID();
  const authorized = loginOf(requestId, { ...AUTHORIZED, handler: 'default', version: 'another' });

  test('it says who responded, and what the rest needs', async () => {
    log(OPENID, 0, authorized);
    const { status, stdout } = await why(requestId);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^Authorized by default\n\n.* level DEBUG only.*\n\n20.*, code another: this project has /,
    );
  });

  test('it explains one that was logged at level DEBUG', async () => {
    log(OPENID, 0, authorized);
    const fields = { email: { tried: ['email'], found: 'email', path: 'other_claims.email' } };
    const explanation = { fields, received: { names: ['email'], others: 0 } };
    log(OPENID, 0, { level: 'DEBUG', event: 'login_explanation', requestId, explanation });
    log(OPENID, 0, { level: 'DEBUG', event: 'login_error_message', requestId, message: 'no' });
    expect((await why(requestId)).stdout).toMatch(
      /^Authorized\n\nRule +none: .*\nFound +at id_token\.other_claims\.email\n\nresponse AuthorizedUserResponse\n/,
    );
  });
});

test('what is not found is told with what was searched', async () => {
  logs.groups[1] = { logGroupName: PREFIX + SAML, events: [] };
  const reference = randomUUID();
  const { status, stdout } = await why(reference, '--since', '2d');
  expect([status, stdout.split('\n')]).toEqual([
    1,
    [
      `No login of the last 2d has the reference ${reference}. These were searched:`,
      `  ${PREFIX}${OPENID}, which keeps records for 30 days`,
      `  ${PREFIX}${SAML}, which keeps records for ever`,
      expect.stringMatching(/last minute .* applicationLogLevel .* region/),
      '',
    ],
  ]);
  expect(logs.asked.filter(({ action }) => action === 'FilterLogEvents')).toHaveLength(2 * 2 * 2);
});

describe('exit code 2:', () => {
  const reference = randomUUID();

  const refusing = (action: string, after: number, by: string) => ({
    refusal: { action, after, times: Number.POSITIVE_INFINITY, by },
  });
  const unseen = refusing('DescribeLogGroups', 0, 'AccessDeniedException');
  const unsearched = refusing('FilterLogEvents', 0, 'AccessDeniedException');
  const expired = refusing('FilterLogEvents', 9, 'ExpiredTokenException');
  const none = { groups: [{ logGroupName: `${PREFIX}${SAML}2`, events: [] }] };
  const logGroupClass = 'INFREQUENT_ACCESS';
  const infrequent = { groups: [{ logGroupName: PREFIX + SAML, logGroupClass, events: [] }] };

  test.each<[string, Partial<typeof logs>, string[], string]>([
    ['no reference', {}, [], 'expected a reference, or --since for a list'],
    ['no UUID', {}, [`${reference}" || $.a = "`], 'expected a reference such as'],
    ['a reference and an issuer', {}, [reference, '--issuer', 'a'], 'without a reference'],
    ['a misspelled reason', {}, ['--since', '1d', '--reason', 'rule_refusd'], 'the nearest is rule_refused'],
    ['no duration', {}, ['--since', '1w'], '--since: expected e.g. 30m, 12h or 14d, found 1w'],
    ['no right to see logs', unseen, [reference], 'logs:DescribeLogGroups (docs/'],
    ['no right to search', unsearched, [reference], 'logs:FilterLogEvents (docs/'],
    ['an early end', expired, [reference], 'the look ended early, after 2 of 14 days: '],
    ['no log', none, [reference], 'the functions of dev have no log in eu-central-1: deploy the stage, or'],
    ['a class without a search', infrequent, [reference], `filter message.requestId = "${reference}" or`],
    ['that class, for a list', infrequent, ['--since', '1d'], 'filter message.event = "login" and'],
  ])('%s', async (_, given, args, told) => {
    Object.assign(logs, given);
    expect(await why(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(told) });
  });
});

test.each([
  [{ name: 'CredentialsProviderError' }, /^no AWS credentials: log in/],
  [{ name: 'ExpiredTokenException' }, /^the AWS credentials have expired: log in/],
  [{ name: 'UnrecognizedClientException' }, /^AWS does not know these credentials: log in/],
  [{ name: 'InvalidSignatureException' }, /clock of this machine/],
  [
    { code: 'ENOTFOUND', hostname: 'lambda.eu.amazonaws.com' },
    /^AWS cannot be reached at lambda\.eu\.amazonaws\.com \(.*\): check the region, the network/,
  ],
  [{ name: 'TimeoutError' }, /^AWS cannot be reached \(.*\): check/],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /set NODE_EXTRA_CA_CERTS to /],
])('where AWS fails with %j, it says what to do', (error, sentence) => {
  expect(awsFailure(error)).toMatch(sentence);
});

test('credentials that a profile does not have are told with its name', () => {
  process.env.AWS_PROFILE = 'campsu';
  try {
    expect(awsFailure({ name: 'CredentialsProviderError' })).toMatch(
      /^no AWS credentials in the profile campsu: /,
    );
  } finally {
    delete process.env.AWS_PROFILE;
  }
});

test('what is of the request itself is left to the command', () => {
  expect(awsFailure({ name: 'ResourceNotFoundException' })).toBe(null);
});
