/**
 * The names of attributes in an assertion: a table of LDAP attributes, and the names that the default handlers look at.
 *
 * A vendor's claim URI is not another name of an LDAP attribute: another vendor may mean something else by it.
 */
import { type DefaultNames, namesOf } from '../profile/reader.ts';
import { asciiLowerCase } from '../text.ts';

/** LDAP name, OID, and who registered the older `urn:mace` name (MACE-Dir SAML attribute profiles). */
const TABLE = [
  // RFC 4519, RFC 4524
  ['mail', '0.9.2342.19200300.100.1.3', 'dir'],
  ['uid', '0.9.2342.19200300.100.1.1', 'dir'],
  ['cn', '2.5.4.3', 'dir'],
  ['sn', '2.5.4.4', 'dir'],
  ['givenName', '2.5.4.42', 'dir'],
  ['o', '2.5.4.10', 'dir'],
  ['ou', '2.5.4.11', 'dir'],
  ['title', '2.5.4.12', 'dir'],
  // RFC 2798
  ['displayName', '2.16.840.1.113730.3.1.241', 'dir'],
  ['departmentNumber', '2.16.840.1.113730.3.1.2', 'dir'],
  ['employeeNumber', '2.16.840.1.113730.3.1.3', 'dir'],
  ['employeeType', '2.16.840.1.113730.3.1.4', 'dir'],
  ['preferredLanguage', '2.16.840.1.113730.3.1.39', 'dir'],
  // Active Directory, eduMember
  ['memberOf', '1.2.840.113556.1.2.102', 'dir'],
  ['isMemberOf', '1.3.6.1.4.1.5923.1.5.1.1', 'dir'],
  // eduPerson
  ['eduPersonAffiliation', '1.3.6.1.4.1.5923.1.1.1.1', 'dir'],
  ['eduPersonNickname', '1.3.6.1.4.1.5923.1.1.1.2', 'dir'],
  ['eduPersonOrgDN', '1.3.6.1.4.1.5923.1.1.1.3', 'dir'],
  ['eduPersonOrgUnitDN', '1.3.6.1.4.1.5923.1.1.1.4', 'dir'],
  ['eduPersonPrimaryAffiliation', '1.3.6.1.4.1.5923.1.1.1.5', 'dir'],
  ['eduPersonPrincipalName', '1.3.6.1.4.1.5923.1.1.1.6', 'dir'],
  ['eduPersonEntitlement', '1.3.6.1.4.1.5923.1.1.1.7', 'dir'],
  ['eduPersonPrimaryOrgUnitDN', '1.3.6.1.4.1.5923.1.1.1.8', 'dir'],
  ['eduPersonScopedAffiliation', '1.3.6.1.4.1.5923.1.1.1.9', 'dir'],
  ['eduPersonTargetedID', '1.3.6.1.4.1.5923.1.1.1.10', 'dir'],
  ['eduPersonAssurance', '1.3.6.1.4.1.5923.1.1.1.11', 'dir'],
  ['eduPersonUniqueId', '1.3.6.1.4.1.5923.1.1.1.13', 'dir'],
  ['eduPersonOrcid', '1.3.6.1.4.1.5923.1.1.1.16', 'dir'],
  // SCHAC
  ['schacHomeOrganization', '1.3.6.1.4.1.25178.1.2.9', 'terena.org'],
  ['schacHomeOrganizationType', '1.3.6.1.4.1.25178.1.2.10', 'terena.org'],
] as const;

/** The columns of the table, each by LDAP name. */
export const OID = column(([, oid]) => `urn:oid:${oid}`);
const MACE = column(([name, , registry]) => `urn:mace:${registry}:attribute-def:${name}`);

type LdapName = (typeof TABLE)[number][0];

function column(of: (row: (typeof TABLE)[number]) => string): Record<LdapName, string> {
  return Object.fromEntries(TABLE.map((row) => [row[0], of(row)])) as Record<LdapName, string>;
}

/** Claim URIs of Entra and AD FS. */
const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MICROSOFT = 'http://schemas.microsoft.com/ws/2008/06/identity/claims';
/** PKCS #9's emailAddress, under which Keycloak sends the address. */
const KEYCLOAK_EMAIL = 'urn:oid:1.2.840.113549.1.9.1';

export const SAML_NAMES: DefaultNames = {
  kind: 'SAML',
  email: namesOf(
    ...[OID.mail, 'mail', 'email', 'emailAddress'],
    ...[`${XMLSOAP}/emailaddress`, `${MICROSOFT}/emailaddress`],
    'http://schemas.xmlsoap.org/claims/EmailAddress',
    ...[MACE.mail, KEYCLOAK_EMAIL],
  ),
  emailNameId: true,
  first_name: namesOf(
    ...[OID.givenName, 'givenName', 'given_name', 'firstName', 'first_name'],
    ...[`${XMLSOAP}/givenname`, `${MICROSOFT}/givenname`, MACE.givenName],
  ),
  last_name: namesOf(
    ...[OID.sn, 'sn', 'surname', 'lastName', 'last_name', 'family_name'],
    ...[`${XMLSOAP}/surname`, `${MICROSOFT}/surname`, MACE.sn],
  ),
  full_name: namesOf(
    ...[OID.displayName, 'displayName', OID.cn, 'cn', 'name'],
    ...['http://schemas.microsoft.com/identity/claims/displayname', `${XMLSOAP}/name`],
  ),
  image_url: [],
  affiliation: namesOf(OID.o, OID.schacHomeOrganization),
  external_id: [],
  external_label: [],
  groups: namesOf(
    `${MICROSOFT}/groups`, // Entra
    'http://schemas.xmlsoap.org/claims/Group', // AD FS
    `${MICROSOFT}/role`,
    ...['groups', 'memberOf'],
    'Role', // Keycloak
    ...[OID.isMemberOf, OID.eduPersonEntitlement],
  ),
  scoped_affiliation: namesOf(OID.eduPersonScopedAffiliation),
  expand: attributeNames,
};

const ALL_NAMES = new Map<string, readonly [string, ...string[]]>();
for (const [ldapName] of TABLE) {
  const names: [string, ...string[]] = [ldapName, OID[ldapName], MACE[ldapName]];
  for (const name of names) ALL_NAMES.set(asciiLowerCase(name), names);
}

/** The names under which an attribute is looked up: an LDAP name stands for its other names too, any other for itself. */
export function attributeNames(name: string): string[] {
  const [ldapName, ...others] = sameAttribute(name);
  return asciiLowerCase(name) === asciiLowerCase(ldapName) ? [name, ...others] : [name];
}

/** All names of the attribute that has this one among them, its LDAP name first. For rules that deny. */
export function sameAttribute(name: string): readonly [string, ...string[]] {
  return ALL_NAMES.get(asciiLowerCase(name)) ?? [name];
}
