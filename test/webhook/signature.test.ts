/** Which signatures a request may have, part by part, which secrets are keys, and what becomes of both with time. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Invocation, runInInvocation } from '../../lib/invocation.ts';
import type { SignedRequest } from '../../lib/webhook/signature.ts';
import samples from '../../secrets.sample.json' with { type: 'json' };
import { failure, playSecretsManager, version } from '../support/secretsManager.ts';
import { newSecret, type Signing, signed, signedBytes } from '../support/signedRequest.ts';

const manager = await playSecretsManager();
afterAll(() => manager.close());
Object.assign(process.env, manager.env);
const { requireSignature, signingKeys } = await import('../../lib/webhook/signature.ts');

const SECRET = newSecret();
const BODY = '{"name":"Ädä"}';
const EXPECTED =
  'expected whsec_ and the base64 of 24 random bytes or more, but not the secret of secrets.sample.json';

const NOW = Date.parse('2026-11-21T10:00:00.999Z');
const date = jest.spyOn(Date, 'now');
const uptime = jest.spyOn(process, 'uptime');
let started = process.uptime();
/** Turns both clocks to so many seconds after the test's start. */
function at(seconds: number) {
  uptime.mockReturnValue(started + seconds);
  date.mockReturnValue(NOW + seconds * 1_000);
}
at(0);

let secretId = 'login-hooks/signing';
beforeEach(() => {
  // Each test has a secret of its own, long after the one before.
  secretId += '-';
  started += 10_000;
  at(0);
  manager.AWSCURRENT = version(SECRET, 30);
  manager.AWSPREVIOUS = failure('ResourceNotFoundException');
  manager.requests.length = 0;
});

type Headers = Record<string, string | undefined>;

