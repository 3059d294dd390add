/** The attributes of an assertion: the names that identity providers use, and how one is looked up. */

import { once } from '../once.ts';
import type { EmailStanding, Received, Use } from '../profile/reader.ts';
import { type DefaultNames, type Name, namesOf } from '../profile/reader.ts';
import { asciiLowerCase, onlyText, trimmedAll } from '../text.ts';
import { attributeNames, sameAttribute } from './attributeNames.ts';
import type { Assertion, AssertionAttribute, SamlUserLoggedInEvent } from './model.ts';

const XS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MS = 'http://schemas.microsoft.com/ws/2008/06/identity/claims';
const MACE = 'urn:mace:dir:attribute-def';

export const SAML_NAMES: DefaultNames = {
  kind: 'SAML',
  email: namesOf(
    'urn:oid:0.9.2342.19200300.100.1.3', // mail
    'mail',
    'email',
    'emailAddress',
    `${XS}/emailaddress`,
    `${MS}/emailaddress`,
    'http://schemas.xmlsoap.org/claims/EmailAddress',
    `${MACE}:mail`,
    'urn:oid:1.2.840.113549.1.9.1', // emailAddress, Keycloak's
  ),
  emailNameId: true,
  first_name: namesOf(
    'urn:oid:2.5.4.42', // givenName
    'givenName',
    'given_name',
    'firstName',
    'first_name',
    `${XS}/givenname`,
    `${MS}/givenname`,
    `${MACE}:givenName`,
  ),
  last_name: namesOf(
    'urn:oid:2.5.4.4', // sn
    'sn',
    'surname',
    'lastName',
    'last_name',
    'family_name',
    `${XS}/surname`,
    `${MS}/surname`,
    `${MACE}:sn`,
  ),
  full_name: namesOf(
    'urn:oid:2.16.840.1.113730.3.1.241', // displayName
    'displayName',
    'urn:oid:2.5.4.3', // cn
    'cn',
    'name',
    'http://schemas.microsoft.com/identity/claims/displayname',
    `${XS}/name`,
  ),
  image_url: [],
  affiliation: namesOf(
    'urn:oid:2.5.4.10', // organizationName
    'urn:oid:1.3.6.1.4.1.25178.1.2.9', // schacHomeOrganization
  ),
  external_id: [],
  external_label: [],
  groups: namesOf(
    `${MS}/groups`, // Entra
    'http://schemas.xmlsoap.org/claims/Group', // AD FS
    `${MS}/role`,
    'groups',
    'memberOf',
    'Role', // Keycloak
    'urn:oid:1.3.6.1.4.1.5923.1.5.1.1', // isMemberOf
    'urn:oid:1.3.6.1.4.1.5923.1.1.1.7', // eduPersonEntitlement
  ),
  scoped_affiliation: namesOf(
    'urn:oid:1.3.6.1.4.1.5923.1.1.1.9', // eduPersonScopedAffiliation
  ),
  expand: attributeNames,
};

/** Entra sends this link instead of the groups where they are too many to list. */
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
/** The claims that may hold Entra's groups: an administrator may rename the claim or send groups as roles. */
const ENTRA_GROUPS = /group|role|memberof/;

const EMAIL_NAME_ID_FORMATS = ['urn:oasis:names:tc:saml:1.1:nameid-format:emailaddress', 'emailaddress'];
/** Entra's issuers: it puts the user principal name into a NameID that says emailAddress. */
const ENTRA_ISSUER_PREFIX = 'https://sts.windows.net/';
const ENTRA_GUEST = '#ext#';

/**
 * Names are looked up without regard to case: `Name` for all candidates first, `FriendlyName` only where no
 * `Name` is among them. SAML Core 2.7.3.1 forbids to identify an attribute by its FriendlyName, and some
 * providers send the meaning nowhere else. An empty name matches nothing.
 */
