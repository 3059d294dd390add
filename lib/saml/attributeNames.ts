/**
 * The names of one LDAP attribute in an assertion: its usual name, its OID, and the older `urn:mace` name (MACE-Dir SAML
 * attribute profiles). A vendor's claim URI is not a name of any of them: another vendor may mean something else by it.
 */
import { asciiLowerCase } from '../text.ts';

/** RFC 4519, RFC 2798, RFC 4524, eduPerson, SCHAC, Active Directory's memberOf. */
const OIDS: Readonly<Record<string, string>> = {
  mail: '0.9.2342.19200300.100.1.3',
  uid: '0.9.2342.19200300.100.1.1',
  cn: '2.5.4.3',
  sn: '2.5.4.4',
  givenName: '2.5.4.42',
  displayName: '2.16.840.1.113730.3.1.241',
  o: '2.5.4.10',
  ou: '2.5.4.11',
  title: '2.5.4.12',
  departmentNumber: '2.16.840.1.113730.3.1.2',
  employeeNumber: '2.16.840.1.113730.3.1.3',
  employeeType: '2.16.840.1.113730.3.1.4',
  preferredLanguage: '2.16.840.1.113730.3.1.39',
  memberOf: '1.2.840.113556.1.2.102',
  isMemberOf: '1.3.6.1.4.1.5923.1.5.1.1',
  eduPersonAffiliation: '1.3.6.1.4.1.5923.1.1.1.1',
  eduPersonNickname: '1.3.6.1.4.1.5923.1.1.1.2',
  eduPersonOrgDN: '1.3.6.1.4.1.5923.1.1.1.3',
  eduPersonOrgUnitDN: '1.3.6.1.4.1.5923.1.1.1.4',
  eduPersonPrimaryAffiliation: '1.3.6.1.4.1.5923.1.1.1.5',
  eduPersonPrincipalName: '1.3.6.1.4.1.5923.1.1.1.6',
  eduPersonEntitlement: '1.3.6.1.4.1.5923.1.1.1.7',
  eduPersonPrimaryOrgUnitDN: '1.3.6.1.4.1.5923.1.1.1.8',
  eduPersonScopedAffiliation: '1.3.6.1.4.1.5923.1.1.1.9',
  eduPersonTargetedID: '1.3.6.1.4.1.5923.1.1.1.10',
  eduPersonAssurance: '1.3.6.1.4.1.5923.1.1.1.11',
  eduPersonUniqueId: '1.3.6.1.4.1.5923.1.1.1.13',
  eduPersonOrcid: '1.3.6.1.4.1.5923.1.1.1.16',
  schacHomeOrganization: '1.3.6.1.4.1.25178.1.2.9',
  schacHomeOrganizationType: '1.3.6.1.4.1.25178.1.2.10',
};

const BY_USUAL_NAME = new Map<string, readonly string[]>();
const BY_ANY_NAME = new Map<string, readonly string[]>();
for (const [usualName, oid] of Object.entries(OIDS)) {
  const authority = usualName.startsWith('schac') ? 'terena.org' : 'dir';
  const names = [usualName, `urn:oid:${oid}`, `urn:mace:${authority}:attribute-def:${usualName}`];
  BY_USUAL_NAME.set(asciiLowerCase(usualName), names.slice(1));
  for (const name of names) BY_ANY_NAME.set(asciiLowerCase(name), names);
}

/** The names under which an attribute is looked up: a usual name stands for its other names too, any other for itself. */
export function attributeNames(name: string): string[] {
  return [name, ...(BY_USUAL_NAME.get(asciiLowerCase(name)) ?? [])];
}

/** All names of the attribute that has this one among them. For rules that deny. */
export function sameAttribute(name: string): readonly string[] {
  return BY_ANY_NAME.get(asciiLowerCase(name)) ?? [name];
}
