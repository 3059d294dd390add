/** Every text of a login is visited, with its place. */
import { describe, expect, test } from '@jest/globals';
import { type Login, rewriteLogin, visitResponse } from '../../tools/keep/texts.ts';
import { eventInside } from '../../tools/local/httpEvent.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';
import { eventOf, exchange } from './answering.ts';

/** Each text with its role and its names, by place; keys that end with q are replaced. */
function visited(login: Login) {
  const found: Record<string, string[]> = {};
  const made = rewriteLogin(login, (leaf, { path, role, names }) => {
    found[path] ??= [];
    found[path].push([role, leaf, ...names].join(' '));
    return (String(leaf).endsWith('q') ? 'made' : leaf) as typeof leaf;
  });
  return { found, made };
}

const texts = (event: unknown) => visited({ event, outside: [] }).found;
const jwt = (...parts: unknown[]) =>
  parts
    .map((part) =>
      typeof part === 'string' ? part : Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    .join('.');

test('an ID token and what is beside it', () => {
  expect(texts(openIdEvent())).toEqual({
    accessToken: ['token access-token-1'],
    tokenType: ['tokenType Bearer'],
    'idToken.iss': ['value https://idp.example.org'],
    'idToken.sub': ['value subject-1'],
    'idToken.aud[]': ['value client-1'],
    'idToken.exp': ['time 1795258800'],
    'idToken.iat': ['time 1795255200'],
    'idToken.nonce': ['value nonce-1'],
    'idToken.otherClaims.*': ['claimName email', 'claimName given_name', 'claimName family_name'],
    'idToken.otherClaims.email': ['value ada@example.org email'],
    'idToken.otherClaims.given_name': ['value Ada given_name'],
    'idToken.otherClaims.family_name': ['value Lovelace family_name'],
    idTokenJwt: ['value header.payload.signature'],
    expiresIn: ['lifetime 3600'],
    refreshToken: ['token refresh-token-1'],
  });
});

test('an assertion, whose attributes have places of their own', () => {
  const event = samlEvent([attribute('mail', 'ada@x.org', 'Mail'), attribute('q', 'Ada')]);
  const found = texts(event);
  const inside = 'assertion.assertionAttributeStatement[].';
  expect(found).toMatchObject({
    'assertion.assertionId': ['value _assertion-1'],
    'assertion.assertionIssued': ['time 2026-11-21T10:00:00Z'],
    'assertion.assertionIssuer': ['value https://idp.example.org/saml'],
    'assertion.assertionSubject.subjectConfirmations[].subjectConfirmationMethod': [
      'method urn:oasis:names:tc:SAML:2.0:cm:bearer',
    ],
    'assertion.assertionSubject.subjectConfirmations[].subjectConfirmationNotOnOrAfter': [
      'time 2026-11-21T10:05:00Z',
    ],
    'assertion.assertionSubject.subjectNameID.nameIDFormat': [
      'format urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
    ],
    'assertion.assertionSubject.subjectNameID.nameIDValue': ['nameId _name-id-1'],
    'assertion.assertionConditions.conditionsNotBefore': ['time 2026-11-21T09:59:58Z'],
    'assertion.assertionConditions.conditionsNotOnOrAfter': ['time 2026-11-21T10:05:00Z'],
    'assertion.assertionAuthnStatement.authnStatementInstant': ['time 2026-11-21T10:00:00Z'],
    [`${inside}attributeFriendlyName`]: ['attributeName Mail mail Mail'],
    'assertion.assertionAttributeStatement[mail].attributeValue': ['value ada@x.org mail Mail'],
    'assertion.assertionAttributeStatement[*].attributeValue': ['value Ada q'],
  });
  expect(found[`${inside}attributeNameFormat`]).toHaveLength(2);
  expect(found[`${inside}attributeValue`]).toBeUndefined();
});

test('an attribute has a place of its own by what its name becomes, in a list of events too', () => {
  const paths: string[] = [];
  rewriteLogin({ event: [samlEvent([attribute('mail', 'ada')])], outside: [] }, (leaf, { role, path }) => {
    paths.push(path);
    const isName = role === 'attributeName' && path.endsWith('.attributeName');
    return (isName ? 'made' : leaf) as typeof leaf;
  });
  expect(paths).toContain('[].assertion.assertionAttributeStatement[*].attributeValue');
});

describe('claims', () => {
  test('below others have all names, and lists share a place', () => {
    const found = texts(eventOf({ a: { b: ['x', ['y', { c: 1 }]] }, n: null, t: true }));
    expect(found).toMatchObject({
      'idToken.otherClaims.a.b[]': ['value x b a.b', 'value y b a.b'],
      'idToken.otherClaims.a.b[].c': ['value 1 c b.c a.b.c'],
      'idToken.otherClaims.a.*': ['claimName b a'],
    });
    expect(found['idToken.otherClaims.n']).toBeUndefined();
  });

  test('under replaced keys have places without them', () => {
    const { found, made } = visited({ event: eventOf({ adaq: { 'q q': 'x' } }), outside: [] });
    expect(found['idToken.otherClaims.*.*']).toEqual(['claimName q q adaq', 'value x q q adaq.q q']);
    expect(JSON.stringify(made.event)).toContain('"otherClaims":{"made":{"made":"x"}}');
  });

  test.each(['exp', 'iat', 'nbf', 'auth_time'])(
    '%s is a time of the login where it is a number, beside iat alone',
    (name) => {
      const found = texts(eventOf({ [name]: 17, a: { [name]: 18 } }));
      expect(found[`idToken.otherClaims.${name}`]).toEqual([`time 17 ${name}`]);
      expect(found[`idToken.otherClaims.a.${name}`]).toEqual([`value 18 ${name} a.${name}`]);
      expect(texts(eventOf({ [name]: 'x' }))[`idToken.otherClaims.${name}`]).toEqual([`value x ${name}`]);
    },
  );

  test('no other number is one', () => {
    expect(texts(eventOf({ updated_at: 17 }))['idToken.otherClaims.updated_at']).toEqual([
      'value 17 updated_at',
    ]);
  });
});

test('fields that no event has are read as claims', () => {
  const found = texts({ more: { exp: 7 }, adaq: 'x', assertion: { assertionId: 'a', other: ['b'] } });
  expect(found).toEqual({
    '*': ['claimName more', 'claimName adaq', 'value x adaq'],
    'more.*': ['claimName exp more'],
    'more.exp': ['value 7 exp more.exp'],
    'assertion.assertionId': ['value a'],
    'assertion.*': ['claimName other'],
    'assertion.other[]': ['value b other'],
  });
});

describe('a token', () => {
  const token = jwt({ alg: 'RS256', kid: 'aq' }, { sub: 'bq', iat: 17, a: { iat: 18 } }, 'c');

  test('is read, and written again', () => {
    const event = { ...eventOf({ id: token }), idTokenJwt: token };
    const { found, made } = visited({ event, outside: [] });
    expect(found).toMatchObject({
      'idTokenJwt.header.*': ['headerName alg', 'headerName kid'],
      'idTokenJwt.header.alg': ['header RS256 alg'],
      'idTokenJwt.payload.*': ['claimName sub', 'claimName iat', 'claimName a'],
      'idTokenJwt.payload.iat': ['time 17 iat'],
      'idTokenJwt.payload.a.iat': ['value 18 iat a.iat'],
      'idTokenJwt.signature': ['value c'],
      'idToken.otherClaims.id.payload.sub': ['value bq sub'],
    });
    const expected = jwt({ alg: 'RS256', kid: 'made' }, { sub: 'made', iat: 17, a: { iat: 18 } }, 'c');
    expect((made.event as typeof event).idTokenJwt).toBe(expected);
  });

  test.each([
    ['without a signature', jwt({ alg: 'none' }, {}, ''), true],
    ['in two parts', jwt({ alg: 'none' }, {}), false],
    ['in four parts', jwt({}, {}, 'x', 'y'), false],
    ['with a header that is no object', jwt([], {}, 'x'), false],
    ['with a payload that is no object', jwt({}, 'x', 'x'), false],
    ['nested as deep as may be', jwt({}, { a: JSON.parse('['.repeat(98) + ']'.repeat(98)) }, 'x'), true],
    ['nested too deep', jwt({}, { a: JSON.parse('['.repeat(101) + ']'.repeat(101)) }, 'x'), false],
  ])('%s is read as one: %s', (_, text, isToken) => {
    expect('idTokenJwt.signature' in texts({ idTokenJwt: text })).toBe(isToken);
  });

  test.each(['accessToken', 'refreshToken'])('that is a secret is not: %s', (field) => {
    expect(texts({ [field]: token })).toEqual({ [field]: [`token ${token}`] });
  });
});

test('recorded responses, with their requests, headers and keys', () => {
  const more = {
    status: 201,
    body_sha256: 'digest',
    headers: { 'content-type': 'text/plain', location: 'lq' },
  };
  const outside = [
    exchange('GET https://x.org/q', { aq: [{ iat: 1 }], iat: 2 }, more),
    exchange('x', undefined, { text: 'bq' }),
  ];
  delete outside[1]?.json;
  const { found, made } = visited({ event: null, outside });
  expect(found).toEqual({
    'outside[].request': ['request GET https://x.org/q', 'request x'],
    'outside[].headers.content-type': ['contentType text/plain', 'contentType application/json'],
    'outside[].headers.location': ['value lq'],
    'outside[].json.*': ['fieldName aq', 'fieldName iat'],
    'outside[].json.iat': ['value 2 iat'],
    'outside[].json.*[].*': ['fieldName iat aq'],
    'outside[].json.*[].iat': ['value 1 iat aq.iat'],
    'outside[].text': ['value bq'],
  });
  expect(made.outside).toStrictEqual([
    {
      ...more,
      request: 'made',
      headers: { ...more.headers, location: 'made' },
      json: { made: [{ iat: 1 }], iat: 2 },
    },
    { request: 'x', status: 200, headers: { 'content-type': 'application/json' }, text: 'made' },
  ]);
});

test('a response of the function, by its fields', () => {
  const found: string[] = [];
  visitResponse({ email: 'a', groups: ['b', 'c'], image_url: null }, (leaf, { path, role }) => {
    found.push(`${path} ${role} ${leaf}`);
    return leaf;
  });
  expect(found).toEqual([
    'response.email response a',
    'response.groups[] response b',
    'response.groups[] response c',
  ]);
  visitResponse(null, (leaf) => {
    throw new Error(String(leaf));
  });
});

test('an event of another form is visited too', () => {
  expect(texts(eventInside('ada'))).toEqual({ '': ['value ada'] });
  expect(texts([['ada'], 7, null])).toEqual({ '[]': ['value ada', 'value 7'] });
});
