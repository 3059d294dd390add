/** A mapping that asks UserInfo: what counts, and what fails. */
import { beforeEach, expect, test } from '@jest/globals';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { OpenIdMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { sendJson } from '../support/servers.ts';
import { trustedServer } from '../support/sharedServer.ts';
import { type Claims, loginWith } from './logins.ts';

let issuer: string;
let claims: Claims;
let status: number;

const server = trustedServer(({ url }, response) => {
  if (url === '/me') return sendJson(response, { sub: 'subject-1', ...claims }, status);
  sendJson(response, { issuer, userinfo_endpoint: `${issuer}/me` });
});
beforeEach(() => {
  issuer = server.url;
  claims = {};
  status = 200;
  server.requests.length = 0;
});

const NAMES = { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.org' };

function answered(own: Claims, mapping: OpenIdMapping = {}, { iss = issuer, userinfo = true } = {}) {
  const handler = mapOpenIdLogin({ ...mapping, issuers: { [issuer]: { userinfo } } });
  return handler(loginWith(own, { iss }));
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

const STAFF = { groups: ['staff'] };
const UNI = 'ada@uni.example';
const denied = (email = NAMES.email) => ({ email, email_verified: false });
const ruled = (rule: object) => ({ groups: { from: ['groups'] }, rules: [rule] }) as OpenIdMapping;

test.each<[reason: string, what: string, own: Claims, more: Claims, OpenIdMapping]>([
  ['rule_refused', 'denies by a group', STAFF, { groups: ['x'] }, ruled({ no_group: ['x'] })],
  ['rule_refused', 'grants no other group', STAFF, { groups: ['staff', 'x'] }, ruled({ any_group: ['x'] })],
  ['email_unverified', 'is the stricter one', { email_verified: true }, denied(), {}],
  ['email_unverified', 'knows a list of one', { email: [NAMES.email], email_verified: true }, denied(), {}],
  ['email_unverified', 'denies a claim’s address', { mail: UNI }, denied(UNI), { email: ['mail'] }],
  ['authorized', 'fulfils a rule', {}, { department: 'x' }, ruled({ claim: 'department', is: ['x'] })],
  ['assurance_unknown', 'tells no sign-in', {}, { acr: 'x' }, ruled({ assurance: { acr: ['x'] } })],
])('%s: UserInfo %s', async (reason, _, own, more, mapping) => {
  claims = more;
  const response = await answered({ ...NAMES, ...own }, mapping);
  expect(decisionOf(response)?.reason).toBe(reason);
});

test.each<[string, number, Claims, string]>([
  ['refuses the access token', 401, {}, 'lookup_status'],
  ['speaks of somebody else', 200, { sub: 'subject-2' }, 'lookup_unexpected'],
])('it is an error where UserInfo %s', async (_, code, more, reason) => {
  [status, claims] = [code, more];
  await expect(answered(NAMES)).rejects.toMatchObject({ code: reason });
});

test('nobody else is asked about, and then the response is there at once', () => {
  const typeOf = (options: object) => (answered(NAMES, {}, options) as { type: string }).type;
  expect(typeOf({ iss: 'https://elsewhere.example' })).toBe('ForbiddenResponse');
  expect(typeOf({ userinfo: false })).toBe('AuthorizedUserResponse');
  expect(server.requests).toEqual([]);
});