export function receivedAttributes({ assertion }: SamlUserLoggedInEvent): Received {
  const attributes = assertion.attribute_statement;
  const byName = once(() => index(attributes, ({ name }) => name));
  const byFriendlyName = once(() => index(attributes, ({ friendly_name }) => friendly_name));
  const { name_id } = assertion.subject;

  return {
    issuer: assertion.issuer,
    allNames: () => allNames(attributes),
    all(names) {
      const isNamed = names.some(({ key }) => byName().has(key));
      return allIn(isNamed ? byName() : byFriendlyName(), names);
    },
    everywhere: (names) =>
      [byName(), byFriendlyName()]
        .flatMap((values) => allIn(values, everyNameOf(names)))
        .map((text) => ({ text, mayBeJoined: true })),
    has: ({ key }) => byName().has(key) || byFriendlyName().has(key),
    first: (names, use) =>
      firstIn(byName(), names, 'Name', use) ?? firstIn(byFriendlyName(), names, 'FriendlyName', use),
    nameId: name_id.value,
    emailNameId: isEmailNameId(assertion) ? name_id.value : null,
    only: (names) => onlyText(allIn(byName(), names)),
    emailStanding: () => emailStanding([byName(), byFriendlyName()]),
    isWithheld: ({ key }) =>
      ENTRA_GROUPS.test(key) && (byName().has(GROUPS_LINK) || byFriendlyName().has(GROUPS_LINK)),
  };
}

/** What some providers send of an account's address, the NameID too. SAML itself has no such attribute. */
const EMAIL_VERIFIED = namesOf('emailVerified', 'email_verified');

function emailStanding(indexes: readonly Index[]): EmailStanding {
  const said = indexes.flatMap((values) => allIn(values, EMAIL_VERIFIED));
  if (said.length === 0) return 'unproven';
  // Several values may have been joined into one text.
  return said.every((value) => /^(?:1|true)+$/i.test(value)) ? 'claimed' : 'unverified';
}

/** All names of the attributes that have one of these. */
function everyNameOf(names: readonly Name[]): Name[] {
  return namesOf(...new Set(names.flatMap(({ name }) => sameAttribute(name))));
}

/**
 * All values of an attribute by its usual name, e.g. `eduPersonScopedAffiliation`: under that name, its OID or its
 * `urn:mace` name, and by FriendlyName where no Name is one of these. Without case, surrounding white space or empty values.
 */
export function attributeValues(event: SamlUserLoggedInEvent, name: string): string[] {
  return receivedAttributes(event).all(namesOf(...attributeNames(name)));
}

/** A loop, because it runs in every login. */
function allNames(attributes: readonly AssertionAttribute[]): string[] {
  const names: string[] = [];
  for (const { name, friendly_name } of attributes) {
    if (name !== '') names.push(name);
    if (friendly_name) names.push(friendly_name);
  }
  return names;
}

function isEmailNameId({ issuer, subject: { name_id } }: Assertion): boolean {
  if (!EMAIL_NAME_ID_FORMATS.includes(asciiLowerCase(name_id.format ?? ''))) return false;
  return !asciiLowerCase(name_id.value).includes(ENTRA_GUEST) && !issuer.startsWith(ENTRA_ISSUER_PREFIX);
}

/** Most names stand once: an array for each would cost more than all the rest. */
type Index = Map<string, string | string[]>;

function index<TItem extends { value: string }>(
  items: readonly TItem[],
  nameOf: (item: TItem) => string | null,
): Index {
  const values: Index = new Map();
  for (const item of items) {
    const name = nameOf(item);
    if (!name) continue;
    const key = asciiLowerCase(name);
    const before = values.get(key);
    if (before === undefined) values.set(key, item.value);
    else if (typeof before === 'string') values.set(key, [before, item.value]);
    else before.push(item.value);
  }
  return values;
}

function allIn(values: Index, names: readonly Name[]): string[] {
  return trimmedAll(names.flatMap(({ key }) => values.get(key) ?? []));
}

function firstIn<TResult>(
  values: Index,
  names: readonly Name[],
  by: string,
  use: Use<TResult>,
): TResult | null {
  for (const { name, key } of names) {
    const found = values.get(key);
    if (found === undefined) continue;
    for (const value of typeof found === 'string' ? [found] : found) {
      const result = use(value, name, by);
      if (result !== null) return result;
    }
  }
  return null;
}
