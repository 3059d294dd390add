/** Every text of a login is visited, with its place. */
import { expect, test } from '@jest/globals';
import { type Login, rewriteLogin, visitResponse, withToken } from '../../tools/keep/texts.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';
import { eventOf, exchange } from './answering.ts';

/** Each text with its role and its names, by place; what ends with q is replaced. */
function visited(login: Partial<Login>) {
  const found: Record<string, string[]> = {};
  const made = rewriteLogin({ event: null, outside: [], ...login }, (leaf, { path, role, names }) => {
    found[path] ??= [];
    found[path].push([role, leaf, ...names].join(' '));
    return String(leaf).endsWith('q') ? 'made' : leaf;
  });
  return { found, made };
}

const texts = (event: unknown) => visited({ event }).found;

test('an ID token and what is beside it', () => {
  expect(texts(openIdEvent())).toEqual({
    access_token: ['token access-token-1'],
    token_type: ['tokenType Bearer'],
    'id_token.iss': ['value https://idp.example.org'],
    'id_token.sub': ['value subject-1'],
    'id_token.aud[]': ['value client-1'],
    'id_token.exp': ['time 1795258800'],
    'id_token.iat': ['time 1795255200'],
    'id_token.nonce': ['value nonce-1'],
    'id_token.other_claims.*': ['claimName email', 'claimName given_name', 'claimName family_name'],
    'id_token.other_claims.email': ['value ada@example.org email'],
    'id_token.other_claims.given_name': ['value Ada given_name'],
    'id_token.other_claims.family_name': ['value Lovelace family_name'],
    id_token_jwt: ['token header.payload.signature'],
    expires_in: ['lifetime 3600'],
    refresh_token: ['token refresh-token-1'],
  });
});

test('an assertion, whose attributes have places of their own, in a list of events too', () => {
  const event = samlEvent([attribute('mail', 'ada@x.org', 'Mail'), attribute('q', 'Ada')]);
  const found = texts(event);
  const [bearer, transient] = ['cm:bearer', 'nameid-format:transient'].map(
    (end) => `urn:oasis:names:tc:SAML:2.0:${end}`,
  );
  expect(found).toMatchObject({
    'assertion.id': ['value _assertion-1'],
    'assertion.issued': ['time 2026-11-21T10:00:00Z'],
    'assertion.issuer': ['value https://idp.example.org/saml'],
    'assertion.subject.confirmations[].method': [`method ${bearer}`],
    'assertion.subject.confirmations[].notOnOrAfter': ['time 2026-11-21T10:05:00Z'],
    'assertion.subject.name_id.format': [`format ${transient}`],
    'assertion.subject.name_id.value': ['nameId _name-id-1 name_id'],
    'assertion.conditions.no_before': ['time 2026-11-21T09:59:58Z'],
    'assertion.conditions.not_on_or_after': ['time 2026-11-21T10:05:00Z'],
    'assertion.authn_statement.instant': ['time 2026-11-21T10:00:00Z'],
    'assertion.attribute_statement[].friendly_name': ['attributeName Mail mail Mail'],
    'assertion.attribute_statement[mail].value': ['value ada@x.org mail Mail'],
    'assertion.attribute_statement[*].value': ['value Ada q'],
  });
  expect(found['assertion.attribute_statement[].name_format']?.map((one) => one.slice(0, 7))).toEqual([
    'format ',
    'format ',
  ]);
  const named = ['mail', 'mail mail Mail', 'q', 'q q'].map((one) => `attributeName ${one}`);
  expect(found['assertion.attribute_statement[].name']).toEqual(named);
  expect(found['assertion.attribute_statement[].value']).toBeUndefined();
  expect(texts([event])).toHaveProperty(['[].assertion.attribute_statement[*].value']);
});

test('claims have all their names, lists share a place, and a replaced key has a star', () => {
  const claims = { a: { b: ['x', ['y', { c: 1 }]] }, n: null, t: true, adaq: { 'q q': 'x' } };
  const { found, made } = visited({ event: eventOf(claims) });
  expect(found).toMatchObject({
    'id_token.other_claims.a.b[]': ['value x b a.b', 'value y b a.b'],
    'id_token.other_claims.a.b[].c': ['value 1 c b.c a.b.c'],
    'id_token.other_claims.a.*': ['claimName b a'],
    'id_token.other_claims.*.*': ['claimName q q adaq', 'value x q q adaq.q q'],
  });
  expect(found['id_token.other_claims.n']).toBeUndefined();
  expect(JSON.stringify(made.event)).toContain('"t":true,"made":{"made":"x"}}');
});

