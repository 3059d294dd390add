/** One attribute has several names: its usual name, its OID, its `urn:mace` name. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { SamlMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { attributeNames } from '../../lib/saml/attributeNames.ts';
import { attributeValues } from '../../lib/saml/attributes.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { DEFAULTS, mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';

const OID = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
const MACE = 'urn:mace:dir:attribute-def:eduPersonScopedAffiliation';
const USUAL = 'eduPersonScopedAffiliation';

function eventWith(...attributes: ReturnType<typeof attribute>[]) {
  const wire = samlEvent();
  wire.assertion.assertionAttributeStatement.push(...attributes);
  return v.parse(SamlUserLoggedInEvent, wire);
}

const SCHAC = 'urn:mace:terena.org:attribute-def:schacHomeOrganization';

test.each([
  ['schacHomeOrganization', ['urn:oid:1.3.6.1.4.1.25178.1.2.9', SCHAC]],
  ['GIVENNAME', ['urn:oid:2.5.4.42', 'urn:mace:dir:attribute-def:givenName']],
  ['urn:oid:2.5.4.42', []],
  ['urn:mace:dir:attribute-def:givenName', []],
  ['Role', []],
])('%s stands for itself and for %j', (name, others) => {
  expect(attributeNames(name)).toEqual([name, ...others]);
});

test.each([
  ['its usual name', [attribute(USUAL, 'a'), attribute(USUAL, 'b')], ['a', 'b']],
  ['its usual name in another case', [attribute(USUAL.toUpperCase(), 'a')], ['a']],
  ['its OID', [attribute(OID, 'a'), attribute(OID, ' b '), attribute(OID, '')], ['a', 'b']],
  ['its older name', [attribute(MACE, 'a')], ['a']],
  ['its FriendlyName', [attribute('urn:x', 'a', USUAL)], ['a']],
  ['its OID, and no other’s FriendlyName', [attribute(OID, 'a'), attribute('urn:x', 'b', USUAL)], ['a']],
  ['another name', [attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.90', 'a')], []],
  ['the claim URI of a vendor', [attribute(`http://schemas.example/claims/${USUAL}`, 'a')], []],
])('the values of an attribute arrive under %s', (_, attributes, values) => {
  expect(attributeValues(eventWith(...attributes), USUAL)).toEqual(values);
});

test('any other name stands for itself', () => {
  const event = eventWith(attribute('Role', 'staff'), attribute(USUAL, 'member@uni.example'));
  expect(attributeValues(event, 'role')).toEqual(['staff']);
  expect(attributeValues(event, OID)).toEqual([]);
});

describe('a mapping finds by a usual name what arrives under an OID', () => {
  const name = (mapping: SamlMapping, ...attributes: ReturnType<typeof attribute>[]) =>
    mapSamlLogin(mapping)(eventWith(...attributes));

  test('a field', () => {
    const nickname = attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.2', 'Countess');
    expect(name({ first_name: ['eduPersonNickname'] }, nickname)).toMatchObject({ first_name: 'Countess' });
  });

  test('groups, rules and scopes', () => {
    const uuid = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
    const mapping: SamlMapping = {
      groups: { from: ['isMemberOf'], table: [{ group: 'staff', uuid }] },
      rules: [{ any_group: ['staff'] }, { scopes: ['uni.example'], from: [USUAL] }],
    };
    const member = attribute('urn:oid:1.3.6.1.4.1.5923.1.5.1.1', 'staff');
    const scoped = attribute(OID, 'member@uni.example');
    expect(name(mapping, member, scoped)).toMatchObject({ user_group_uuids: [uuid] });
    expect(name(mapping, member).type).toBe('ForbiddenResponse');
  });

  test.each([
    ['a denied group', { no_group: ['x'] }, attribute('urn:x', 'x', 'isMemberOf')],
    ['a denied group', { no_group: ['x'] }, attribute('urn:mace:dir:attribute-def:isMemberOf', 'x')],
    ['no other group', { any_group: ['x'] }, attribute('isMemberOf', 'x')],
    ['no other group', { any_group: ['x'] }, attribute('urn:x', 'x', 'isMemberOf')],
  ])('and by an OID %s: %j, %j', (_, rule, member) => {
    const groups = { from: ['urn:oid:1.3.6.1.4.1.5923.1.5.1.1'] };
    expect(name({ groups, rules: [rule] }, member).type).toBe('ForbiddenResponse');
  });
});

describe('the defaults know an attribute by each of its names', () => {
  const mace = (name: string) => `urn:mace:dir:attribute-def:${name}`;
  const uuid = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
  const groups = { table: [{ group: 'staff', uuid }] };

  test.each([OID, USUAL, MACE])('scopes by %s', (name) => {
    const handler = mapSamlLogin({ rules: [{ scopes: ['uni.example'], affiliations: ['member'] }] });
    expect(handler(eventWith(attribute(name, 'member@uni.example'))).type).toBe('AuthorizedUserResponse');
  });

  test.each([
    ...['urn:oid:1.3.6.1.4.1.5923.1.5.1.1', 'isMemberOf', mace('isMemberOf')],
    ...['urn:oid:1.2.840.113556.1.2.102', 'memberOf', mace('memberOf')],
    ...['urn:oid:1.3.6.1.4.1.5923.1.1.1.7', 'eduPersonEntitlement', mace('eduPersonEntitlement')],
  ])('groups by %s', (name) => {
    const response = mapSamlLogin({ groups })(eventWith(attribute(name, 'staff')));
    expect(response).toMatchObject({ user_group_uuids: [uuid] });
  });

  test.each([
    ...['urn:oid:2.5.4.10', 'o', mace('o')],
    ...['urn:oid:1.3.6.1.4.1.25178.1.2.9', 'schacHomeOrganization', SCHAC],
  ])('the affiliation by %s', (name) => {
    const response = mapSamlLogin({ affiliation: [DEFAULTS] })(eventWith(attribute(name, 'Uni')));
    expect(response).toMatchObject({ affiliation: 'Uni' });
  });
});
