/** The names that `DEFAULTS` stands for, in order of preference. */

export type FieldName = 'email' | 'first_name' | 'last_name' | 'full_name' | 'image_url' | 'affiliation';
export type ListName = FieldName | 'groups' | 'scoped_affiliation';
export type DefaultNames = Readonly<Record<ListName, readonly string[]>>;

const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MICROSOFT = 'http://schemas.microsoft.com/ws/2008/06/identity/claims';

export const CLAIMS: DefaultNames = {
  email: ['email'],
  first_name: ['given_name'],
  last_name: ['family_name'],
  full_name: ['name'],
  image_url: ['picture'],
  affiliation: ['schac_home_organization'],
  groups: ['groups', 'roles', 'cognito:groups', 'realm_access.roles', 'eduperson_entitlement'],
  scoped_affiliation: ['eduperson_scoped_affiliation', 'voperson_external_affiliation'],
};

export const ATTRIBUTES: DefaultNames = {
  email: [
    ...['urn:oid:0.9.2342.19200300.100.1.3', 'mail', 'email', 'emailAddress'],
    ...[`${XMLSOAP}/emailaddress`, `${MICROSOFT}/emailaddress`],
    'http://schemas.xmlsoap.org/claims/EmailAddress',
    ...['urn:mace:dir:attribute-def:mail', 'urn:oid:1.2.840.113549.1.9.1'],
  ],
  first_name: [
    ...['urn:oid:2.5.4.42', 'givenName', 'given_name', 'firstName', 'first_name'],
    ...[`${XMLSOAP}/givenname`, `${MICROSOFT}/givenname`, 'urn:mace:dir:attribute-def:givenName'],
  ],
  last_name: [
    ...['urn:oid:2.5.4.4', 'sn', 'surname', 'lastName', 'last_name', 'family_name'],
    ...[`${XMLSOAP}/surname`, `${MICROSOFT}/surname`, 'urn:mace:dir:attribute-def:sn'],
  ],
  full_name: [
    ...['urn:oid:2.16.840.1.113730.3.1.241', 'displayName', 'urn:oid:2.5.4.3', 'cn', 'name'],
    ...['http://schemas.microsoft.com/identity/claims/displayname', `${XMLSOAP}/name`],
  ],
  image_url: [],
  affiliation: ['urn:oid:2.5.4.10', 'urn:oid:1.3.6.1.4.1.25178.1.2.9'],
  groups: [
    ...[`${MICROSOFT}/groups`, 'http://schemas.xmlsoap.org/claims/Group', `${MICROSOFT}/role`],
    ...['groups', 'memberOf', 'Role'],
    ...['urn:oid:1.3.6.1.4.1.5923.1.5.1.1', 'urn:oid:1.3.6.1.4.1.5923.1.1.1.7'],
  ],
  scoped_affiliation: ['urn:oid:1.3.6.1.4.1.5923.1.1.1.9'],
};

/** The usual names of LDAP attributes that hold groups or affiliations, and their OIDs. */
const OIDS: Readonly<Record<string, string>> = {
  memberOf: '1.2.840.113556.1.2.102',
  isMemberOf: '1.3.6.1.4.1.5923.1.5.1.1',
  eduPersonEntitlement: '1.3.6.1.4.1.5923.1.1.1.7',
  eduPersonScopedAffiliation: '1.3.6.1.4.1.5923.1.1.1.9',
};
/** One attribute each, the usual name first. */
export const SAME_ATTRIBUTES = Object.entries(OIDS).map(([name, oid]) => [
  name,
  `urn:oid:${oid}`,
  `urn:mace:dir:attribute-def:${name}`,
]);
