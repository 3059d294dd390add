/** The groups of Microsoft Graph: when it is asked, about whom, and what fails. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ClaimsReader } from '../../lib/openid/claims.ts';
import { completeGroups } from '../../lib/openid/graph.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import type { GraphSource } from '../../lib/profile/sources.ts';
import { customHandler } from '../support/customHandler.ts';
import { inLogin } from '../support/logins.ts';
import { httpsServer, sendJson } from '../support/servers.ts';
import { trustedServer } from '../support/sharedServer.ts';
import { trust } from '../support/trust.ts';
import { type Claims, loginWith } from './logins.ts';

const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const OID = '3d2e1f0c-6c5b-4978-a896-6b7a5c4d3e2f';
const GROUP = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';
const OTHER = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
const PERSON = { tid: TENANT, oid: OID };

process.env.SECRETS_FILE = await customHandler(
  '{"graph":{"client_id":"app","client_secret":"secret"}}',
  '.json',
);

let count = 0;
/** The access tokens that are granted, in turn; the last one stays. */
let tokens: string[];
let answer: { status: number; json: unknown };
let source: GraphSource;

const server = trustedServer(({ url = '', headers }, response) => {
  if (url.endsWith('/oauth2/v2.0/token')) {
    const [access_token] = tokens.length > 1 ? tokens.splice(0, 1) : tokens;
    return sendJson(response, { access_token, expires_in: 3_600 });
  }
  if (headers.authorization !== 'Bearer good') return sendJson(response, {}, 401);
  sendJson(response, answer.json, answer.status);
});
beforeEach(() => {
  tokens = ['good'];
  answer = { status: 200, json: { '@odata.context': '…', value: [GROUP] } };
  // Access tokens are cached: each test has a cloud of its own.
  const cloud = { login: `${server.url}/login-${++count}`, graph: `${server.url}/graph` };
  source = { tenant: { id: TENANT, cloud }, secretId: 'graph', securityEnabledOnly: true };
  server.requests.length = 0;
});

async function completed(claims: Claims) {
  const event = loginWith(claims);
  await inLogin(() => completeGroups(event, source));
  return event.id_token.other_claims;
}

const failure = (claims: Claims) =>
  completed(claims).then(
    () => null,
    ({ code, status, details }) => ({ code, status, problems: details.problems }),
  );

describe('Microsoft Graph is asked', () => {
  test.each<[string, Claims]>([
    ['no groups at all', {}],
    ['a sign of groups elsewhere', { _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }],
    ['some groups and a sign of more', { groups: [GROUP], hasgroups: 'true' }],
    ['an address of its groups', { 'groups:src1': 'https://graph.example' }],
  ])('where the token has %s', async (_, claims) => {
    const { _claim_names, _claim_sources, ...others } = await completed({ ...PERSON, ...claims });
    expect(others).toEqual({ ...PERSON, groups: [GROUP] });
    expect(_claim_names ?? {}).toEqual({});
  });

  test.each([{ groups: [OTHER] }, { groups: [] }])('not where the token has %j', async (claims) => {
    expect(await completed({ ...PERSON, ...claims })).toEqual({ ...PERSON, ...claims });
    expect(server.requests).toEqual([]);
  });

  test('by a mapping that asks nobody else', async () => {
    const event = loginWith(PERSON);
    const asked = { issuer: server.url, userinfo: false, graph: source };
    await inLogin(async () => OPENID.ask?.(event, asked));
    expect(event.id_token.other_claims.groups).toEqual([GROUP]);
    expect(server.requests).toHaveLength(2);
  });

  test('about the person of the token, as the application’s claim is configured', async () => {
    await completed({ ...PERSON, hasgroups: true });
    source = { ...source, securityEnabledOnly: false };
    await completed({ ...PERSON, hasgroups: true });
    const [grant, first, second] = server.requests;
    expect(grant?.path).toBe(`/login-${count}/${TENANT}/oauth2/v2.0/token`);
    expect(Object.fromEntries(new URLSearchParams(grant?.body))).toMatchObject({
      client_id: 'app',
      scope: `${server.url}/graph/.default`,
    });
    expect(first).toMatchObject({
      method: 'POST',
      path: `/graph/v1.0/users/${OID}/getMemberGroups`,
      body: '{"securityEnabledOnly":true}',
    });
    expect(second?.body).toBe('{"securityEnabledOnly":false}');
    expect(server.requests).toHaveLength(3);
  });

  test('again with a new access token, once, where it refuses the one that it got', async () => {
    tokens = ['old', 'good'];
    expect(await completed(PERSON)).toMatchObject({ groups: [GROUP] });
    expect(server.requests).toHaveLength(4);
  });

  test('and its groups are added to those of the token, and named in the trace', async () => {
    const event = loginWith({ ...PERSON, groups: [OTHER, GROUP], hasgroups: true });
    await inLogin(() => completeGroups(event, source));
    const occurrences = new ClaimsReader(event).occurrences(namesOf('groups'));
    expect(occurrences.map(({ path, text }) => [path, text])).toEqual([
      ['graph.groups[0]', OTHER],
      ['graph.groups[1]', GROUP],
    ]);
  });
});

describe('an error, and never “no groups”', () => {
  test.each<[string, Claims, string]>([
    ['no object id', { oid: undefined }, 'oid: expected the object id of a person'],
    ['an object id that is none', { oid: `${OID}/../x` }, 'oid: expected the object id of a person'],
    ['an object id of another type', { oid: [OID] }, 'oid: expected the object id of a person'],
    ['another tenant', { tid: GROUP }, 'tid: expected the tenant of the issuer'],
    ['no tenant', { tid: undefined }, 'tid: expected the tenant of the issuer'],
  ])('is %s, about which nobody is asked', async (_, claims, problem) => {
    const code = 'lookup_url_refused';
    expect(await failure({ ...PERSON, ...claims })).toEqual({ code, status: null, problems: [problem] });
    expect(server.requests).toEqual([]);
  });

  test.each<[string, number, unknown, string | undefined]>([
    ['too many requests', 429, {}, undefined],
    ['nobody of this id', 404, {}, undefined],
    ['a group without its id', 200, { value: ['x'] }, 'expected a valid uuid'],
    ['a page of several', 200, { value: [], '@odata.nextLink': '' }, 'expected all groups on one page'],
    ['too many groups', 200, { value: Array(11_001).fill(GROUP) }, 'expected a valid max_length'],
  ])('is %s', async (_, status, json, problem) => {
    answer = { status, json };
    const code = problem ? 'lookup_unexpected' : 'lookup_status';
    expect(await failure(PERSON)).toEqual({ code, status, problems: problem && [problem] });
    expect(server.requests).toHaveLength(2);
  });

  test('is an access token that is refused again', async () => {
    tokens = ['old', 'older'];
    expect(await failure(PERSON)).toMatchObject({ code: 'lookup_status', status: 401 });
    expect(server.requests).toHaveLength(4);
  });

  test('is a client that Entra refuses, also with its secret read again', async () => {
    // Of another name, because it has another certificate.
    const names = ['entra.example', 'localhost'];
    const entra = await httpsServer((_, response) => sendJson(response, {}, 401), ...names);
    const distrustEntra = trust(entra.ca);
    source.tenant.cloud.login = entra.url;
    expect(await failure(PERSON)).toMatchObject({ code: 'lookup_status', status: 401 });
    expect([entra.requests.length, server.requests.length]).toEqual([2, 0]);
    distrustEntra();
    await entra.close();
  });
});
