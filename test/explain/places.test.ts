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

const CLAIMS = 'id_token.other_claims';
const STATEMENT = 'assertion.attribute_statement';
const INSTANT = 'authn_statement.instant';

test.each<[LoginKind, path: string, spelled: string, text: string | null, name: string]>([
  ['OpenID', 'exp', 'id_token.exp', '2026-11-21 11:00:00 UTC', 'exp'],
  ['OpenID', 'userinfo.email', 'userinfo.email', null, 'userinfo.email'],
  ['OpenID', 'other_claims["a.b"][1]', `${CLAIMS}["a.b"][1]`, 'y', 'a.b'],
  ['OpenID', 'other_claims.level', `${CLAIMS}.level`, '2', 'level'],
  ['OpenID', 'other_claims.deep["c\\"d"].e', `${CLAIMS}.deep["c\\"d"].e`, 'z', 'deep.c"d.e'],
  ['OpenID', 'other_claims.deep', `${CLAIMS}.deep`, null, 'deep'],
  ['OpenID', `other_claims["${roles}"][1]`, `${CLAIMS}["${roles}"][1]`, 'editor', roles],
  ['OpenID', 'other_claims.constructor.name', `${CLAIMS}.constructor.name`, null, 'constructor.name'],
  ['SAML', 'attribute_statement[0]', `${STATEMENT}[0].value`, 'staff', 'Role'],
  ['SAML', 'attribute_statement[1]', `${STATEMENT}[1].value`, 'maths', 'unit'],
  ['SAML', 'attribute_statement[9]', `${STATEMENT}[9].value`, null, `${STATEMENT}[9].value`],
  ['SAML', 'subject.name_id', 'assertion.subject.name_id.value', '_name-id-1', 'subject.name_id.value'],
  ['SAML', INSTANT, `assertion.${INSTANT}`, '2026-11-21 10:00:00 UTC', INSTANT],
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
