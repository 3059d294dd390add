/** Where an issuer's keys come from, which ones are accepted, and how often they are asked for. */
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { JWK } from 'jose';
import type { OpenIdIssuer } from '../../lib/issuers.ts';
import { keysOf } from '../../lib/openid/issuerKeys.ts';
import { verifySignature } from '../../lib/openid/signedToken.ts';
import { LoginError } from '../../lib/reasons.ts';
import { inLogin } from '../support/logins.ts';
import { sendJson } from '../support/servers.ts';
import { sharedServer, trustedServer } from '../support/sharedServer.ts';
import { publicPart, type SigningKey, sign, signingKey } from '../support/signingKeys.ts';

const AUDIENCES: OpenIdIssuer = { audiences: ['client'] };
const DISCOVERY = '/.well-known/openid-configuration';

let key: SigningKey;
let newKey: SigningKey;

/** What is published, whatever JSON it is. */
let metadata: Record<string, unknown>;
let keySet: unknown;
/** What is sent in place of the documents; null: nothing. */
let instead: ((response: ServerResponse) => void) | null;
let requests: string[];
/** The responses that have not ended. */
const open = new Set<ServerResponse>();

const serve = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
  const path = url.replace(/^\/\d+/, '');
  requests.push(path);
  open.add(response);
  response.on('close', () => open.delete(response));
  if (instead) instead(response);
  else if (path === DISCOVERY) sendJson(response, metadata);
  else sendJson(response, keySet);
};
const plain = sharedServer(serve);
const secure = trustedServer(serve);
beforeAll(async () => {
  key = await signingKey('RS256');
  newKey = await signingKey('RS256', 'RS256-2');
});

let started = 100_000;
let count = 0;
let issuer: string;
/** A new issuer for each test, long after the one before. */
function newIssuer(server = secure): void {
  issuer = `${server.url}/${++count}`;
  metadata = { issuer, jwks_uri: `${issuer}/jwks` };
  keySet = { keys: [publicPart(key)] };
  instead = null;
  requests = [];
  started += 10_000;
  at(0);
  // The waiting before another try is random: here it is none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
}
beforeEach(() => newIssuer());
afterEach(() => {
  instead = null;
  for (const response of open) response.destroy();
});
function at(seconds: number): void {
  jest.spyOn(process, 'uptime').mockReturnValue(started + seconds);
}

/** The ids of the keys; or what the log says of their failure. */
const ids = (settings = AUDIENCES, options = {}) =>
  keysOf(issuer, settings, options).then(
    (keys) => keys.jwks().keys.map(({ kid }) => kid),
    (error) => {
      expect(error).toBeInstanceOf(LoginError);
      return { code: error.code, ...error.details };
    },
  );
/** What becomes of a token: null, or the code of its refusal, with the cause. */
const verified = async (by: SigningKey, header?: object) =>
  verifySignature(await sign({ sub: 'ada' }, by, header), issuer, AUDIENCES).then(
    () => null,
    ({ code, details }) => [code, ...('cause' in details ? [details.cause] : [])],
  );
const unavailable = (cause: string) => ['keys_unavailable', cause];
const REFUSED_DOCUMENT = { code: 'keys_unavailable', cause: 'lookup_unexpected' };

describe('keys', () => {
  test('are asked for by discovery, and serve for ten minutes; the document does for an hour', async () => {
    for (const seconds of [0, 599, 600, 1_199, 1_200, 1_800, 2_400, 3_000, 3_600]) {
      at(seconds);
      expect(await ids()).toEqual(['RS256-1']);
    }
    expect(requests.filter((path) => path === DISCOVERY)).toHaveLength(2);
    expect(requests.slice(0, 3)).toEqual([DISCOVERY, '/jwks', '/jwks']);
    expect(requests).toHaveLength(2 + 7);
  });

  test('are asked for where the setting says, without discovery', async () => {
    expect(await ids({ ...AUDIENCES, jwks_uri: `${issuer}/other` })).toEqual(['RS256-1']);
    expect(requests).toEqual(['/other']);
  });

  test('are refreshed where a token asks for it, at most once in 30 seconds', async () => {
    const REFRESH = { refresh: true };
    const first = await keysOf(issuer, AUDIENCES);
    const second = await keysOf(issuer, AUDIENCES, REFRESH);
    expect(second).not.toBe(first);
    at(29);
    expect(await keysOf(issuer, AUDIENCES, REFRESH)).toBe(second);
    expect(await keysOf(issuer, AUDIENCES)).toBe(second);
    at(31);
    expect(await keysOf(issuer, AUDIENCES)).toBe(second);
    expect(await keysOf(issuer, AUDIENCES, REFRESH)).not.toBe(second);
    expect(requests).toEqual([DISCOVERY, '/jwks', '/jwks', '/jwks']);
  });
});

