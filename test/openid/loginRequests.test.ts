/** Where the keys come from, how often they are asked for, and what becomes of a login while they cannot be had. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, type JWK } from 'jose';
import { DIST } from '../../tools/build.ts';
import {
  AUDIENCES,
  type CheckedLogins,
  checkedLogins,
  settings,
  TELLTALE,
  withCheckedLogins,
} from '../support/checkedLogins.ts';
import { customHandler } from '../support/customHandler.ts';
import { eventOf, logInByCode, type OpenIdEvent } from '../support/openIdLogin.ts';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { publicPart, type SigningKey, sign, signingKey } from '../support/signingKeys.ts';
import { type StaticIssuer, staticIssuers } from '../support/staticIssuers.ts';

const DISCOVERY = '/.well-known/openid-configuration';
const AUTHORIZED = { reason: 'authorized' };
const UNAVAILABLE = {
  type: 'ErrorResponse',
  reason: 'keys_unavailable',
  record: { status: 500 },
  handlerRan: false,
};

let key: SigningKey;
let newKey: SigningKey;
let provider: OpenIdProvider;
let event: OpenIdEvent;
let lenient: { OPENID_HANDLER_MODULE: string };

beforeAll(async () => {
  key = await signingKey('RS256');
  newKey = await signingKey('RS256', 'RS256-2');
  provider = await openIdProvider([key]);
  event = eventOf(await logInByCode(provider));
  lenient = { OPENID_HANDLER_MODULE: await customHandler(TELLTALE) };
});
beforeEach(() => {
  provider.requests.length = 0;
});
afterEach(() => {
  provider.answer(null);
  provider.change([key]);
});
afterAll(() => provider.close());

/** A token of the provider's under a key id that it never published. */
async function ofUnknownKey(by = key, kid = 'made up'): Promise<OpenIdEvent> {
  return { ...event, idTokenJwt: await sign(decodeJwt(event.idTokenJwt), by, { kid }) };
}

const asked = () => ({ discovery: provider.count(DISCOVERY), keys: provider.count('/jwks') });

describe('keys', () => {
  test('are asked for once, and kept for the logins after', async () => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      for (let login = 0; login < 3; login++) expect(await send(event)).toMatchObject(AUTHORIZED);
      expect(asked()).toEqual({ discovery: 1, keys: 1 });
    });
  });

  test('are asked for once by many logins at once', async () => {
    const module = pathToFileURL(join(DIST, 'functions/openidLoggedIn.mjs')).href;
    const script = await customHandler(`
      const { handler } = await import(${JSON.stringify(module)});
      const login = (_, index) => handler(${JSON.stringify(event)}, { awsRequestId: String(index), getRemainingTimeInMillis: () => 9_000 });
      const answers = await Promise.all(Array.from({ length: 200 }, login));
      console.log(answers.filter(({ type }) => type === 'ErrorResponse').length);`);
    const env = { ...(await settings([provider])), AWS_LAMBDA_LOG_LEVEL: 'FATAL' };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    // The provider keeps the profile for UserInfo: what the default handler misses shows that it was reached.
    expect(stdout.trim()).toBe('200');
    expect(asked()).toEqual({ discovery: 1, keys: 1 });
  });

  test('are asked for where the setting says, without discovery', async () => {
    const listed = { audiences: AUDIENCES, jwks_uri: `${provider.issuer}/jwks` };
    const OPENID_ISSUERS = JSON.stringify({ [provider.issuer]: listed });
    await withCheckedLogins([provider], { ...lenient, OPENID_ISSUERS }, async ({ send }) => {
      expect(await send(event)).toMatchObject(AUTHORIZED);
      expect(asked()).toEqual({ discovery: 0, keys: 1 });
    });
  });

  test('are asked for by nobody whose issuer is not listed', async () => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      const foreign = { ...event, idToken: { ...event.idToken, iss: `${provider.issuer}/realm` } };
      expect(await send(foreign)).toMatchObject({ reason: 'token_issuer_refused' });
      expect(provider.requests).toEqual([]);
    });
  });
});

