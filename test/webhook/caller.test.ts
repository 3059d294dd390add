/** Requests signed by the reference library of Standard Webhooks, and all that is nearly so. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { answerOf, type FunctionName, sharedFunction, withFunction } from '../support/bundle.ts';
import { playSecretsManager, version } from '../support/secretsManager.ts';
import { newSecret, signed } from '../support/signedRequest.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const SECRET = newSecret();
const BODY = JSON.stringify({ ...openIdEvent(), accessToken: 'BODY-MARK-7d1e' });

const manager = await playSecretsManager();
afterAll(() => manager.close());
manager.AWSCURRENT = version(SECRET, 30);
const env = { ...manager.env, CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'login-hooks/signing' };

const base64 = (text: string) => ({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true });
const capitals = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
const lists = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ['an earlier one', value]]));

describe('a signed request is answered', () => {
  const albContext = { requestContext: { elb: { targetGroupArn: 'arn' } }, version: undefined };

  test.each<[FunctionName, string, object]>([
    ['openidLoggedIn', BODY, openIdEvent()],
    ['samlLoggedIn', JSON.stringify(samlEvent()), samlEvent()],
  ])('by %s, in every envelope', async (name, body) => {
    const headers = signed(body, { secret: SECRET });
    const NON_ASCII = body.replace('Ada', 'Ädä 🙂').replace('Ada', 'Ädä \ufffd');
    const signedNonAscii = signed(NON_ASCII, { secret: SECRET });
    manager.requests.length = 0;
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
});

describe('refused, whatever is nearly right:', () => {
  const GOOD = signed(BODY, { secret: SECRET });
  const STAMP = Number(GOOD['webhook-timestamp']);
  const SIGNATURE = GOOD['webhook-signature'];
  const FORGED = signed(BODY, { secret: newSecret() })['webhook-signature'];
  const withHeader = (name: string, value: unknown) =>
    overHttp(BODY, { headers: { ...GOOD, [`webhook-${name}`]: value } });

  const SENT = [SECRET.slice(6), SIGNATURE.slice(3), FORGED.slice(3), 'BODY-MARK', 'ada@', 'msg_'];

  const answer = sharedFunction('openidLoggedIn', { env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'DEBUG' } });

  test.each<[string, string, object]>([
    ['missing', 'no headers', overHttp(BODY, { headers: null })],
    ['missing', 'a timestamp that is a number', withHeader('timestamp', STAMP)],
    ['missing', 'a signature that is an empty list', withHeader('signature', [])],
    ['wrong', 'another secret', withHeader('signature', FORGED)],
    ['wrong', 'a byte order mark', overHttp(`\uFEFF${BODY}`, { headers: GOOD })],
    ['wrong', 'no body', overHttp(BODY, { headers: GOOD, body: null })],
  ])('signature_%s: %s', async (reason, _case, event) => {
    const { status, answer: refusal, record, output } = await answer(event);
    expect(record).toMatchObject({ reason: `signature_${reason}`, status: 401 });
    expect([status, refusal.type]).toEqual([401, 'ErrorResponse']);
    for (const part of SENT) expect(output).not.toContain(part);
  });
});
