/** OpenID providers as the doctor sees them: a real one, and documents that no real one would publish. */
import { generateKeyPairSync } from 'node:crypto';
import dns from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { OpenIdIssuer } from '../../lib/issuers.ts';
import { parseMapping, type Rule } from '../../lib/profile/schema/mappingSchema.ts';
import { ofIssuer } from '../../lib/profile/schema/ofIssuer.ts';
import { type Sources, sourcesOf } from '../../lib/profile/sources.ts';
import type { ListedIssuers, MappedIssuer } from '../../tools/doctor/listedIssuers.ts';
import { examineOpenId, type OpenIdFacts } from '../../tools/doctor/openidProviders.ts';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { httpServer, httpsServer, type LocalServer, sendJson } from '../support/servers.ts';
import { publicPart, type SigningKey, signingKey } from '../support/signingKeys.ts';
import { trust } from '../support/trust.ts';

const YEAR_MS = 365 * 86_400_000;
const CLIENT: OpenIdIssuer = { audiences: ['client'], jwks_uri: undefined };

let key: SigningKey;
let newKey: SigningKey;
beforeAll(async () => {
  key = await signingKey('RS256');
  newKey = await signingKey('RS256', 'RS256-2');
});

interface Given {
  settings?: Record<string, OpenIdIssuer>;
  mapped?: Record<string, MappedIssuer>;
  isChecked?: boolean;
  before?: OpenIdFacts;
  nowMs?: number;
}

function examine({ settings = {}, mapped = {}, isChecked = true, before = {}, nowMs = Date.now() }: Given) {
  const listed: ListedIssuers<OpenIdIssuer> = {
    kind: 'OpenID',
    settings: new Map(Object.entries(settings)),
    isChecked,
    mapped: new Map(Object.entries(mapped)),
  };
  return examineOpenId(listed, before, { certificatePercent: 33, nowMs });
}

const codesOf = ({ findings }: { findings: { code: string }[] }) => findings.map(({ code }) => code);

describe('a real provider', () => {
  let provider: OpenIdProvider;
  let distrust: () => void;
  beforeAll(async () => {
    provider = await openIdProvider([key]);
    distrust = trust(provider.ca);
  });
  afterAll(async () => {
    distrust();
    await provider.close();
  });
  beforeEach(() => {
    provider.change([key]);
    provider.answer(null);
  });

  const examined = (issuer = provider.issuer, before: OpenIdFacts = {}) =>
    examine({ settings: { [issuer]: CLIENT }, before });

  test('that is well has its keys in the facts, by thumbprint and id', async () => {
    const keys = { [await calculateJwkThumbprint(key)]: 'RS256-1' };
    expect(await examined()).toEqual({ findings: [], unasked: [], facts: { [provider.issuer]: keys } });
  });

  test('that changed its keys is noted once, with the ids of the keys', async () => {
    const { facts } = await examined();
    provider.change([newKey]);
    const changed = await examined(provider.issuer, facts);
    expect(changed.findings).toMatchObject([
      {
        code: 'keys_changed',
        level: 'note',
        message: expect.stringContaining('new: RS256-2; gone: RS256-1'),
      },
    ]);
    expect((await examined(provider.issuer, changed.facts)).findings).toEqual([]);
  });

  test('of another issuer than the one that is listed is a finding, until that is corrected', async () => {
    const { findings } = await examined(`${provider.issuer}/`);
    expect(findings).toMatchObject([
      { code: 'discovery_issuer_differs', message: expect.stringContaining(` ${provider.issuer}:`) },
    ]);
    expect(codesOf(await examined())).toEqual([]);
  });

  test('that does not know the issuer is a finding', async () => {
    expect(codesOf(await examined(`${provider.issuer}/realms/none`))).toEqual(['discovery_unusable']);
  });

  test('that is down could not be asked, and its facts stay', async () => {
    const { facts } = await examined();
    await provider.whileDown(async () => {
      expect(await examined(provider.issuer, facts)).toEqual({
        findings: [],
        unasked: [{ subject: provider.issuer, message: expect.stringContaining('no connection') }],
        facts,
      });
    });
  });

  test('whose TLS certificate has ended is one finding, and its facts stay', async () => {
    const { facts: before } = await examined();
    const settings = { [provider.issuer]: CLIENT };
    const found = await examine({ settings, before, nowMs: Date.now() + 2 * YEAR_MS });
    expect([codesOf(found), found.unasked, found.facts]).toEqual([['tls_certificate_ended'], [], before]);
  });

  test('that fails could not be asked', async () => {
    provider.answer((_, response) => void response.writeHead(500).end());
    expect(await examined()).toMatchObject({ findings: [], unasked: [{ subject: provider.issuer }] });
  });
});

