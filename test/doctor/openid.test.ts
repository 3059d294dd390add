/** OpenID providers as the doctor sees them: a real one, and documents that no real one would publish. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import type { ListedIssuer } from '../../tools/doctor/issuers.ts';
import { openIdFindings } from '../../tools/doctor/openid.ts';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { httpServer, httpsServer, type LocalServer, sendJson } from '../support/servers.ts';
import { publicPart, type SigningKey, signingKey } from '../support/signingKeys.ts';
import { trust } from '../support/trust.ts';

const YEAR_MS = 365 * 86_400_000;

let key: SigningKey;
beforeAll(async () => {
  key = await signingKey('RS256');
});

const examine = async (issuer: string, more: Partial<ListedIssuer> = {}, nowMs = Date.now()) => {
  const findings = await openIdFindings([{ issuer, userinfo: false, scopes: [], ...more }], nowMs);
  return findings.map(({ level, code, subject }) => `${level} ${code} ${subject}`);
};

describe('a real provider', () => {
  let provider: OpenIdProvider;
  beforeAll(async () => {
    provider = await openIdProvider([key]);
  });
  afterAll(() => provider.close());

  test('that is well has nothing, with UserInfo too', async () => {
    expect(await examine(provider.issuer, { userinfo: true })).toEqual([]);
  });

  test('of another issuer than the one that is listed is an error', async () => {
    const listed = `${provider.issuer}/`;
    expect(await examine(listed)).toEqual([`error discovery_issuer_differs ${listed}`]);
  });

  test('that does not know the issuer is an error', async () => {
    const listed = `${provider.issuer}/realms/none`;
    expect(await examine(listed)).toEqual([`error discovery_unusable ${listed}`]);
  });

  test('whose TLS certificate has ended is one error', async () => {
    const { host } = new URL(provider.issuer);
    const found = await examine(provider.issuer, {}, Date.now() + 2 * YEAR_MS);
    expect(found).toEqual([`error tls_certificate_ended ${host}`]);
  });

  test('that fails or is down could not be asked, which is told once', async () => {
    const inconclusive = [`warning inconclusive ${provider.issuer}`];
    provider.answer((_, response) => void response.writeHead(500).end());
    expect(await examine(provider.issuer)).toEqual(inconclusive);
    provider.answer(null);
    await provider.whileDown(async () => expect(await examine(provider.issuer)).toEqual(inconclusive));
  });
});

describe('what is published', () => {
  let server: LocalServer;
  /** Something else on this machine. */
  let local: LocalServer;
  let distrust: () => void;
  let metadata: Record<string, unknown>;
  let keys: unknown[];
  beforeAll(async () => {
    const secure = await httpsServer(({ url = '' }, response) =>
      sendJson(response, url.includes('/.well-known/') ? metadata : { keys }),
    );
    server = secure;
    local = await httpServer((_, response) => sendJson(response, { keys }));
    distrust = trust(secure.ca);
  });
  afterAll(async () => {
    distrust();
    await server.close();
    await local.close();
  });
  beforeEach(() => {
    metadata = {
      issuer: server.url,
      jwks_uri: `${server.url}/jwks`,
      userinfo_endpoint: `${server.url}/me`,
      id_token_signing_alg_values_supported: ['RS256'],
    };
    keys = [publicPart(key)];
  });

  const publish = (changes: object) => () => void Object.assign(metadata, changes);
  const publishKeys = (make: () => unknown) => () => {
    keys = [make()];
  };
  const shortKey = () =>
    generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' }) as JWK;
  const USERINFO = { userinfo: true };

  test.each<[string, string, () => void, Partial<ListedIssuer>?]>([
    ['no discovery document', 'discovery_unusable', publish({ issuer: undefined })],
    ['a placeholder', 'discovery_issuer_differs', publish({ issuer: 'https://e/{tenantid}/v2.0' })],
    ['no address of keys', 'key_set_unusable', publish({ jwks_uri: undefined })],
    ['keys by plain http', 'key_set_unusable', publish({ jwks_uri: 'http://a.example/' })],
    ['keys on this machine', 'key_set_unusable', () => publish({ jwks_uri: local.url })()],
    ['what is no key set', 'key_set_unusable', publishKeys(() => 'no key')],
    ['a key for encryption only', 'keys_unusable', publishKeys(() => ({ ...publicPart(key), use: 'enc' }))],
    ['a key that is too short', 'keys_unusable', publishKeys(shortKey)],
    [
      'a key of another algorithm',
      'keys_unusable',
      publish({ id_token_signing_alg_values_supported: ['ES256'] }),
    ],
    ['a shared secret', 'algorithms_refused', publish({ id_token_signing_alg_values_supported: ['HS256'] })],
    ['no UserInfo', 'userinfo_missing', publish({ userinfo_endpoint: undefined }), USERINFO],
    [
      'UserInfo by plain http',
      'userinfo_missing',
      publish({ userinfo_endpoint: 'http://a.example/me' }),
      USERINFO,
    ],
    [
      'UserInfo on this machine',
      'userinfo_missing',
      () => publish({ userinfo_endpoint: `${local.url}/me` })(),
      USERINFO,
    ],
  ])('%s is the error %s', async (_, code, spoil, more = {}) => {
    spoil();
    expect(await examine(server.url, more)).toEqual([`error ${code} ${server.url}`]);
    expect(local.requests).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    [
      'a key without id, algorithm and use',
      publishKeys(() => ({ ...publicPart(key), kid: undefined, alg: undefined, use: undefined })),
    ],
    ['a key beside one that is too short', () => keys.unshift(shortKey())],
    ['no list of algorithms', publish({ id_token_signing_alg_values_supported: undefined })],
    ['no UserInfo, for a mapping that does not ask', publish({ userinfo_endpoint: undefined })],
  ])('%s is well', async (_, change) => {
    change();
    expect(await examine(server.url)).toEqual([]);
  });

  test('needs no discovery document where the setting says where the keys are', async () => {
    metadata = {};
    expect(await examine(server.url, { jwksUri: `${server.url}/jwks` })).toEqual([]);
  });
});

test.each(['accounts.google.com', 'https://idp.example/?a', 'http://localhost:1/#', 'http://idp.example'])(
  '%s is no address to ask',
  async (issuer) => {
    expect(await examine(issuer)).toEqual([`note issuer_without_address ${issuer}`]);
  },
);