describe('a key that is not known', () => {
  test('is asked for once, and not again for every made-up id', async () => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      expect(await send(event)).toMatchObject(AUTHORIZED);
      for (const kid of ['made up', 'another', 'a third']) {
        const refused = { reason: 'token_key_unknown', handlerRan: false };
        expect(await send(await ofUnknownKey(key, kid))).toMatchObject(refused);
        expect(asked()).toEqual({ discovery: 1, keys: 2 });
      }
      expect(await send(event)).toMatchObject(AUTHORIZED);
    });
  });

  test('is asked for by many logins at once no more than twice', async () => {
    const module = pathToFileURL(join(DIST, 'functions/openidLoggedIn.mjs')).href;
    const script = await customHandler(`
      const { handler } = await import(${JSON.stringify(module)});
      const login = (_, index) => handler(${JSON.stringify(await ofUnknownKey())}, { awsRequestId: String(index), getRemainingTimeInMillis: () => 9_000 });
      const answers = await Promise.all(Array.from({ length: 50 }, login));
      console.log(answers.filter(({ message }) => /could not be confirmed/.test(message)).length);`);
    const env = { ...(await settings([provider])), AWS_LAMBDA_LOG_LEVEL: 'FATAL' };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    expect(stdout.trim()).toBe('50');
    expect(asked()).toEqual({ discovery: 1, keys: 2 });
  });

  test.each([
    ['on a cold process', false],
    ['right after the old ones were fetched', true],
  ])('is accepted once the provider has it: %s', async (_, isWarm) => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      if (isWarm) expect(await send(event)).toMatchObject(AUTHORIZED);
      provider.change([newKey, key]);
      const ofNewKey = eventOf(await logInByCode(provider));
      provider.requests.length = 0;
      expect(await send(ofNewKey)).toMatchObject(AUTHORIZED);
      expect(await send(event)).toMatchObject(AUTHORIZED);
      expect(provider.count('/jwks')).toBe(1);
    });
  });

  test('takes the place of one that is withdrawn', async () => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      expect(await send(event)).toMatchObject(AUTHORIZED);
      provider.change([newKey]);
      expect(await send(eventOf(await logInByCode(provider)))).toMatchObject(AUTHORIZED);
      expect(await send(event)).toMatchObject({ reason: 'token_key_unknown', handlerRan: false });
    });
  });
});

describe('a provider that is down', () => {
  type Answer = (response: ServerResponse) => void;
  const DEADLINE = { HANDLER_TIMEOUT_MS: '1000' };

  test.each<[string, Answer]>([
    ['hangs', () => {}],
    ['sends headers and no body', (response) => response.writeHead(200).flushHeaders()],
    ['fails', (response) => response.writeHead(500).end()],
    ['asks for patience', (response) => response.writeHead(503, { 'retry-after': '5' }).end()],
    [
      'shows a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Soon!</p>'),
    ],
    ['shows an empty object', (response) => response.writeHead(200).end('{}')],
    ['sends more than anybody needs', (response) => response.writeHead(200).end(' '.repeat(2_000_000))],
    ['leads elsewhere', (response) => response.writeHead(302, { location: 'https://evil.example/' }).end()],
    ['hangs up', (response) => response.destroy()],
  ])('that %s: an error in time, and the next login succeeds when it is back', async (_, answer) => {
    await withCheckedLogins([provider], { ...lenient, ...DEADLINE }, async ({ send }) => {
      provider.answer((_, response) => answer(response));
      const outcome = await send(event);
      expect(outcome).toMatchObject(UNAVAILABLE);
      expect(outcome.record.durationMs).toBeLessThan(1_500);
      provider.answer(null);
      expect(await send(event)).toMatchObject(AUTHORIZED);
    });
  });

  test('that refuses connections: the same; and with the keys that are kept, logins go on', async () => {
    await withCheckedLogins([provider], { ...lenient, ...DEADLINE }, async ({ send }) => {
      await provider.whileDown(async () => {
        const outcome = await send(event);
        expect(outcome).toMatchObject({ ...UNAVAILABLE, record: { cause: 'lookup_connection_failed' } });
        expect(outcome.record.durationMs).toBeLessThan(1_500);
      });
      expect(await send(event)).toMatchObject(AUTHORIZED);
      await provider.whileDown(async () => {
        expect(await send(event)).toMatchObject(AUTHORIZED);
        // Nothing is known of such a token, good or bad.
        expect(await send(await ofUnknownKey())).toMatchObject(UNAVAILABLE);
        expect(await send(event)).toMatchObject(AUTHORIZED);
      });
    });
  });

  test('that hangs at its keys alone', async () => {
    await withCheckedLogins([provider], { ...lenient, ...DEADLINE }, async ({ send }) => {
      const listed = provider.issuer;
      provider.answer(({ url }, response) => {
        if (url === DISCOVERY) response.end(JSON.stringify({ issuer: listed, jwks_uri: `${listed}/jwks` }));
      });
      expect(await send(event)).toMatchObject({ ...UNAVAILABLE, record: { cause: 'deadline' } });
      provider.answer(null);
      expect(await send(event)).toMatchObject(AUTHORIZED);
      expect(asked()).toEqual({ discovery: 1, keys: 2 });
    });
  });

  test('whose certificate is not trusted', async () => {
    const { OPENID_ISSUERS } = await settings([provider]);
    const env = { ...lenient, OPENID_ISSUERS: OPENID_ISSUERS ?? '' };
    await withCheckedLogins([], env, async ({ send }) => {
      const cause = 'lookup_connection_failed';
      expect(await send(event)).toMatchObject({ ...UNAVAILABLE, record: { cause } });
      expect(provider.requests).toEqual([]);
    });
  });
});

