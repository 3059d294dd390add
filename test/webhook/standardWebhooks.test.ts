/** Which signatures a request may have, part by part, and which secrets are keys. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Invocation, runInInvocation } from '../../lib/deadline.ts';
import type { SignedRequest } from '../../lib/webhook/standardWebhooks.ts';
import samples from '../../secrets.sample.json' with { type: 'json' };
import { failure, playSecretsManager, version } from '../support/secretsManager.ts';
import { newSecret, signed, signedBytes } from '../support/signedRequest.ts';

const manager = await playSecretsManager();
afterAll(() => manager.close());
Object.assign(process.env, manager.env);
const { requireSignature } = await import('../../lib/webhook/standardWebhooks.ts');

const SECRET = newSecret();
const BODY = '{"name":"Ädä"}';
const EXPECTED =
  'expected whsec_ and the base64 of 24 random bytes or more, not the one of secrets.sample.json';

let secretId = 'login-hooks/signing';
beforeEach(() => {
  // Each test has a secret of its own.
  secretId += '-';
  manager.AWSCURRENT = version(SECRET, 30);
  manager.AWSPREVIOUS = failure('ResourceNotFoundException');
});

type Headers = Record<string, string | undefined>;

/** What becomes of a request: nothing, or its refusal. */
function refusalOf(headers: Headers, request: Partial<SignedRequest> = {}) {
  const there = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const http = { headers: new Map(there), body: BODY, isBase64Encoded: false, ...request };
  const login = new Invocation({ awsRequestId: 'request-1' }, null);
  return runInInvocation(login, () => requireSignature(http, secretId)).then(
    () => null,
    (error) => error,
  );
}
const codeOf = async (...args: Parameters<typeof refusalOf>) => (await refusalOf(...args))?.code ?? null;

const GOOD = signed(BODY, { secret: SECRET });
const SIGNATURE = GOOD['webhook-signature'];
const STAMP = GOOD['webhook-timestamp'];
const FORGED = signed(BODY, { secret: newSecret() })['webhook-signature'];
/** Signatures before the right one, in a header of this length. */
const afterOthers = (length: number) => ` ${SIGNATURE}`.padStart(length, 'v1,x ');

describe('a signature', () => {
  test.each<[string, string | null]>([
    [SIGNATURE, null],
    [`${FORGED} ${SIGNATURE}`, null],
    [`${SIGNATURE} ${FORGED}`, null],
    [`v2,x ${SIGNATURE}`, null],
    [`v1, ${SIGNATURE}`, null],
    [afterOthers(8_192), null],
    [afterOthers(8_193), 'signature_malformed'],
    [FORGED, 'signature_wrong'],
    [SIGNATURE.slice(0, -1), 'signature_wrong'],
    [`${SIGNATURE}x`, 'signature_wrong'],
    ['v1,', 'signature_wrong'],
    [SIGNATURE.replace('v1,', 'v2,'), 'signature_malformed'],
    [SIGNATURE.replace('v1,', ''), 'signature_malformed'],
    [SIGNATURE.toUpperCase(), 'signature_malformed'],
    ['', 'signature_missing'],
  ])('%s: %p', async (signature, code) => {
    expect(await codeOf({ ...GOOD, 'webhook-signature': signature })).toBe(code);
  });
});

test.each<[Headers, string]>([
  [{}, 'signature_missing'],
  [{ ...GOOD, 'webhook-id': undefined }, 'signature_missing'],
  [{ ...GOOD, 'webhook-timestamp': undefined }, 'signature_missing'],
  [{ ...GOOD, 'webhook-signature': undefined }, 'signature_missing'],
  [{ ...GOOD, 'webhook-id': '' }, 'signature_missing'],
  [{ ...GOOD, 'webhook-timestamp': '' }, 'signature_missing'],
  [{ ...GOOD, 'webhook-id': 'msg_2' }, 'signature_wrong'],
  [{ ...GOOD, 'webhook-timestamp': String(Number(STAMP) - 1) }, 'signature_wrong'],
  ...[` ${STAMP}`, `+${STAMP}`, `${STAMP}.0`, `${STAMP}x`, '1'.repeat(13), '17e8'].map(
    (stamp): [Headers, string] => [{ ...GOOD, 'webhook-timestamp': stamp }, 'signature_malformed'],
  ),
  [{ ...GOOD, 'webhook-timestamp': '9'.repeat(12) }, 'signature_expired'],
  [{ ...GOOD, 'webhook-timestamp': '0' }, 'signature_expired'],
  ...['msg.1', '.', 'x.', '.x', 'x'.repeat(257)].map((id): [Headers, string] => [
    signed(BODY, { secret: SECRET, id }),
    'signature_malformed',
  ]),
])('refused, with %j: %s', async (headers, code) => {
  expect(await codeOf(headers)).toBe(code);
});

