/**
 * The names of attributes in an assertion: a table of LDAP attributes, and the names that the default handlers look at.
 *
 * A vendor's claim URI is not another name of an LDAP attribute: another vendor may mean something else by it.
 */
import { type DefaultNames, type NameLists, namesOf } from '../profile/fields/reader.ts';
import { asciiLowerCase } from '../text.ts';

/** Attributes by LDAP name, each with the name that SAML has for it (X.500/LDAP attribute profile, section 2.2). */
export const OID = {
  // RFC 4519, RFC 4524
  mail: 'urn:oid:0.9.2342.19200300.100.1.3',
  uid: 'urn:oid:0.9.2342.19200300.100.1.1',
  cn: 'urn:oid:2.5.4.3',
  sn: 'urn:oid:2.5.4.4',
  givenName: 'urn:oid:2.5.4.42',
  o: 'urn:oid:2.5.4.10',
  ou: 'urn:oid:2.5.4.11',
  title: 'urn:oid:2.5.4.12',
  // RFC 2798
  displayName: 'urn:oid:2.16.840.1.113730.3.1.241',
  departmentNumber: 'urn:oid:2.16.840.1.113730.3.1.2',
  employeeNumber: 'urn:oid:2.16.840.1.113730.3.1.3',
  employeeType: 'urn:oid:2.16.840.1.113730.3.1.4',
  preferredLanguage: 'urn:oid:2.16.840.1.113730.3.1.39',
  // Active Directory, eduMember
  memberOf: 'urn:oid:1.2.840.113556.1.2.102',
  isMemberOf: 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
  // eduPerson
  eduPersonAffiliation: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.1',
  eduPersonNickname: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.2',
  eduPersonOrgDN: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.3',
  eduPersonOrgUnitDN: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.4',
  eduPersonPrimaryAffiliation: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.5',
  eduPersonPrincipalName: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6',
  eduPersonEntitlement: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.7',
  eduPersonPrimaryOrgUnitDN: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.8',
  eduPersonScopedAffiliation: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9',
  eduPersonTargetedID: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.10',
  eduPersonAssurance: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.11',
  eduPersonUniqueId: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.13',
  eduPersonOrcid: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.16',
  // SCHAC
  schacHomeOrganization: 'urn:oid:1.3.6.1.4.1.25178.1.2.9',
  schacHomeOrganizationType: 'urn:oid:1.3.6.1.4.1.25178.1.2.10',
} as const;

/** The older name of an attribute: who defined it registered it (MACE-Dir SAML attribute profiles). */
function mace(ldapName: string): string {
  const registry = ldapName.startsWith('schac') ? 'terena.org' : 'dir';
  return `urn:mace:${registry}:attribute-def:${ldapName}`;
}

/** Claim URIs of Entra and AD FS. */
const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MICROSOFT = 'http://schemas.microsoft.com/ws/2008/06/identity/claims';
/** PKCS #9's emailAddress, under which Keycloak sends the address. */
const KEYCLOAK_EMAIL = 'urn:oid:1.2.840.113549.1.9.1';

/** Of natural persons in eIDAS, the identities of Europe's states. */
const EIDAS = 'http://eidas.europa.eu/attributes/naturalperson';

/** An attribute by its OID, its usual name and its older name. */
function every(ldapName: keyof typeof OID): string[] {
  return [OID[ldapName], ldapName, mace(ldapName)];
}

export const ATTRIBUTE_NAMES = {
  email: namesOf(
    ...[OID.mail, 'mail', 'email', 'emailAddress'],
    ...[`${XMLSOAP}/emailaddress`, `${MICROSOFT}/emailaddress`],
    'http://schemas.xmlsoap.org/claims/EmailAddress',
    ...[mace('mail'), KEYCLOAK_EMAIL],
  ),
  first_name: namesOf(
    ...[OID.givenName, 'givenName', 'given_name', 'firstName', 'first_name'],
    ...[`${XMLSOAP}/givenname`, `${MICROSOFT}/givenname`, mace('givenName')],
    ...[`${EIDAS}/CurrentGivenName`, 'CurrentGivenName'],
  ),
  last_name: namesOf(
    ...[OID.sn, 'sn', 'surname', 'lastName', 'last_name', 'family_name'],
    ...[`${XMLSOAP}/surname`, `${MICROSOFT}/surname`, mace('sn')],
    ...[`${EIDAS}/CurrentFamilyName`, 'CurrentFamilyName', 'familyName', 'usual_name'],
  ),
  full_name: namesOf(
    ...[...every('displayName'), ...every('cn'), 'name'],
    ...['http://schemas.microsoft.com/identity/claims/displayname', `${XMLSOAP}/name`],
  ),
  affiliation: namesOf(...every('o'), ...every('schacHomeOrganization')),
  groups: namesOf(
    `${MICROSOFT}/groups`, // Entra
    'http://schemas.xmlsoap.org/claims/Group', // AD FS
    `${MICROSOFT}/role`,
    ...['groups', 'memberOf', OID.memberOf, mace('memberOf')],
    'Role', // Keycloak
    ...[...every('isMemberOf'), ...every('eduPersonEntitlement')],
  ),
  scoped_affiliation: namesOf(...every('eduPersonScopedAffiliation')),
  assurance: namesOf(...every('eduPersonAssurance')),
} satisfies NameLists;

/** SAML Subject Identifier Attributes 1.0, eduPerson. */
export const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
export const PAIRWISE_ID = 'urn:oasis:names:tc:SAML:attribute:pairwise-id';

/** By each of their names. */
const SCOPED_IDS = [
  ...[SUBJECT_ID, 'subject-id', PAIRWISE_ID, 'pairwise-id'],
  ...['eduPersonUniqueId', OID.eduPersonUniqueId, mace('eduPersonUniqueId')],
];

export const SAML_NAMES: DefaultNames & typeof ATTRIBUTE_NAMES = {
  ...ATTRIBUTE_NAMES,
  kind: 'SAML',
  emailNameId: true,
  scopedIds: new Set(SCOPED_IDS.map(asciiLowerCase)),
  expand: attributeNames,
  same: sameAttribute,
};

const NAMES: ReadonlyMap<string, readonly [string, ...string[]]> = new Map(
  Object.entries(OID).flatMap(([ldapName, oid]) => {
    const same = [ldapName, oid, mace(ldapName)] as const;
    return same.map((name) => [asciiLowerCase(name), same] as const);
  }),
);

/** The names under which an attribute is looked up: an LDAP name stands for its other names too, any other for itself. */
export function attributeNames(name: string): string[] {
  const [ldapName, ...others] = sameAttribute(name);
  return asciiLowerCase(name) === asciiLowerCase(ldapName) ? [name, ...others] : [name];
}

/** All names of the attribute that has this one among them, its LDAP name first. For rules that deny. */
export function sameAttribute(name: string): readonly [string, ...string[]] {
  return NAMES.get(asciiLowerCase(name)) ?? [name];
}
