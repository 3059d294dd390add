/** OpenID providers as the doctor sees them: a real one, and documents that no real one would publish. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import type { ListedIssuer } from '../../tools/doctor/issuers.ts';
import { openIdFindings } from '../../tools/doctor/openid.ts';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { sendJson } from '../support/servers.ts';
import { sharedServer, trustedServer } from '../support/sharedServer.ts';
import { publicPart, signingKey } from '../support/signingKeys.ts';

const YEAR_MS = 365 * 86_400_000;

const key = await signingKey('RS256');

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

  test('without such an issuer is an error', async () => {
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
  let metadata: Record<string, unknown>;
  let keys: unknown[];
  const server = trustedServer(({ url = '' }, response) =>
    sendJson(response, url.includes('/.well-known/') ? metadata : { keys }),
  );
  /** Something else on this machine. */
  const local = sharedServer((_, response) => sendJson(response, { keys }));
  const algorithms = (...names: string[]) => ({ id_token_signing_alg_values_supported: names });
  beforeEach(() => {
    const addresses = { jwks_uri: `${server.url}/jwks`, userinfo_endpoint: `${server.url}/me` };
    metadata = { issuer: server.url, ...addresses, ...algorithms('RS256') };
    keys = [publicPart(key)];
  });

  const publish = (changes: object) => () => void Object.assign(metadata, changes);
  const publishKeys = (make: () => unknown) => () => {
    keys = [make()];
  };
  const shortKey = () =>
    generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' }) as JWK;

  test.each<[string, string, () => void]>([
    ['no discovery document', 'discovery_unusable', publish({ issuer: undefined })],
    ['a placeholder', 'discovery_issuer_differs', publish({ issuer: 'https://e/{tenantid}/v2.0' })],
    ['no address of keys', 'key_set_unusable', publish({ jwks_uri: undefined })],
    ['keys by plain http', 'key_set_unusable', publish({ jwks_uri: 'http://a.example/' })],
    ['keys on this machine', 'key_set_unusable', () => publish({ jwks_uri: local.url })()],
    ['what is no key set', 'key_set_unusable', publishKeys(() => 'no key')],
    ['a key for encryption only', 'keys_unusable', publishKeys(() => ({ ...publicPart(key), use: 'enc' }))],
    ['a key that is too short', 'keys_unusable', publishKeys(shortKey)],
    ['a key of another algorithm', 'keys_unusable', publish(algorithms('ES256'))],
    ['a shared secret', 'algorithms_refused', publish(algorithms('HS256'))],
    ['UserInfo here', 'userinfo_missing', () => publish({ userinfo_endpoint: `${local.url}/me` })()],
  ])('%s is the error %s', async (_, code, spoil) => {
    spoil();
    const userinfo = code === 'userinfo_missing';
    expect(await examine(server.url, { userinfo })).toEqual([`error ${code} ${server.url}`]);
    expect(local.requests).toEqual([]);
  });

  const BARE = { kid: undefined, alg: undefined, use: undefined };

  test.each<[string, () => unknown]>([
    ['a key without id, algorithm and use', publishKeys(() => ({ ...publicPart(key), ...BARE }))],
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

const NO_ADDRESSES = [
  'accounts.google.com',
  'https://idp.example/?a',
  'http://localhost:1/#',
  'http://idp.example',
];

test.each(NO_ADDRESSES)('%s is no address to ask', async (issuer) => {
  expect(await examine(issuer)).toEqual([`note issuer_without_address ${issuer}`]);
});