test.each(['x', 'x'.repeat(256), 'mit Leerzeichen', 'ü\n'])('the id may be %j', async (id) => {
  expect(await codeOf(signed(BODY, { secret: SECRET, id }))).toBeNull();
});

describe('what is signed', () => {
  const bytes = Buffer.from([0xff, 0x00, 0x7f]);

  test.each<[string, string | null, Headers, Partial<SignedRequest>]>([
    ['is the body', null, GOOD, {}],
    [
      'is the body, decoded',
      null,
      GOOD,
      { body: Buffer.from(BODY).toString('base64'), isBase64Encoded: true },
    ],
    ['is bytes that are no text', null, signedBytes(bytes, SECRET), { body: '/wB/', isBase64Encoded: true }],
    ['is nothing, where there is no body', null, signed('', { secret: SECRET }), { body: null }],
    ['is nothing, where the body is empty', null, signed('', { secret: SECRET }), { body: '' }],
    ['is not another body', 'signature_wrong', GOOD, { body: `${BODY} ` }],
    ['is not the base64', 'signature_wrong', GOOD, { isBase64Encoded: true }],
    [
      'is well-formed, in the body',
      'signature_malformed',
      signed('\ufffd', { secret: SECRET }),
      { body: '\ud800' },
    ],
    [
      'is well-formed, in the id',
      'signature_malformed',
      { ...signed(BODY, { secret: SECRET, id: '\ufffd' }), 'webhook-id': '\ud800' },
      {},
    ],
  ])('%s: %p', async (_, code, headers, request) => {
    expect(await codeOf(headers, request)).toBe(code);
  });
});

describe('a secret', () => {
  const sample = samples['login-hooks/signing'];

  test.each<[string, string]>([
    ['with whsec_', SECRET],
    ['of base64 alone', SECRET.replace('whsec_', '')],
    ['with white space around it', ` ${SECRET}\n`],
    ['of 24 bytes', newSecret(24)],
    ['of 25 bytes, whose base64 ends with two signs', newSecret(25)],
  ])('is a key: %s', async (_, secret) => {
    manager.AWSCURRENT = version(secret, 30);
    expect(await codeOf(signed(BODY, { secret: secret.trim() }))).toBeNull();
  });

  test.each<[string, string]>([
    ['of 23 bytes', newSecret(23)],
    ['of the sample file', sample],
    ['in words', 'to be set'],
    ['with something before it', `x ${SECRET}`],
    ['with something behind it', `${SECRET}!`],
    ['in JSON', JSON.stringify({ key: SECRET })],
    ['that is empty', ' '],
  ])('is no key: %s', async (_, secret) => {
    manager.AWSCURRENT = version(secret, 30);
    expect(await refusalOf(GOOD)).toMatchObject({
      code: 'secret_unusable',
      details: { secretId, problems: [EXPECTED] },
    });
  });

  test('that was one before a rotation, and is no key, signs nothing', async () => {
    manager.AWSCURRENT = version(SECRET, 0);
    manager.AWSPREVIOUS = version('to be set', 30);
    const unsigned = createHmac('sha256', '').update(`${GOOD['webhook-id']}.${STAMP}.${BODY}`);
    const headers = { ...GOOD, 'webhook-signature': `v1,${unsigned.digest('base64')}` };
    expect(await codeOf(headers)).toBe('signature_wrong');
    expect(await codeOf(GOOD)).toBeNull();
  });
});