describe('the discovery document', () => {
  const http = (url: string) => url.replace('https:', 'http:');

  test.each<[string, () => object]>([
    ['another issuer', () => ({ issuer: 'https://evil.example' })],
    ['no issuer', () => ({ issuer: undefined })],
    ['keys over plain http', () => ({ jwks_uri: 'http://keys.example.org/jwks' })],
    ['keys over plain http on this machine', () => ({ jwks_uri: `${http(plain.url)}/1/jwks` })],
    ['keys in a file', () => ({ jwks_uri: 'file:///etc/passwd' })],
    ['no address of keys', () => ({ jwks_uri: undefined })],
  ])('that names %s gives no keys', async (_, change) => {
    Object.assign(metadata, change());
    expect(await ids()).toMatchObject(REFUSED_DOCUMENT);
    expect(requests).toEqual([DISCOVERY]);
  });

  describe('of an issuer on this machine over plain HTTP', () => {
    beforeEach(() => newIssuer(plain));

    test.each([plain, secure])('gives keys, on this machine or over https: %#', async (server) => {
      metadata.jwks_uri = `${server.url}/${count}/jwks`;
      expect(await ids()).toEqual(['RS256-1']);
    });

    test.each(['http://keys.example.org', 'http://localhost.example.org', 'ftp://localhost'])(
      'gives no keys at %s',
      async (url) => {
        metadata.jwks_uri = `${url}/jwks`;
        expect(await ids()).toMatchObject(REFUSED_DOCUMENT);
        expect(requests).toEqual([DISCOVERY]);
      },
    );
  });
});

