/** Which leaves an event has, and what each of them is: none is passed over. */
import { describe, expect, test } from '@jest/globals';
import {
  isField,
  type Place,
  type Rewrite,
  rewriteEvent,
  rewriteExchanges,
  tokenParts,
} from '../../tools/keep/leaves.ts';
import type { Exchange } from '../../tools/local/process/local.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

/** Each leaf by its path, with its role and the names under which it stands. */
function leavesOf(run: (rewrite: Rewrite) => unknown) {
  const leaves: Record<string, unknown[]> = {};
  run((leaf, { path, role, names }: Place) => {
    const key = path.join('.') + (['claimName', 'fieldName', 'headerName'].includes(role) ? ' (key)' : '');
    leaves[key] = [leaf, role, ...names];
    return leaf;
  });
  return leaves;
}
const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const shout: Rewrite = (leaf) => (typeof leaf === 'number' ? leaf + 1 : leaf.toUpperCase()) as typeof leaf;

test('of an ID token', () => {
  const event = openIdEvent();
  event.idToken.otherClaims = {
    auth_time: 1,
    updated_at: 2,
    email: 'a@x',
    nbf: 7,
    iat: 'x',
    a: { b: [{ c: 'd' }], exp: 8 },
    n: null,
    t: true,
  };
  expect(leavesOf((rewrite) => rewriteEvent(event, rewrite))).toEqual({
    accessToken: ['access-token-1', 'token'],
    tokenType: ['Bearer', 'tokenType'],
    'idToken.iss': ['https://idp.example.org', 'issuer'],
    'idToken.sub': ['subject-1', 'value'],
    'idToken.aud.0': ['client-1', 'value'],
    'idToken.exp': [1795258800, 'time'],
    'idToken.iat': [1795255200, 'time'],
    'idToken.nonce': ['nonce-1', 'value'],
    'idToken.otherClaims.auth_time (key)': ['auth_time', 'claimName'],
    'idToken.otherClaims.auth_time': [1, 'time', 'auth_time'],
    'idToken.otherClaims.updated_at (key)': ['updated_at', 'claimName'],
    'idToken.otherClaims.updated_at': [2, 'time', 'updated_at'],
    'idToken.otherClaims.email (key)': ['email', 'claimName'],
    'idToken.otherClaims.email': ['a@x', 'value', 'email'],
    'idToken.otherClaims.nbf (key)': ['nbf', 'claimName'],
    'idToken.otherClaims.nbf': [7, 'time', 'nbf'],
    'idToken.otherClaims.iat (key)': ['iat', 'claimName'],
    'idToken.otherClaims.iat': ['x', 'value', 'iat'],
    'idToken.otherClaims.a (key)': ['a', 'claimName'],
    'idToken.otherClaims.a.b (key)': ['b', 'claimName', 'a'],
    'idToken.otherClaims.a.b.0.c (key)': ['c', 'claimName', 'b', 'a.b'],
    'idToken.otherClaims.a.b.0.c': ['d', 'value', 'c', 'b.c', 'a.b.c'],
    'idToken.otherClaims.a.exp (key)': ['exp', 'claimName', 'a'],
    'idToken.otherClaims.a.exp': [8, 'time', 'exp', 'a.exp'],
    'idToken.otherClaims.n (key)': ['n', 'claimName'],
    'idToken.otherClaims.t (key)': ['t', 'claimName'],
    idTokenJwt: ['header.payload.signature', 'value'],
    expiresIn: [3600, 'lifetime'],
    refreshToken: ['refresh-token-1', 'token'],
  });
});

test('of an assertion', () => {
  const leaves = leavesOf((rewrite) => rewriteEvent(samlEvent([attribute('mail', 'a@x', 'Mail')]), rewrite));
  const roles = Object.entries(leaves).map(([path, [, ...rest]]) => [
    path.replace('assertion.', ''),
    ...rest,
  ]);
  const subject = 'assertionSubject';
  const conditions = 'assertionConditions';
  expect(roles).toEqual([
    ['assertionId', 'value'],
    ['assertionIssued', 'time'],
    ['assertionIssuer', 'issuer'],
    [`${subject}.subjectConfirmations.0.subjectConfirmationMethod`, 'method'],
    [`${subject}.subjectConfirmations.0.subjectConfirmationAddress`, 'value'],
    [`${subject}.subjectConfirmations.0.subjectConfirmationNotOnOrAfter`, 'time'],
    [`${subject}.subjectConfirmations.0.subjectConfirmationRecipient`, 'value'],
    [`${subject}.subjectNameID.nameIDFormat`, 'format'],
    [`${subject}.subjectNameID.nameIDValue`, 'nameId'],
    [`${conditions}.conditionsNotBefore`, 'time'],
    [`${conditions}.conditionsNotOnOrAfter`, 'time'],
    [`${conditions}.conditionsAudienceRestrictions.0.audienceRestrictionAudience.0`, 'value'],
    ['assertionAuthnStatement.authnStatementInstant', 'time'],
    ['assertionAuthnStatement.authnStatementSessionIndex', 'value'],
    ['assertionAuthnStatement.authnStatementLocality', 'value'],
    ['assertionAttributeStatement.0.attributeName', 'attributeName', 'mail', 'Mail'],
    ['assertionAttributeStatement.0.attributeFriendlyName', 'attributeName', 'mail', 'Mail'],
    ['assertionAttributeStatement.0.attributeNameFormat', 'format', 'mail', 'Mail'],
    ['assertionAttributeStatement.0.attributeValue', 'value', 'mail', 'Mail'],
  ]);
  for (const path of Object.keys(leaves)) {
    for (const key of path.split('.')) expect([key, /^\d+$/.test(key) || isField(key)]).toEqual([key, true]);
  }
});