test.each<[string, unknown, string]>([
  ...['exp', 'iat', 'nbf', 'auth_time'].map((name): [string, unknown, string] => [name, 17, 'time']),
  ['exp', 'x', 'value'],
  ['updated_at', 17, 'value'],
])('a time of the login is a number beside iat: %s, %j', (name, value, role) => {
  const found = texts(eventOf({ [name]: value, a: { [name]: value } }));
  expect(found[`id_token.other_claims.${name}`]).toEqual([`${role} ${value} ${name}`]);
  expect(found[`id_token.other_claims.a.${name}`]).toEqual([`value ${value} ${name} a.${name}`]);
});

test('fields that no event has are read as claims, and an event of another form is visited too', () => {
  const found = texts({ more: { exp: 7 }, adaq: 'x', assertion: { assertionId: 'a', other: ['b'] } });
  expect(found).toEqual({
    '*': ['claimName more', 'claimName adaq', 'value x adaq'],
    'more.*': ['claimName exp more'],
    'more.exp': ['value 7 exp more.exp'],
    'assertion.id': ['value a'],
    'assertion.*': ['claimName other'],
    'assertion.other[]': ['value b other'],
  });
  expect(texts([['ada'], 7, null])).toEqual({ '[]': ['value ada', 'value 7'] });
});

test('a token says what the claims of its event say', () => {
  const event = eventOf({ email: 'a@b.org', sub: 'other' });
  const { idTokenJwt, ...rest } = withToken(event) as typeof event;
  const { otherClaims, ...claims } = event.idToken;
  const decoded = idTokenJwt.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(decoded).toEqual([
    JSON.stringify({ alg: 'none' }),
    JSON.stringify({ ...otherClaims, ...claims }),
    '',
  ]);
  expect({ ...rest, idTokenJwt: event.idTokenJwt }).toEqual(event);
});

test.each([['ada'], [{ idTokenJwt: 'x' }], [{ idToken: {} }], [{ idToken: 'x', idTokenJwt: 'x' }]])(
  'a token is not made for an event of another form: %j',
  (event) => expect(withToken(event)).toBe(event),
);

test('recorded responses, with their requests, headers and keys', () => {
  const headers = { 'content-type': 'text/plain', location: 'lq' };
  const more = { status: 201, body_sha256: 'digest', headers };
  const { json: _, ...ofText } = exchange('x', undefined, { text: 'bq' });
  const outside = [exchange('GET https://x.org/q', { aq: [{ c: 1 }], d: 2 }, more), ofText];
  const { found, made } = visited({ outside });
  expect(found).toEqual({
    'outside[].request': ['request GET https://x.org/q', 'request x'],
    'outside[].headers.content-type': ['contentType text/plain', 'contentType application/json'],
    'outside[].headers.location': ['value lq'],
    'outside[].json.*': ['claimName aq', 'claimName d'],
    'outside[].json.d': ['value 2 d'],
    'outside[].json.*[].*': ['claimName c aq'],
    'outside[].json.*[].c': ['value 1 c aq.c'],
    'outside[].text': ['value bq'],
  });
  expect(made.outside).toStrictEqual([
    { ...more, request: 'made', headers: { ...headers, location: 'made' }, json: { made: [{ c: 1 }], d: 2 } },
    { request: 'x', status: 200, headers: { 'content-type': 'application/json' }, text: 'made' },
  ]);
});

test('a response of the function, by its fields', () => {
  const found: string[] = [];
  for (const response of [{ email: 'a', groups: ['b', 'c'], image_url: null }, null])
    visitResponse(response, (leaf, { path, role }) => {
      found.push(`${path} ${role} ${leaf}`);
      return leaf;
    });
  expect(found).toEqual([
    'response.email response a',
    'response.groups[] response b',
    'response.groups[] response c',
  ]);
});