describe('a key set', () => {
  const withOperations = (key_ops: unknown) => ({ ...publicPart(key), key_ops }) as JWK;
  const operations = (count: number) => [...Array.from({ length: count - 1 }, String), 'verify'];
  const others = (number: number) =>
    Array.from({ length: number }, (_, index) => ({ ...publicPart(newKey), kid: `other-${index}` }));
  const weakKey = (): JWK => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    return { ...publicKey.export({ format: 'jwk' }), alg: 'RS256' } as JWK;
  };

  test.each<[string, () => unknown]>([
    ['a hundred keys', () => [...others(99), publicPart(key)]],
    ['a key for its operation', () => [withOperations(['verify'])]],
    ['keys that nobody knows', () => [{ kty: 'new' }, { kty: 'OKP', crv: 'X448', x: 'A' }, publicPart(key)]],
    ['several keys of one id', () => [{ ...publicPart(newKey), kid: key.kid }, publicPart(key)]],
  ])('may hold %s', async (_, keys) => {
    keySet = { keys: keys() };
    expect(await verified(key)).toBeNull();
  });

  test('may hold a key of twenty operations', async () => {
    keySet = { keys: [withOperations(operations(20))] };
    expect(await ids()).toEqual(['RS256-1']);
  });

  test.each<[string, () => unknown, string]>([
    ['no list', () => ({ keys: publicPart(key) }), 'lookup_unexpected'],
    ['a list of texts', () => ({ keys: ['x'] }), 'lookup_unexpected'],
    ['a key of no type', () => ({ keys: [{ kid: 'x' }] }), 'lookup_unexpected'],
    ['101 keys', () => ({ keys: [...others(100), publicPart(key)] }), 'lookup_unexpected'],
    ['one of 21 operations', () => ({ keys: [withOperations(operations(21))] }), 'lookup_unexpected'],
    ['the private key', () => ({ keys: [key] }), 'key_unusable'],
    ['a key that is too short', () => ({ keys: [{ ...weakKey(), kid: key.kid }] }), 'key_unusable'],
    ['a key with parts missing', () => ({ keys: [{ kty: 'RSA', kid: key.kid }] }), 'key_unusable'],
  ])('that holds %s gives no keys', async (_, made, cause) => {
    keySet = made();
    expect(await verified(key)).toEqual(unavailable(cause));
  });

  test.each<[string, () => unknown]>([
    ['are for encryption', () => [{ ...publicPart(key), use: 'enc' }]],
    ['are none', () => []],
    ['are secrets', () => [{ kty: 'oct', k: 'AAAA', kid: key.kid }]],
    ['have operations in another form', () => [withOperations('sign')]],
  ])('whose keys %s does not know a token’s', async (_, keys) => {
    keySet = { keys: keys() };
    expect(await verified(key)).toEqual(['token_key_unknown']);
  });

  test.each<[string, () => JWK[]]>([
    ['one', () => [key]],
    ['several, one of them too short', () => [weakKey(), key, newKey]],
    ['several, one of them with parts missing', () => [{ kty: 'RSA' }, key]],
  ])('may hold keys without id, %s: a token fits or does not', async (_, keys) => {
    keySet = { keys: keys().map(({ kid: __, ...jwk }) => publicPart(jwk)) };
    const stranger = await signingKey('RS256');
    expect(await verified(key, { kid: undefined })).toBeNull();
    for (let login = 0; login < 2; login++) {
      expect(await verified(stranger, { kid: undefined })).toEqual(['token_signature_wrong']);
    }
    // Once for the first, once more because there might be a new one.
    expect(requests).toEqual([DISCOVERY, '/jwks', '/jwks']);
  });
});

describe('an issuer that is down', () => {
  test.each<[string, (response: ServerResponse) => void, object]>([
    ['fails', (response) => response.writeHead(501).end(), { cause: 'lookup_status', lookUpStatus: 501 }],
    ['shows a page', (response) => response.end('<p>Soon!</p>'), { cause: 'lookup_not_json' }],
    ['sends too much', (response) => response.end(' '.repeat(2_000_000)), { cause: 'lookup_too_large' }],
    ['leads elsewhere', leadElsewhere, { cause: 'lookup_redirected', lookUpStatus: 302 }],
  ])('and %s gives no keys, until it is back', async (_, answer, details) => {
    instead = answer;
    const { host } = new URL(secure.url);
    expect(await ids()).toMatchObject({ code: 'keys_unavailable', host, ...details });
    instead = null;
    expect(await ids()).toEqual(['RS256-1']);
  });

  function leadElsewhere(response: ServerResponse) {
    response.writeHead(302, { location: 'https://evil.example/' }).end();
  }

  test.each<[string, (response: ServerResponse) => void]>([
    ['hangs', () => {}],
    ['hangs at its keys alone', (response) => requests.length === 1 && sendJson(response, metadata)],
  ])('and %s ends with the login, until it is back', async (_, answer) => {
    instead = answer;
    const late = new LoginError('keys_unavailable', { cause: 'deadline' });
    const asked = inLogin(() => keysOf(issuer, AUDIENCES), { ms: 100, expire: () => late });
    await expect(asked).rejects.toBe(late);
    instead = null;
    expect(await inLogin(() => ids())).toEqual(['RS256-1']);
  });

  test('leaves the cached keys in use, for tokens that they fit', async () => {
    expect(await verified(key)).toBeNull();
    instead = (response) => response.writeHead(501).end();
    expect(await verified(newKey)).toEqual(unavailable('lookup_status'));
    expect(await verified(key)).toBeNull();
    at(600);
    expect(await verified(key)).toEqual(unavailable('lookup_status'));
  });
});
