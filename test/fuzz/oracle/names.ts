/** The names that `DEFAULTS` stands for, in order of preference, as the bundle's tables have them. */
import { CLAIM_NAMES } from '../../../lib/openid/claims.ts';
import type { NameLists } from '../../../lib/profile/reader.ts';
import { ATTRIBUTE_NAMES, OID } from '../../../lib/saml/attributeNames.ts';

export type ListName = keyof NameLists;
export type DefaultNames = (list: ListName) => readonly string[];

function namesOf(lists: NameLists): DefaultNames {
  return (list) => (lists[list] ?? []).map(({ name }) => name);
}

export const CLAIMS = namesOf(CLAIM_NAMES);
export const ATTRIBUTES = namesOf(ATTRIBUTE_NAMES);

/** The names of LDAP attributes that hold groups or affiliations: one attribute each, the usual name first. */
export const SAME_ATTRIBUTES = (
  ['memberOf', 'isMemberOf', 'eduPersonEntitlement', 'eduPersonScopedAffiliation'] as const
).map((name) => [name, OID[name], `urn:mace:dir:attribute-def:${name}`]);