const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const APPLICATION = '3d2e1f0c-6c5b-4978-a896-6b7a5c4d3e2f';

describe('what is published', () => {
  let server: LocalServer;
  /** Something else on this machine. */
  let local: LocalServer;
  let distrust: () => void;
  let issuer: string;
  let metadata: Record<string, unknown>;
  let keySet: unknown;
  /** Of an application alone; null where it has none. */
  let keySetOfApplication: unknown;
  const lookup = dns.lookup;
  beforeAll(async () => {
    const secure = await httpsServer(
      ({ url = '' }, response) => {
        if (url.includes('/.well-known/')) return sendJson(response, metadata);
        sendJson(response, url.includes('appid=') ? (keySetOfApplication ?? keySet) : keySet);
      },
      ...['localhost', 'login.microsoftonline.com'],
    );
    server = secure;
    local = await httpServer((_, response) => sendJson(response, keySet));
    distrust = trust(secure.ca);
    // The name of Entra's host leads to this machine.
    dns.lookup = ((host: string, options: object, done: never) =>
      lookup(host === 'login.microsoftonline.com' ? 'localhost' : host, options, done)) as typeof lookup;
  });
  afterAll(async () => {
    dns.lookup = lookup;
    distrust();
    await server.close();
    await local.close();
  });
  beforeEach(() => publishAt(server.url));

  function publishAt(place: string): void {
    issuer = place;
    metadata = {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/me`,
      id_token_signing_alg_values_supported: ['RS256'],
    };
    keySet = { keys: [publicPart(key)] };
    keySetOfApplication = null;
  }

  function publish(changes: Record<string, unknown>): Given {
    Object.assign(metadata, changes);
    return {};
  }
  function publishKeys(...keys: unknown[]): Given {
    keySet = { keys };
    return {};
  }

  const atEntra = () =>
    publishAt(`https://login.microsoftonline.com:${new URL(server.url).port}/${TENANT}/v2.0`);

  function mappedBy(rules: Rule[], sources: Partial<Sources> = {}): Record<string, MappedIssuer> {
    return { [issuer]: { sources: { issuer, userinfo: false, graph: null, ...sources }, rules } };
  }

  const signWith = (algorithm: string) => publish({ id_token_signing_alg_values_supported: [algorithm] });

  const withoutUserInfo = (userinfo_endpoint?: string) => () => ({
    ...publish({ userinfo_endpoint }),
    mapped: mappedBy([], { userinfo: true }),
  });

  const shortKey = () =>
    generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' }) as JWK;

  /** What is wrong, and that without it nothing is. */
  test.each<[string, string, () => Given]>([
    ['no discovery document', 'discovery_unusable', () => publish({ issuer: undefined })],
    ['a placeholder', 'discovery_issuer_of_tenants', () => publish({ issuer: 'https://e/{tenantid}/v2.0' })],
    ['no address of keys', 'key_set_unusable', () => publish({ jwks_uri: undefined })],
    [
      'an address of keys that is plain http',
      'key_set_unusable',
      () => publish({ jwks_uri: 'http://a.example/' }),
    ],
    [
      'an address of keys on this machine, where the provider is elsewhere',
      'key_set_unusable',
      () => publish({ jwks_uri: local.url }),
    ],
    ['a document that is not a key set', 'key_set_unusable', () => publishKeys('no key')],
    ['a key for encryption alone', 'keys_unusable', () => publishKeys({ ...publicPart(key), use: 'enc' })],
    ['a key that is too short', 'keys_unusable', () => publishKeys(shortKey())],
    ['a key of another algorithm', 'keys_unusable', () => signWith('ES256')],
    ['signatures that anyone with the secret can make', 'algorithms_refused', () => signWith('HS256')],
    ['no UserInfo, for a mapping that asks it', 'userinfo_missing', withoutUserInfo()],
    [
      'UserInfo by plain http, for a mapping that asks it',
      'userinfo_missing',
      withoutUserInfo('http://idp.example/me'),
    ],
    [
      'UserInfo on this machine, where the provider is elsewhere',
      'userinfo_missing',
      () => withoutUserInfo(`${local.url}/me`)(),
    ],
    [
      'keys of an Entra application of its own',
      'keys_of_application',
      () => {
        atEntra();
        keySetOfApplication = { keys: [publicPart(newKey)] };
        return { settings: { [issuer]: { audiences: [APPLICATION], jwks_uri: undefined } } };
      },
    ],
  ])('%s', async (_, code, spoil) => {
    const settings = () => ({ [issuer]: CLIENT });
    const given = spoil();
    expect(codesOf(await examine({ settings: settings(), ...given }))).toEqual([code]);
    expect(local.requests).toEqual([]);
    publishAt(issuer);
    expect(await examine({ settings: settings(), ...given })).toMatchObject({ findings: [], unasked: [] });
  });

  test('at Entra, keys of an application that the setting names are those', async () => {
    atEntra();
    keySetOfApplication = { keys: [publicPart(newKey)] };
    const own = { audiences: [APPLICATION], jwks_uri: `${issuer}/jwks?appid=${APPLICATION}` };
    const { findings, facts } = await examine({ settings: { [issuer]: own } });
    expect([findings, Object.values(facts[issuer] ?? {})]).toEqual([[], ['RS256-2']]);
  });

  test('without an id or an algorithm, a key is as good as others', async () => {
    const { kid: _, alg: __, use: ___, ...bare } = publicPart(key);
    keySet = { keys: [bare] };
    const { findings, facts } = await examine({ settings: { [issuer]: CLIENT } });
    expect([findings, Object.values(facts[issuer] ?? {})]).toEqual([[], ['']]);
  });

  test.each([7, { a: 1 }, '\u001b[2J'])('a key whose id is %j is named by what can be shown', async (kid) => {
    keySet = { keys: [{ ...publicPart(key), kid }] };
    const { findings, facts } = await examine({ settings: { [issuer]: CLIENT } });
    expect([findings, Object.values(facts[issuer] ?? {})]).toEqual([[], [expect.stringMatching(/^[ -~]*$/)]]);
  });

  test('needs no discovery document where the setting says where the keys are', async () => {
    metadata = {};
    const own = { audiences: ['client'], jwks_uri: `${issuer}/jwks` };
    expect(await examine({ settings: { [issuer]: own } })).toMatchObject({ findings: [], unasked: [] });
  });
});

describe('a mapping and the setting', () => {
  const ENTRA = `https://login.microsoftonline.com/${TENANT}/v2.0`;
  const DENIED = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';
  const overage = { ask: 'graph', secret: 'graph', security_enabled_only: true } as const;
  const parsed = parseMapping({
    issuers: { [ENTRA]: {} },
    groups: { from: ['groups'], overage },
    rules: [{ no_group: [DENIED] }],
  });
  const part = ofIssuer(parsed, ENTRA);
  const sources = part && sourcesOf(part, 'OpenID');
  const HIDDEN = ['graph_hidden_members'];
  test.each<[string, Rule[], string[]]>([
    ['deny', parsed.rules ?? [], HIDDEN],
    ['grant', [{ any_group: [DENIED], message: undefined }], []],
  ])('that ask Graph and %s', async (_, rules, codes) => {
    const found = await examine({ mapped: { [ENTRA]: { sources, rules } }, isChecked: false });
    expect(codesOf(found)).toEqual(codes);
  });

  test.each(['accounts.google.com', 'https://idp.example/?a', 'http://localhost:1/#', 'http://idp.example'])(
    'that list %s, which is no address to ask',
    async (issuer) => {
      const found = await examine({ mapped: { [issuer]: NONE }, isChecked: false });
      expect([codesOf(found), found.unasked]).toEqual([['issuer_without_address'], []]);
    },
  );

  const NONE: MappedIssuer = { sources: null, rules: [] };
  // Nothing listens there: what the lists say does not depend on the providers.
  const [ONE, OTHER] = ['http://localhost:1/one', 'http://localhost:1/other'];
  test.each<[string, Given, string[]]>([
    ['list the same', { settings: { [ONE]: CLIENT }, mapped: { [ONE]: NONE } }, []],
    [
      'has one more in the mapping',
      { settings: { [ONE]: CLIENT }, mapped: { [ONE]: NONE, [OTHER]: NONE } },
      ['issuer_not_in_setting'],
    ],
    ['has one more in the mapping, unchecked', { mapped: { [ONE]: NONE }, isChecked: false }, []],
    [
      'has one more in the setting',
      { settings: { [ONE]: CLIENT, [OTHER]: CLIENT }, mapped: { [ONE]: NONE } },
      ['issuer_not_in_mapping'],
    ],
    ['has no mapping', { settings: { [ONE]: CLIENT } }, []],
  ])('%s', async (_, given, codes) => {
    expect(codesOf(await examine(given))).toEqual(codes);
  });
});
