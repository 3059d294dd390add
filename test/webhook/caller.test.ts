/** Requests signed by the reference library of Standard Webhooks, and nearly so: of these, nothing is shown. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { sharedFunction } from '../support/bundle.ts';
import { playSecretsManager, version } from '../support/secretsManager.ts';
import { newSecret, signed } from '../support/signedRequest.ts';
import { openIdEvent, overHttp } from '../support/wire.ts';

const SECRET = newSecret();
const BODY = JSON.stringify({ ...openIdEvent(), accessToken: 'BODY-MARK-7d1e' });

const manager = await playSecretsManager();
afterAll(() => manager.close());
manager.AWSCURRENT = version(SECRET, 30);
const env = { ...manager.env, CALLER_CHECK: 'signature', SIGNING_SECRET_ID: 'login-hooks/signing' };

const answer = sharedFunction('openidLoggedIn', { env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'DEBUG' } });
const GOOD = signed(BODY, { secret: SECRET });

test('a signed request is answered', async () => {
  const { status, record } = await answer(overHttp(BODY, { headers: GOOD }));
  expect([status, record?.reason]).toEqual([200, 'authorized']);
});

describe('refused, whatever is nearly right:', () => {
  const STAMP = Number(GOOD['webhook-timestamp']);
  const SIGNATURE = GOOD['webhook-signature'];
  const FORGED = signed(BODY, { secret: newSecret() })['webhook-signature'];
  const withHeader = (name: string, value: unknown) =>
    overHttp(BODY, { headers: { ...GOOD, [`webhook-${name}`]: value } });

  const SENT = [SECRET.slice(6), SIGNATURE.slice(3), FORGED.slice(3), 'BODY-MARK', 'ada@', 'msg_'];

  test.each<[string, string, object]>([
    ['missing', 'a timestamp that is a number', withHeader('timestamp', STAMP)],
    ['missing', 'a signature that is an empty list', withHeader('signature', [])],
    ['wrong', 'another secret', withHeader('signature', FORGED)],
    ['wrong', 'a byte order mark', overHttp(`\uFEFF${BODY}`, { headers: GOOD })],
  ])('signature_%s: %s', async (reason, _case, event) => {
    const { status, answer: refusal, record, output } = await answer(event);
    expect(record).toMatchObject({ reason: `signature_${reason}`, status: 401 });
    expect([status, refusal.type]).toEqual([401, 'ErrorResponse']);
    for (const part of SENT) expect(output).not.toContain(part);
  });
});