/** What becomes of a request: nothing, or its refusal. */
function refusalOf(headers: Headers, request: Partial<SignedRequest> = {}) {
  const there = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const http = { headers: new Map(there), body: BODY, isBase64Encoded: false, ...request };
  const login = new Invocation({ awsRequestId: 'request-1' }, null);
  return runInInvocation(login, () =>
    requireSignature(http, { signingSecretId: secretId, secretsFile: null }),
  ).then(
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

test.each<[string, string | null, string]>([
  ['the right one', null, SIGNATURE],
  ['the right one after another', null, `${FORGED} ${SIGNATURE}`],
  ['the right one after an empty one', null, `v1, ${SIGNATURE}`],
  ['the right one at the end of 8,192 characters', null, afterOthers(8_192)],
  ['the right one at the end of 8,193 characters', 'signature_malformed', afterOthers(8_193)],
  ['one by another key', 'signature_wrong', FORGED],
  ['one character less', 'signature_wrong', SIGNATURE.slice(0, -1)],
  ['the right one in another scheme', 'signature_malformed', SIGNATURE.replace('v1,', 'v2,')],
  ['nothing', 'signature_missing', ''],
])('a signature: %s: %p', async (_, code, signature) => {
  expect(await codeOf({ ...GOOD, 'webhook-signature': signature })).toBe(code);
});

test.each<[Headers, string[], Partial<SignedRequest>]>([
  [{ 'webhook-id': undefined }, ['expected the header webhook-id'], {}],
  [{}, ['body: expected text without lone surrogates'], { body: '\ud800' }],
  [{ 'webhook-id': 'a.b' }, ['webhook-id: expected 1 to 256 characters without a full stop'], {}],
  [{ 'webhook-timestamp': `${STAMP}000` }, ['webhook-timestamp: expected seconds since 1970'], {}],
  [{ 'webhook-signature': 'x' }, ['webhook-signature: expected v1, and the signature in base64'], {}],
])('the log says what is wrong, row %#', async (headers, problems, request) => {
  expect((await refusalOf({ ...GOOD, ...headers }, request)).details).toEqual({ problems });
});

describe('refused:', () => {
  test.each<[string, string, () => string]>([
    ['signature_wrong', 'another second', () => String(Number(STAMP) - 1)],
    ['signature_wrong', 'a zero before it', () => `0${STAMP}`],
    ['signature_expired', 'a year to come', () => '9'.repeat(12)],
  ])('%s: as timestamp, %s', async (code, _, timestamp) => {
    expect(await codeOf({ ...GOOD, 'webhook-timestamp': timestamp() })).toBe(code);
  });

  test('an id of 257 characters, rightly signed', async () => {
    const signing = { secret: SECRET, id: 'x'.repeat(257) };
    expect(await codeOf(signed(BODY, signing))).toBe('signature_malformed');
  });
});

describe('what is signed', () => {
  const bytes = Buffer.from([0xff, 0x00, 0x7f]);
  const OF_REPLACEMENT = signed(BODY, { secret: SECRET, id: '\ufffd' });
  const inBase64 = (content: string | Buffer) => ({
    ...{ body: Buffer.from(content as string).toString('base64'), isBase64Encoded: true },
  });

  test.each<[string, string | null, Headers, Partial<SignedRequest>]>([
    ['is the body, decoded', null, GOOD, inBase64(BODY)],
    ['is bytes that are no text', null, signedBytes(bytes, SECRET), inBase64(bytes)],
    ['is nothing, where there is no body', null, signed('', { secret: SECRET }), { body: null }],
    ['has a well-formed id', 'signature_malformed', { ...OF_REPLACEMENT, 'webhook-id': '\ud800' }, {}],
  ])('%s: %p', async (_, code, headers, request) => {
    expect(await codeOf(headers, request)).toBe(code);
  });
});

describe('a secret', () => {
  const sample = samples['login-hooks/signing'];

  test.each<[string, string]>([
    ['of base64 alone', SECRET.replace('whsec_', '')],
    ['with white space around it', ` ${SECRET}\n`],
    ['of 24 bytes', newSecret(24)],
  ])('is a key: %s', async (_, secret) => {
    manager.AWSCURRENT = version(secret, 30);
    expect(await codeOf(signed(BODY, { secret: secret.trim() }))).toBeNull();
  });

  test('is a key: of the sample file, where secrets come from a file', async () => {
    manager.AWSCURRENT = version(sample, 30);
    const keys = await signingKeys({ signingSecretId: secretId, secretsFile: 'secrets.json' });
    expect(keys).toEqual([Buffer.from(sample.replace('whsec_', ''), 'base64')]);
  });

  test.each<[string, string]>([
    ['of 23 bytes', newSecret(23)],
    ['of the sample file', sample],
    ['in words', 'to be set'],
    ['with something before it', `x ${SECRET}`],
    ['with something behind it', `${SECRET}!`],
  ])('cannot be a key: %s', async (_, secret) => {
    manager.AWSCURRENT = version(secret, 30);
    const details = { secretId, problems: [EXPECTED] };
    expect(await refusalOf(GOOD)).toMatchObject({ code: 'secret_unusable', details });
  });

  test('that no setting names is not found', async () => {
    manager.AWSCURRENT = failure('ResourceNotFoundException');
    const http = { headers: new Map(Object.entries(GOOD)), body: BODY, isBase64Encoded: false };
    const asked = requireSignature(http, { signingSecretId: null, secretsFile: null });
    await expect(asked).rejects.toMatchObject({ code: 'secret_not_found', details: { secretId: '' } });
  });

  test('that may not be read lets no request pass, signed or not, and is asked for once', async () => {
    manager.AWSCURRENT = failure('AccessDeniedException');
    for (const headers of [GOOD, {}, { ...GOOD, 'webhook-signature': FORGED }])
      expect(await codeOf(headers)).toBe('secret_access_denied');
    expect(manager.requests).toHaveLength(1);
  });

  test('cannot be a key: bytes', async () => {
    manager.AWSCURRENT = { SecretBinary: btoa(SECRET), CreatedDate: 1 };
    expect(await codeOf(GOOD)).toBe('secret_unusable');
  });

  test.each(['to be set', sample])('before a rotation that is no key signs nothing: %s', async (before) => {
    manager.AWSCURRENT = version(SECRET, 0);
    manager.AWSPREVIOUS = version(before, 30);
    expect(await codeOf(signed(BODY, { secret: sample }))).toBe('signature_wrong');
    const unsigned = createHmac('sha256', '').update(`${GOOD['webhook-id']}.${STAMP}.${BODY}`);
    const headers = { ...GOOD, 'webhook-signature': `v1,${unsigned.digest('base64')}` };
    expect(await codeOf(headers)).toBe('signature_wrong');
    expect(await codeOf(GOOD)).toBeNull();
  });
});

/** What becomes of a request that is signed so. */
const send = (signing: Signing) => codeOf(signed(BODY, signing));
const sendBy = (secret: string) => send({ secret });

const FIVE_MINUTES = 5 * 60;
test.each([
  [FIVE_MINUTES, null],
  [FIVE_MINUTES + 1, 'signature_expired'],
])('signed %i seconds ago: %p', async (ageSeconds, code) => {
  expect(await send({ secret: SECRET, ageSeconds })).toBe(code);
});

const NEW = newSecret();

test('wrong signatures make one refresh in 30 seconds', async () => {
  expect(await sendBy(SECRET)).toBeNull();
  const requests = [2, 2, 2, 3, 3, 4];
  for (const [index, seconds] of [0, 15, 29.9, 31, 59.9, 61.1].entries()) {
    at(seconds);
    for (let count = 0; count < 5; count++) expect(await sendBy(NEW)).toBe('signature_wrong');
    expect(manager.requests.length).toBe(requests[index]);
  }
});

test('a secret is asked for once in five minutes', async () => {
  for (const seconds of [0, 299, 301]) {
    at(seconds);
    expect(await sendBy(SECRET)).toBeNull();
    expect(manager.requests).toHaveLength(seconds < 300 ? 1 : 2);
  }
});

test('the secret before is good for 24 hours, also where it is kept for longer', async () => {
  const oneDayAgo = Math.floor(NOW / 1_000) - 24 * 60 * 60;
  manager.AWSCURRENT = { SecretString: NEW, CreatedDate: oneDayAgo + 60 };
  manager.AWSPREVIOUS = version(SECRET, 30);
  expect(await sendBy(SECRET)).toBeNull();
  at(58);
  expect(await sendBy(SECRET)).toBeNull();
  at(61);
  expect(await sendBy(SECRET)).toBe('signature_wrong');
  expect(await sendBy(NEW)).toBeNull();
});
