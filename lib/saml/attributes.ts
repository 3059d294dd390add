/** The attributes of an assertion, and how one is looked up. */

import { isAtEntra } from '../issuers.ts';
import {
  type FoundText,
  type Name,
  namesOf,
  type Place,
  type Reader,
  type Use,
  type VerificationStatus,
} from '../profile/reader.ts';
import { asciiLowerCase, onlyText, trimmedAll } from '../text.ts';
import { attributeNames, sameAttribute } from './attributeNames.ts';
import type { Assertion, AssertionAttribute, SamlUserLoggedInEvent } from './model.ts';

/** Entra sends this link instead of groups that are too many to list. */
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
/** The claims that may hold Entra's groups: an administrator may rename the claim or send groups as roles. */
const ENTRA_GROUPS = /group|role|memberof/;

const EMAIL_NAME_ID_FORMATS = ['urn:oasis:names:tc:saml:1.1:nameid-format:emailaddress', 'emailaddress'];
const ENTRA_GUEST = '#ext#';

/**
 * Where some providers say whether the account's address is verified, alone or at the end of a URI, such as Auth0's
 * `http://schemas.auth0.com/email_verified`. SAML itself has no such attribute.
 */
const EMAIL_VERIFIED = /(?:^|[/#:])email_?verified$/;

/**
 * Names are looked up without regard to case: `Name` for all candidates first, `FriendlyName` only where no
 * `Name` is among them. SAML Core 2.7.3.1 forbids to identify an attribute by its FriendlyName, and some
 * providers send the meaning nowhere else. An empty name matches nothing.
 */
export class AttributesReader implements Reader {
  readonly issuer: string;
  readonly nameId: string;
  readonly #assertion: Assertion;
  #byName: Index | undefined;
  #byFriendlyName: Index | undefined;

  constructor({ assertion }: SamlUserLoggedInEvent) {
    this.issuer = assertion.issuer;
    this.nameId = assertion.subject.name_id.value;
    this.#assertion = assertion;
  }

  get emailNameId(): string | null {
    return isEmailNameId(this.#assertion) ? this.nameId : null;
  }

  allNames(): string[] {
    return allNames(this.#assertion.attribute_statement);
  }

  has({ key }: Name): boolean {
    return this.#names().has(key) || this.#friendlyNames().has(key);
  }

  all(names: readonly Name[]): string[] {
    const isNamed = names.some(({ key }) => this.#names().has(key));
    return allIn(isNamed ? this.#names() : this.#friendlyNames(), names);
  }

  everywhere(names: readonly Name[]): FoundText[] {
    const every = everyNameOf(names);
    return [...allIn(this.#names(), every), ...allIn(this.#friendlyNames(), every)].map((text) => ({
      text,
      mayBeConcatenated: true,
    }));
  }

  first<TResult>(names: readonly Name[], use: Use<TResult>): TResult | null {
    return (
      firstIn(this.#names(), names, 'Name', use) ?? firstIn(this.#friendlyNames(), names, 'FriendlyName', use)
    );
  }

  only(names: readonly Name[]): string | null {
    return onlyText(allIn(this.#names(), names));
  }

  /** Of all addresses of the assertion, the NameID too. */
  emailStatus(): VerificationStatus {
    const said = [
      ...allLike(this.#names(), EMAIL_VERIFIED),
      ...allLike(this.#friendlyNames(), EMAIL_VERIFIED),
    ];
    if (said.length === 0) return 'unknown';
    // Several values may be concatenated.
    return said.every((value) => /^(?:1|true)+$/i.test(value)) ? 'claimed' : 'unverified';
  }

  places(names: readonly Name[]): Place[] {
    const attributes = this.#assertion.attribute_statement;
    const isNamed = names.some(({ key }) => this.#names().has(key));
    return [
      ...placesOf(attributes, names, ({ name }) => name, isNamed),
      ...placesOf(attributes, names, ({ friendly_name }) => friendly_name, !isNamed),
    ];
  }

  hasOverage({ key }: Name): boolean {
    if (!ENTRA_GROUPS.test(key)) return false;
    return this.#names().has(GROUPS_LINK) || this.#friendlyNames().has(GROUPS_LINK);
  }

  #names(): Index {
    this.#byName ??= index(this.#assertion.attribute_statement, ({ name }) => name);
    return this.#byName;
  }

  #friendlyNames(): Index {
    this.#byFriendlyName ??= index(this.#assertion.attribute_statement, ({ friendly_name }) => friendly_name);
    return this.#byFriendlyName;
  }
}

/**
 * All values of an attribute by its usual name, e.g. `eduPersonScopedAffiliation`: under that name, its OID or its
 * `urn:mace` name, and by FriendlyName where no Name is one of these. Without case, surrounding white space or empty values.
 */
export function attributeValues(event: SamlUserLoggedInEvent, name: string): string[] {
  return new AttributesReader(event).all(namesOf(...attributeNames(name)));
}

/** All names of the attributes that have one of these. */
function everyNameOf(names: readonly Name[]): Name[] {
  return namesOf(...new Set(names.flatMap(({ name }) => sameAttribute(name))));
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
  const { format } = name_id;
  if (format === null || !EMAIL_NAME_ID_FORMATS.includes(asciiLowerCase(format))) return false;
  // Entra puts the user principal name into it.
  return !asciiLowerCase(name_id.value).includes(ENTRA_GUEST) && !isAtEntra(URL.parse(issuer));
}

/** Most names occur once: an array for each would cost more than everything else here. */
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

function allLike(values: Index, pattern: RegExp): string[] {
  const found: string[] = [];
  for (const [key, value] of values) if (pattern.test(key)) found.push(...[value].flat());
  return trimmedAll(found);
}

function placesOf(
  attributes: readonly AssertionAttribute[],
  names: readonly Name[],
  nameOf: (attribute: AssertionAttribute) => string | null,
  isUsed: boolean,
): Place[] {
  const keys = attributes.map((one) => {
    const name = nameOf(one);
    return name === null ? null : asciiLowerCase(name);
  });
  return names.flatMap(({ name, key }) =>
    attributes.flatMap(({ value: text }, index) =>
      keys[index] === key ? [{ name, path: `attribute_statement[${index}]`, text, isUsed }] : [],
    ),
  );
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
