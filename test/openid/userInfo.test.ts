import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { getEmail } from '../../lib/sdk.ts';
import { type Probe, startProbe } from '../support/probe.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';

let probe: Probe;
let provider: LocalServer;
/** Open until the end: a later provider at the address of an earlier one would be taken for it. */
const providers: LocalServer[] = [];
let discovery: Record<string, unknown>;
let claims: Record<string, unknown>;
/** What the provider says of the access token where it refuses it. */
let refusal: string | null;

beforeAll(async () => {
  probe = await startProbe();
});
beforeEach(async () => {
  provider = await httpServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration') return sendJson(response, discovery);
    if (refusal !== null) {
      response.setHeader('www-authenticate', refusal);
      return sendJson(response, {}, 401);
    }
    if (request.headers.authorization !== 'Bearer access-token-1') return sendJson(response, {}, 401);
    return sendJson(response, claims);
  });
  providers.push(provider);
  refusal = null;
  discovery = { issuer: provider.url, userinfo_endpoint: `${provider.url}/me` };
  claims = { sub: 'subject-1', nickname: 'Countess', given_name: 'Augusta', exp: 1 };
});
afterAll(() => Promise.all([probe.stop(), ...providers.map((one) => one.close())]));

/** The event's issuer is the provider: the probe's own claims say which issuers are configured. */
async function userInfo(options: object, ownClaims: Record<string, unknown> = {}) {
  const event = {
    op: 'userInfo',
    options: { issuers: [provider.url], allowHttp: true, ...options },
    ...ownClaims,
  };
  const first = (await probe.ask(event, provider.url)).result;
  const second = (await probe.ask(event, provider.url)).result;
  expect(second).toEqual(first);
  expect(probe.output()).not.toContain('Countess');
  return first as Record<string, unknown>;
}

test('adds the claims of UserInfo; those of the ID token count', async () => {
  const result = await userInfo({});
  expect(result).toMatchObject({ nickname: 'Countess', given_name: 'Ada', email: 'ada@example.org' });
  expect(result).not.toHaveProperty('exp');
  expect(result).not.toHaveProperty('sub');
  // The discovery document is kept; what is said of a person is not.
  expect(provider.requests.map(({ path }) => path)).toEqual([
    '/.well-known/openid-configuration',
    '/me',
    '/me',
  ]);
});

test.each([
  [{ email: 'other@example.org', email_verified: true }, undefined],
  [{ email: 'ada@example.org', email_verified: true }, true],
])('email_verified goes with the address that it was said of: %j', async (more, expected) => {
  Object.assign(claims, more);
  expect((await userInfo({})).email_verified).toBe(expected);
});

test.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
  ['a null', { groups: null, given_name: null }, { groups: ['x'] }, { groups: ['x'], given_name: 'Augusta' }],
  [
    'an empty object',
    { realm_access: {} },
    { realm_access: { roles: ['x'] } },
    { realm_access: { roles: ['x'] } },
  ],
  [
    'claims that are elsewhere',
    { _claim_names: { address: 's' } },
    { _claim_names: { groups: 's' } },
    { _claim_names: { address: 's', groups: 's' } },
  ],
  [
    'a null below',
    { realm_access: { roles: null } },
    { realm_access: { roles: 'x' } },
    { realm_access: { roles: 'x' } },
  ],
  [
    'an object of none elsewhere',
    { _claim_names: {} },
    { _claim_names: 'groups' },
    { _claim_names: 'groups' },
  ],
  ['no overage', { hasgroups: false }, { hasgroups: true }, { hasgroups: true }],
  ['an overage', { hasgroups: 'true' }, { hasgroups: false }, { hasgroups: 'true' }],
])('%s in the ID token hides nothing that UserInfo says', async (_, own, more, expected) => {
  Object.assign(claims, more);
  expect(await userInfo({}, own)).toMatchObject(expected);
});

test('an address of UserInfo is not verified by what the ID token says', async () => {
  Object.assign(claims, { email: 'victim@example.org', email_verified: false });
  const result = await userInfo({}, { email: undefined, email_verified: true });
  expect(result).toMatchObject({ email: 'victim@example.org', email_verified: false });
});

/** What a source may say of an address. */
const OTHERWISE: object[] = [{}, { email_verified: true }, { email_verified: 'true' }, { xms_edov: '1' }];
const NO: object[] = [
  ...[false, 'false', 0, '0', 'no', [true]].map((no) => ({ email_verified: no })),
  ...[{ xms_edov: false }, { xms_edov: '0' }, { email_verified: true, xms_edov: 0 }],
];

test('a no stays a no, whichever source says it of the address, or without an address', async () => {
  const OURS = 'ada@example.org';
  const wrong: unknown[] = [];
  const options = { issuers: [provider.url], allowHttp: true };
  for (const own of [undefined, null, OURS]) {
    for (const theirs of [undefined, null, 'Ada@Example.org', OURS, 'eve@example.org']) {
      for (const ownSaid of [...OTHERWISE, ...NO]) {
        for (const theirSaid of [...OTHERWISE, ...NO]) {
          claims = { sub: 'subject-1', ...(theirs !== undefined && { email: theirs }), ...theirSaid };
          const event = { op: 'userInfo', options, email: own, email_verified: undefined, ...ownSaid };
          const { result } = await probe.ask(event, provider.url);
          const found = getEmail({ id_token: { iss: provider.url, other_claims: result } } as never);
          const isOfAnother = own === OURS && theirs === 'eve@example.org';
          const isDenied = NO.includes(ownSaid) || (NO.includes(theirSaid) && !isOfAnother);
          if (found !== (isDenied ? null : (own ?? theirs ?? null))) {
            wrong.push({ own, theirs, ownSaid, theirSaid, found });
          }
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each<[string, () => void, object, object]>([
  ['another person', () => Object.assign(claims, { sub: 'subject-2' }), {}, { code: 'lookup_unexpected' }],
  ['nobody', () => Reflect.deleteProperty(claims, 'sub'), {}, { code: 'lookup_unexpected' }],
  [
    'a discovery document of another issuer',
    () => Object.assign(discovery, { issuer: 'https://evil.example' }),
    {},
    { code: 'lookup_unexpected' },
  ],
  [
    'no endpoint',
    () => Reflect.deleteProperty(discovery, 'userinfo_endpoint'),
    {},
    { code: 'lookup_unexpected' },
  ],
  [
    'an issuer that is not configured',
    () => {},
    { issuers: ['https://other.example'] },
    { code: 'lookup_url_refused' },
  ],
  ['http, where it is not allowed', () => {}, { allowHttp: false }, { code: 'lookup_url_refused' }],
])('refuses %s', async (_, change, options, expected) => {
  change();
  expect(await userInfo(options)).toMatchObject(expected);
});

test.each([
  ['Bearer realm="x", error="invalid_token", error_description="Ada"', 'invalid_token'],
  ['Bearer error=insufficient_scope', 'insufficient_scope'],
  ['Bearer realm="x"', null],
  ['Bearer error="Countess"', null],
])('the record says why the provider refuses the access token: %s', async (header, code) => {
  refusal = header;
  const options = { issuers: [provider.url], allowHttp: true };
  await probe.ask({ op: 'userInfo', options, catches: false }, provider.url);
  const record = probe.records().at(-1);
  expect(record).toMatchObject({ reason: 'lookup_status', lookUpStatus: 401 });
  expect(record?.problems).toEqual(code === null ? undefined : [`the access token was refused: ${code}`]);
});
