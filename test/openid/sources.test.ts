/** A mapping that asks UserInfo: what counts, and what fails. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { OpenIdMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { httpsServer, type LocalServer, sendJson } from '../support/servers.ts';
import { trust } from '../support/trust.ts';
import { openIdEvent } from '../support/wire.ts';

let server: LocalServer;
let distrust: () => void;
let issuer: string;
let claims: Record<string, unknown>;
let status: number;

beforeAll(async () => {
  const secure = await httpsServer(({ url }, response) => {
    if (url === '/me') return sendJson(response, { sub: 'subject-1', ...claims }, status);
    sendJson(response, { issuer, userinfo_endpoint: `${issuer}/me` });
  });
  server = secure;
  issuer = secure.url;
  distrust = trust(secure.ca);
});
afterAll(async () => {
  distrust();
  await server.close();
});
beforeEach(() => {
  claims = {};
  status = 200;
  server.requests.length = 0;
});

const NAMES = { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.org' };

function answered(
  own: Record<string, unknown>,
  mapping: OpenIdMapping = {},
  { iss = issuer, userinfo = true } = {},
) {
  const event = openIdEvent();
  Object.assign(event.idToken, { iss, otherClaims: own });
  const handler = mapOpenIdLogin({ ...mapping, issuers: { [issuer]: { userinfo } } });
  return handler(v.parse(OpenIdUserLoggedInEvent, event));
}

test('what the ID token lacks comes from UserInfo', async () => {
  claims = { ...NAMES, given_name: 'Augusta', org: { name: 'Analytical Society' } };
  expect(await answered({ given_name: 'Ada' }, { affiliation: ['org.name'] })).toMatchObject({
    type: 'AuthorizedUserResponse',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
    affiliation: 'Analytical Society',
  });
});

test.each<[string, Record<string, unknown>, Record<string, unknown>, OpenIdMapping, string]>([
  [
    'a group that UserInfo alone names denies',
    { groups: ['staff'] },
    { groups: ['suspended'] },
    { groups: { from: ['groups'] }, rules: [{ no_group: ['suspended'] }] },
    'rule_refused',
  ],
  [
    'a group that UserInfo names beside the ID token’s grants nothing',
    { groups: ['staff'] },
    { groups: ['staff', 'editors'] },
    { groups: { from: ['groups'] }, rules: [{ any_group: ['editors'] }] },
    'rule_refused',
  ],
  [
    'the stricter email_verified counts',
    { email_verified: true },
    { email_verified: false, email: NAMES.email },
    {},
    'email_unverified',
  ],
  [
    'an address in a list of one is the same',
    { email: [NAMES.email], email_verified: true },
    { email: NAMES.email, email_verified: false },
    {},
    'email_unverified',
  ],
  [
    'what UserInfo says of another claim’s address counts',
    { mail: 'ada@uni.example' },
    { email: 'ada@uni.example', email_verified: false },
    { email: ['mail'] },
    'email_unverified',
  ],
  [
    'a rule finds a claim at UserInfo',
    {},
    { department: 'physics' },
    { rules: [{ claim: 'department', is: ['physics'] }] },
    'authorized',
  ],
  [
    'UserInfo says nothing of the sign-in',
    {},
    { acr: 'mfa' },
    { rules: [{ assurance: { acr: ['mfa'] } }] },
    'assurance_unknown',
  ],
])('%s', async (_, own, more, mapping, reason) => {
  claims = more;
  const response = await answered({ ...NAMES, ...own }, mapping);
  expect(decisionOf(response)?.reason).toBe(reason);
});

test.each<[string, number, Record<string, unknown>, string]>([
  ['refuses the access token', 401, {}, 'lookup_status'],
  ['speaks of somebody else', 200, { sub: 'subject-2' }, 'lookup_unexpected'],
])('it is an error where UserInfo %s', async (_, code, more, reason) => {
  [status, claims] = [code, more];
  await expect(answered(NAMES)).rejects.toMatchObject({ code: reason });
});

test('nobody else is asked about, and then the response is there at once', () => {
  expect(answered(NAMES, {}, { iss: 'https://elsewhere.example' })).toMatchObject({
    type: 'ForbiddenResponse',
  });
  expect(answered(NAMES, {}, { userinfo: false })).toMatchObject({ type: 'AuthorizedUserResponse' });
  expect(server.requests).toEqual([]);
});