describe('an issuer’s documents', () => {
  /** Those that no test has taken yet. */
  let issuers: StaticIssuer[];
  let close: () => Promise<void>;
  let logins: CheckedLogins;
  /** The test's own. */
  let issuer: StaticIssuer;

  beforeAll(async () => {
    const made = await staticIssuers(40);
    logins = await checkedLogins(made.issuers, lenient);
    issuers = [...made.issuers];
    close = made.close;
  });
  beforeEach(() => {
    issuer = issuers.pop() as StaticIssuer;
    issuer.publish(publicPart(key));
  });
  afterAll(() => Promise.all([logins.stop(), close()]));

  const send = async (by: SigningKey, header?: object) => logins.send(await issuer.event(by, header));

  test('are used where they are in order', async () => {
    expect(await send(key)).toMatchObject(AUTHORIZED);
  });

  test.each<[string, () => object]>([
    ['another issuer', () => ({ issuer: 'https://evil.example' })],
    ['an issuer with a slash more', () => ({ issuer: `${issuer.issuer}/` })],
    ['no issuer', () => ({ issuer: undefined })],
    ['a list of issuers', () => ({ issuer: [issuer.issuer] })],
    ['keys over plain http', () => ({ jwks_uri: issuer.issuer.replace('https', 'http').concat('/jwks') })],
    ['keys in a file', () => ({ jwks_uri: 'file:///etc/passwd' })],
    ['keys in the document', () => ({ jwks_uri: 'data:application/json,{}' })],
    ['keys at no address', () => ({ jwks_uri: 'https://' })],
    ['no address of keys', () => ({ jwks_uri: undefined })],
  ])('name %s: no keys are had', async (_, change) => {
    Object.assign(issuer.metadata as object, change());
    expect(await send(key)).toMatchObject({ ...UNAVAILABLE, record: { cause: 'lookup_unexpected' } });
    expect(issuer.requests).toEqual(['metadata']);
  });

  test('may hold a hundred keys', async () => {
    const others = Array.from({ length: 99 }, (_, index) => ({
      ...publicPart(newKey),
      kid: `other-${index}`,
    }));
    issuer.publish(...others, { ...publicPart(key), key_ops: ['verify'] });
    expect(await send(key)).toMatchObject(AUTHORIZED);
  });

  /** In the worst order for who compares each with each. */
  const withOperations = (count: number): JWK => ({
    ...publicPart(key),
    key_ops: [...Array.from({ length: count - 1 }, (_, index) => `operation-${index}`), 'verify'],
  });

  const weakKey = (): JWK => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    return { ...publicKey.export({ format: 'jwk' }), alg: 'RS256' } as JWK;
  };

  test.each<[string, () => unknown, string]>([
    ['no list', () => ({ keys: publicPart(key) }), 'lookup_unexpected'],
    ['a list of texts', () => ({ keys: ['x'] }), 'lookup_unexpected'],
    ['null', () => null, 'lookup_unexpected'],
    ['more than a hundred', () => ({ keys: Array(101).fill(publicPart(key)) }), 'lookup_unexpected'],
    ['one of many operations', () => ({ keys: [withOperations(21)] }), 'lookup_unexpected'],
    ['the private key', () => ({ keys: [key] }), 'key_unusable'],
    ['a key that is too short', () => ({ keys: [{ ...weakKey(), kid: key.kid }] }), 'key_unusable'],
    ['a key with parts missing', () => ({ keys: [{ kty: 'RSA', kid: key.kid }] }), 'key_unusable'],
  ])('hold %s as keys: none is had', async (_, keySet, cause) => {
    issuer.keySet = keySet();
    expect(await send(key)).toMatchObject({ ...UNAVAILABLE, record: { cause } });
  });

  test.each<[string, () => JWK[]]>([
    ['are for encryption', () => [{ ...publicPart(key), use: 'enc' }]],
    ['are none', () => []],
    ['are secrets', () => [{ kty: 'oct', k: 'AAAA', kid: key.kid }]],
    ['are of another kind', () => [{ ...publicPart(key), kty: 'EC' }]],
  ])('hold keys that %s: unknown', async (_, keys) => {
    issuer.publish(...keys());
    expect(await send(key)).toMatchObject({ reason: 'token_key_unknown', handlerRan: false });
  });

  test('may hold keys that nobody here knows', async () => {
    issuer.publish({ kty: 'new', kid: 'x' }, { kty: 'OKP', crv: 'X448', x: 'AAAA' }, publicPart(key));
    expect(await send(key)).toMatchObject(AUTHORIZED);
  });

  describe('with keys that have no id', () => {
    const withoutId = ({ kid: _, ...jwk }: JWK): JWK => publicPart(jwk);
    const sendBy = (by: SigningKey) => send(by, { kid: undefined });

    test.each<[string, () => JWK[]]>([
      ['one', () => [key]],
      ['several', () => [newKey, key]],
      ['several, one of them too short', () => [weakKey(), key, newKey]],
      ['several, one of them with parts missing', () => [{ kty: 'RSA' }, key]],
      ['several, one of them of another use', () => [{ ...newKey, use: 'enc' }, key]],
    ])('%s: a token fits or does not', async (_, keys) => {
      issuer.publish(...keys().map(withoutId));
      const stranger = await signingKey('RS256');
      expect(await sendBy(key)).toMatchObject(AUTHORIZED);
      const refused = { reason: 'token_signature_wrong', handlerRan: false };
      expect(await sendBy(stranger)).toMatchObject(refused);
      expect(await sendBy(stranger)).toMatchObject(refused);
      // Once for the first, once more because there might be a new one.
      expect(issuer.requests).toEqual(['metadata', 'keySet', 'keySet']);
    });

    test('a new one is found by a signature that does not fit', async () => {
      issuer.publish(withoutId(key));
      expect(await sendBy(key)).toMatchObject(AUTHORIZED);
      issuer.publish(withoutId(newKey));
      expect(await sendBy(newKey)).toMatchObject(AUTHORIZED);
      expect(issuer.requests).toEqual(['metadata', 'keySet', 'keySet']);
    });
  });

  test('several keys of one id: each is tried', async () => {
    issuer.publish({ ...publicPart(newKey), kid: key.kid }, publicPart(key));
    expect(await send(key)).toMatchObject(AUTHORIZED);
    expect(await send({ ...newKey, kid: key.kid })).toMatchObject(AUTHORIZED);
  });

  test('of one issuer say nothing of another', async () => {
    const another = issuers.pop() as StaticIssuer;
    another.publish(publicPart(newKey));
    expect(await send(key)).toMatchObject(AUTHORIZED);
    expect(await logins.send(await another.event(newKey))).toMatchObject(AUTHORIZED);
    const refused = { reason: 'token_key_unknown', handlerRan: false };
    expect(await logins.send(await another.event(key))).toMatchObject(refused);
    expect(await send(newKey)).toMatchObject(refused);
    another.metadata = {};
    expect(await logins.send(await another.event(newKey))).toMatchObject(AUTHORIZED);
  });
});

describe('a provider on this machine over plain HTTP', () => {
  const authorizedBy = async (change: (issuer: StaticIssuer) => void) => {
    const { issuers, close } = await staticIssuers(1, { isSecure: false });
    const [issuer] = issuers as [StaticIssuer];
    issuer.publish(publicPart(key));
    change(issuer);
    try {
      const env = { ...lenient, NODE_EXTRA_CA_CERTS: '' };
      return await withCheckedLogins([issuer], env, async ({ send }) => send(await issuer.event(key)));
    } finally {
      await close();
    }
  };

  test('is asked for its keys', async () => {
    expect(await authorizedBy(() => {})).toMatchObject(AUTHORIZED);
  });

  test.each(['http://keys.example.org/jwks', 'http://localhost.example.org/jwks', 'ftp://localhost/jwks'])(
    'has no keys at %s',
    async (jwks_uri) => {
      const outcome = await authorizedBy((issuer) => {
        issuer.metadata = { issuer: issuer.issuer, jwks_uri };
      });
      expect(outcome).toMatchObject({ ...UNAVAILABLE, record: { status: 500, cause: 'lookup_unexpected' } });
    },
  );
});
