/** Requests signed by the reference library of Standard Webhooks, and all that is nearly so. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type FunctionProcess, startFunction } from '../../tools/local/process/functionProcess.ts';
import { answerOf, type FunctionName, withFunction } from '../support/bundle.ts';
import {
  failure,
  type PlayedSecretsManager,
  playSecretsManager,
  version,
} from '../support/secretsManager.ts';
import { newSecret, signed } from '../support/signedRequest.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const SECRET = newSecret();
const BODY = JSON.stringify({ ...openIdEvent(), accessToken: 'BODY-MARK-7d1e' });

let manager: PlayedSecretsManager;
let env: Record<string, string>;

beforeAll(async () => {
  manager = await playSecretsManager();
  env = { ...manager.env, CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'login-hooks/signing' };
});
beforeEach(() => {
  manager.AWSCURRENT = version(SECRET, 30);
  manager.AWSPREVIOUS = failure('ResourceNotFoundException');
  manager.requests.length = 0;
});
afterAll(() => manager.close());

const base64 = (text: string) => ({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true });
const capitals = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
const lists = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ['an earlier one', value]]));

/** A signed request, in the envelope of an HTTP API. */
const request = (body = BODY, signing = {}, headers = {}) =>
  overHttp(body, { headers: { ...signed(body, { secret: SECRET, ...signing }), ...headers } });

describe('a signed request is answered', () => {
  const albContext = { requestContext: { elb: { targetGroupArn: 'arn' } }, version: undefined };

  test.each<[FunctionName, string, object]>([
    ['openidLoggedIn', BODY, openIdEvent()],
    ['samlLoggedIn', JSON.stringify(samlEvent()), samlEvent()],
  ])('by %s, in every envelope', async (name, body) => {
    const headers = signed(body, { secret: SECRET });
    const NON_ASCII = body.replace('Ada', 'Ädä 🙂').replace('Ada', 'Ädä \ufffd');
    const signedNonAscii = signed(NON_ASCII, { secret: SECRET });
    await withFunction(name, { env }, async (fn) => {
      for (const event of [
        overHttp(body, { headers }),
        overHttp(body, { headers: capitals(headers) }),
        overHttp('', { headers, ...base64(body) }),
        overHttp(NON_ASCII, { headers: signedNonAscii }),
        overHttp('', { headers: signedNonAscii, ...base64(NON_ASCII) }),
        overHttp(body, { version: undefined, headers, multiValueHeaders: lists(headers) }),
        overHttp(body, { version: '2.0', requestContext: { http: {}, domainName: 'x.lambda-url' }, headers }),
        overHttp(body, { ...albContext, headers }),
        overHttp(body, { ...albContext, headers: undefined, multiValueHeaders: lists(headers) }),
        overHttp('', { ...albContext, headers, ...base64(body) }),
      ]) {
        const { status, record } = await answerOf(fn, event);
        expect(record).toMatchObject({ reason: 'authorized' });
        expect(status).toBe(200);
      }
      expect(fn.records()[0]).toMatchObject({ event: 'cold_start', callerCheck: 'signature' });
      expect(manager.requests).toHaveLength(1);
    });
  });

  test('again, when it comes again: the same id, a new timestamp, a new signature', async () => {
    await withFunction('openidLoggedIn', { env }, async (fn) => {
      for (const ageSeconds of [20, 10, 10, 0]) {
        expect((await answerOf(fn, request(BODY, { id: 'msg_retried', ageSeconds }))).status).toBe(200);
      }
    });
  });
});

describe('refused, whatever is nearly right:', () => {
  const GOOD = signed(BODY, { secret: SECRET });
  const STAMP = Number(GOOD['webhook-timestamp']);
  const SIGNATURE = GOOD['webhook-signature'];
  const FORGED = signed(BODY, { secret: newSecret() })['webhook-signature'];
  const withHeader = (name: string, value: unknown) =>
    overHttp(BODY, { headers: { ...GOOD, [`webhook-${name}`]: value } });

  let fn: FunctionProcess;
  beforeAll(async () => {
    fn = await startFunction({ name: 'openidLoggedIn', env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'DEBUG' } });
  });
  afterAll(() => fn.stop());

  test.each<[string, string, object]>([
    ['missing', 'no headers', overHttp(BODY, { headers: null })],
    ['missing', 'a timestamp that is a number', withHeader('timestamp', STAMP)],
    ['missing', 'a signature that is an empty list', withHeader('signature', [])],
    ['expired', 'more than five minutes ago', request(BODY, { ageSeconds: 310 })],
    ['wrong', 'another secret', withHeader('signature', FORGED)],
    ['wrong', 'one byte changed', overHttp(BODY.replace('Ada', 'Adb'), { headers: GOOD })],
    ['wrong', 'a byte order mark', overHttp(`\uFEFF${BODY}`, { headers: GOOD })],
    ['wrong', 'no body', overHttp(BODY, { headers: GOOD, body: null })],
    [
      'wrong',
      'base64 that is not said to be',
      overHttp('', { ...base64(BODY), isBase64Encoded: false, headers: GOOD }),
    ],
    ['wrong', 'text that is said to be base64', overHttp(BODY, { isBase64Encoded: true, headers: GOOD })],
  ])('signature_%s: %s', async (reason, _case, event) => {
    const { status, answer, record } = await answerOf(fn, event);
    expect(record).toMatchObject({ reason: `signature_${reason}`, status: 401 });
    expect(status).toBe(401);
    expect(answer.type).toBe('ErrorResponse');
  });

  test('which of it is said, and nothing that was sent', async () => {
    for (const part of [SECRET.slice(6), SIGNATURE.slice(3), FORGED.slice(3), 'BODY-MARK', 'ada@', 'msg_'])
      expect(fn.output()).not.toContain(part);
  });
});

describe('a secret', () => {
  test('that may not be read: no request is answered, signed or not', async () => {
    manager.AWSCURRENT = failure('AccessDeniedException');
    await withFunction('openidLoggedIn', { env }, async (fn) => {
      for (const event of [request(), overHttp(BODY), request(BODY, { secret: newSecret() }), request()]) {
        const { status, answer, record } = await answerOf(fn, event);
        const reason = 'secret_access_denied';
        expect(record).toMatchObject({ reason, status: 500, secretId: 'login-hooks/signing' });
        expect([status, answer.type]).toEqual([500, 'ErrorResponse']);
      }
      expect(manager.requests).toHaveLength(1);
    });
  });

  test('that does not come ends the login by its deadline, and the next ones at once', async () => {
    manager.AWSCURRENT = 'silence';
    await withFunction('openidLoggedIn', { env: { ...env, HANDLER_TIMEOUT_MS: '1000' } }, async (fn) => {
      for (let logins = 0; logins < 3; logins++) {
        const { answer, record } = await answerOf(fn, request());
        expect(answer.type).toBe('ErrorResponse');
        expect(record).toMatchObject({ reason: 'secret_timed_out', status: 500 });
      }
      expect(manager.requests).toHaveLength(1);
    });
  });
});
