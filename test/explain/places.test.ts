/** Where the paths of a decision lead in an event as its handler gets it, and how that is spelled. */
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { LoginKind } from '../../lib/kinds.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { handlerEvent, nameAt, placeOf, placeText, textAt } from '../../tools/explain/places.ts';
import { attribute, openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const openId = openIdEvent();
const roles = 'urn:zitadel:iam:org:project:roles';
Object.assign(openId.idToken.otherClaims, {
  ...{ 'a.b': ['x', 'y'], level: 2, deep: { 'c"d': { e: 'z' } } },
  [roles]: { admin: {}, editor: {} },
});
const saml = samlEvent([attribute('urn:oid:1.2.3', 'staff', 'Role'), attribute('unit', 'maths')]);

test.each<[LoginKind, string, string, string | null, string]>([
  ['OpenID', 'iss', 'id_token.iss', 'https://idp.example.org', 'iss'],
  ['OpenID', 'exp', 'id_token.exp', '2026-11-21 11:00:00 UTC', 'exp'],
  ['OpenID', 'other_claims.given_name', 'id_token.other_claims.given_name', 'Ada', 'given_name'],
  ['OpenID', 'other_claims["a.b"][1]', 'id_token.other_claims["a.b"][1]', 'y', 'a.b'],
  ['OpenID', 'other_claims.level', 'id_token.other_claims.level', '2', 'level'],
  ['OpenID', 'other_claims.deep["c\\"d"].e', 'id_token.other_claims.deep["c\\"d"].e', 'z', 'deep.c"d.e'],
  ['OpenID', 'other_claims.deep', 'id_token.other_claims.deep', null, 'deep'],
  ['OpenID', `other_claims["${roles}"][1]`, `id_token.other_claims["${roles}"][1]`, 'editor', roles],
  [
    'OpenID',
    'other_claims.constructor.name',
    'id_token.other_claims.constructor.name',
    null,
    'constructor.name',
  ],
  ['OpenID', 'userinfo.email', 'userinfo.email', null, 'userinfo.email'],
  ['SAML', 'attribute_statement[0]', 'assertion.attribute_statement[0].value', 'staff', 'Role'],
  ['SAML', 'attribute_statement[1]', 'assertion.attribute_statement[1].value', 'maths', 'unit'],
  [
    'SAML',
    'attribute_statement[9]',
    'assertion.attribute_statement[9].value',
    null,
    'assertion.attribute_statement[9].value',
  ],
  ['SAML', 'subject.name_id', 'assertion.subject.name_id.value', '_name-id-1', 'subject.name_id.value'],
  [
    'SAML',
    'authn_statement.instant',
    'assertion.authn_statement.instant',
    '2026-11-21 10:00:00 UTC',
    'authn_statement.instant',
  ],
])('%s, %s', (kind, path, spelled, text, name) => {
  const event = handlerEvent(kind === 'OpenID' ? openId : saml, kind);
  const place = placeOf(path, kind);
  expect([placeText(place), textAt(event, place), nameAt(event, place)]).toEqual([spelled, text, name]);
});

test('an event is as its handler gets it, out of its envelope; one that no handler gets, as it arrives', () => {
  expect(handlerEvent(overHttp(openId), 'OpenID')).toEqual(v.parse(OpenIdUserLoggedInEvent, openId));
  for (const event of [{}, 'text', { ...openId, idToken: 7 }])
    expect(handlerEvent(event, 'OpenID')).toBe(event);
});