test('of an attribute without FriendlyName', () => {
  const leaves = leavesOf((rewrite) => rewriteEvent(samlEvent([attribute('mail', 'a@x')]), rewrite));
  expect(leaves['assertion.assertionAttributeStatement.0.attributeValue']).toEqual(['a@x', 'value', 'mail']);
});

test('of fields that nobody knows, whose names may be data', () => {
  expect(
    leavesOf((rewrite) => rewriteEvent({ ada: { x: ['y'] }, sub: 's', toString: 't' }, rewrite)),
  ).toEqual({
    'ada (key)': ['ada', 'claimName'],
    'ada.x (key)': ['x', 'claimName', 'ada'],
    'ada.x.0': ['y', 'value', 'x', 'ada.x'],
    sub: ['s', 'value'],
    'toString (key)': ['toString', 'claimName'],
    toString: ['t', 'value', 'toString'],
  });
  expect(rewriteEvent({ ada: { x: 'y' }, sub: 's' }, shout)).toEqual({ ADA: { X: 'Y' }, sub: 'S' });
  expect(leavesOf((rewrite) => rewriteEvent('text', rewrite))).toEqual({ '': ['text', 'value'] });
  expect(rewriteEvent('text', shout)).toBe('TEXT');
  expect(['otherClaims', 'ada'].map(isField)).toEqual([true, false]);
  expect(rewriteEvent(null, shout)).toBeNull();
});

describe('of a token', () => {
  const header = { alg: 'RS256', kid: 'k' };
  const payload = { sub: 'ada', iat: 7 };
  const jwt = `${encoded(header)}.${encoded(payload)}.c2ln`;

  test('are those of its parts', () => {
    expect(leavesOf((rewrite) => rewriteEvent({ idTokenJwt: jwt }, rewrite))).toEqual({
      'idTokenJwt.header.alg (key)': ['alg', 'headerName'],
      'idTokenJwt.header.alg': ['RS256', 'header', 'alg'],
      'idTokenJwt.header.kid (key)': ['kid', 'headerName'],
      'idTokenJwt.header.kid': ['k', 'header', 'kid'],
      'idTokenJwt.payload.sub (key)': ['sub', 'claimName'],
      'idTokenJwt.payload.sub': ['ada', 'value', 'sub'],
      'idTokenJwt.payload.iat (key)': ['iat', 'claimName'],
      'idTokenJwt.payload.iat': [7, 'time', 'iat'],
      'idTokenJwt.signature': ['c2ln', 'signature'],
    });
  });

  test('go back into a token', () => {
    const made = rewriteEvent({ idTokenJwt: jwt }, shout);
    const expected = [encoded({ ALG: 'RS256', KID: 'K' }), encoded({ SUB: 'ADA', IAT: 8 }), 'C2LN'];
    expect(made).toEqual({ idTokenJwt: expected.join('.') });
  });

  test('are one where the token is opaque', () => {
    expect(leavesOf((rewrite) => rewriteEvent({ accessToken: jwt }, rewrite))).toEqual({
      accessToken: [jwt, 'token'],
    });
  });

  test.each<[string, object | null]>([
    [jwt, { header, payload, signature: 'c2ln' }],
    [`${encoded({})}.${encoded({})}.`, { header: {}, payload: {}, signature: '' }],
    [`${jwt}.x`, null],
    [`${encoded({})}.${encoded({})}`, null],
    [`${encoded([])}.${encoded({})}.x`, null],
    [`${encoded({})}.${encoded([])}.x`, null],
    [`${encoded({})}.${encoded({})}.x y`, null],
    [` ${jwt}`, null],
    ['a.b.c', null],
    ['ada', null],
  ])('%#', (text, parts) => {
    expect(tokenParts(text)).toEqual(parts);
  });
});

test('of recorded responses', () => {
  const exchanges = [
    {
      request: 'GET https://x',
      status: 200,
      headers: { 'content-type': 'a/b', location: 'l' },
      json: { ada: ['x'] },
    },
    { request: 'GET https://y', status: 404, headers: {}, text: 'not found' },
  ] as unknown as Exchange[];
  expect(leavesOf((rewrite) => rewriteExchanges(exchanges, rewrite))).toEqual({
    'outside.0.request': ['GET https://x', 'request'],
    'outside.0.headers.content-type': ['a/b', 'contentType'],
    'outside.0.headers.location': ['l', 'value'],
    'outside.0.json.ada (key)': ['ada', 'fieldName'],
    'outside.0.json.ada.0': ['x', 'value', 'ada'],
    'outside.1.request': ['GET https://y', 'request'],
    'outside.1.text': ['not found', 'value'],
  });
  expect(rewriteExchanges(exchanges, shout)).toStrictEqual([
    {
      request: 'GET HTTPS://X',
      status: 200,
      headers: { 'content-type': 'A/B', location: 'L' },
      json: { ADA: ['X'] },
    },
    { request: 'GET HTTPS://Y', status: 404, headers: {}, text: 'NOT FOUND' },
  ]);
});
