/** The attributes of an assertion, and how one is looked up. */

import { isAtEntra } from '../issuers.ts';
import {
  comparable,
  type Name,
  namesOf,
  type Occurrence,
  type PlacedValue,
  type Reader,
  type Use,
  usedTexts,
  type VerificationStatus,
} from '../profile/fields/reader.ts';
import { asciiLowerCase } from '../text.ts';
import { attributeNames, sameAttribute } from './attributeNames.ts';
import type { Assertion, AssertionAttribute, SamlUserLoggedInEvent } from './model.ts';

/** Entra sends this link instead of groups that are too many to list. */
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
/** The claims that may hold Entra's groups: an administrator may rename the claim or send groups as roles. */
const ENTRA_GROUPS = /group|role|memberof/;

const PREFERRED_LANGUAGE = new Set(attributeNames('preferredLanguage').map(asciiLowerCase));

const EMAIL_NAME_ID_FORMATS = ['urn:oasis:names:tc:saml:1.1:nameid-format:emailaddress', 'emailaddress'];
const UNSPECIFIED_FORMATS = ['urn:oasis:names:tc:saml:1.1:nameid-format:unspecified', 'unspecified', ''];

/**
 * Where some providers say whether the account's address is verified, alone or at the end of a URI, such as Auth0's
 * `http://schemas.auth0.com/email_verified`. SAML itself has no such attribute.
 */
const EMAIL_VERIFIED = /(?:^|[/#:])email_?verified$/i;
/** It says no as clearly as the others, and proves nothing. */
const VERIFIED_EMAIL = /(?:^|[/#:])verified_?email$/i;

/**
 * Names are looked up without regard to case: `Name` for all candidates first, `FriendlyName` only where no
 * `Name` is among them. SAML Core 2.7.3.1 forbids to identify an attribute by its FriendlyName, and some
 * providers send the meaning nowhere else. An empty name matches nothing.
 */
export class AttributesReader implements Reader {
  readonly #assertion: Assertion;
  readonly #attributes: readonly AssertionAttribute[];
  readonly #byName: Index = new Map();
  readonly #byFriendlyName: Index = new Map();
  readonly #emailStatus: VerificationStatus;

  constructor({ assertion }: SamlUserLoggedInEvent) {
    this.#assertion = assertion;
    this.#attributes = assertion.attribute_statement;
    for (const [position, { name, friendly_name }] of this.#attributes.entries()) {
      note(this.#byName, name, position);
      note(this.#byFriendlyName, friendly_name, position);
    }
    this.#emailStatus = statusOf(this.#attributes);
  }

  get nameId(): string {
    return this.#assertion.subject.name_id.value;
  }

  get emailNameId(): string | null {
    return nameIdOf(this.#assertion, EMAIL_NAME_ID_FORMATS);
  }

  get unspecifiedNameId(): string | null {
    return nameIdOf(this.#assertion, UNSPECIFIED_FORMATS);
  }

  allNames(): string[] {
    return this.#attributes.flatMap(({ name, friendly_name }) => [name, friendly_name ?? '']).filter(Boolean);
  }

  has({ key }: Name): boolean {
    return this.#byName.has(key) || this.#byFriendlyName.has(key);
  }

  occurrences(names: readonly Name[], all = names): Occurrence[] {
    const isNamed = all.some(({ key }) => this.#byName.has(key));
    return [
      ...this.#occurrencesBy('Name', names, 'grant'),
      ...this.#occurrencesBy('FriendlyName', names, isNamed ? 'fallback' : 'grant'),
    ];
  }

  occurrencesEverywhere(names: readonly Name[], all = names): Occurrence[] {
    const others = otherNamesOf(names);
    return [
      ...this.occurrences(names, all),
      ...this.#occurrencesBy('Name', others, 'deny-only'),
      ...this.#occurrencesBy('FriendlyName', others, 'deny-only'),
    ];
  }

  values(names: readonly Name[]): PlacedValue[] {
    // Stryker disable next-line StringLiteral: only the values are looked at.
    return valuesIn(this.#occurrencesBy('Name', names, 'grant'));
  }

  valuesEverywhere(names: readonly Name[]): PlacedValue[] {
    return valuesIn(this.occurrencesEverywhere(names));
  }

  /** SAML Core 2.7.2. */
  get signedInAt(): PlacedValue {
    const { instant } = this.#assertion.authn_statement;
    return { path: 'authn_statement.instant', value: instant.getTime() / 1_000 };
  }

  /** Of all addresses of the assertion, the NameID too. */
  emailStatus(): VerificationStatus {
    return this.#emailStatus;
  }

  hasOverage({ key }: Name): boolean {
    return ENTRA_GROUPS.test(key) && this.has({ name: GROUPS_LINK, key: GROUPS_LINK });
  }

  nestedNames(): [] {
    return [];
  }

  own(name: string): string[] {
    return this.occurrences(namesOf(name)).map(({ text }) => text);
  }

  otherNames(name: string): string[] {
    const others = otherNamesOf(namesOf(name));
    return others.filter((other) => this.has(other)).map((other) => other.name);
  }

  /** Each value of an attribute is a text. */
  otherForm(): null {
    return null;
  }

  #occurrencesBy(by: 'Name' | 'FriendlyName', names: readonly Name[], use: Use): Occurrence[] {
    const index = by === 'Name' ? this.#byName : this.#byFriendlyName;
    const found: Occurrence[] = [];
    for (const { name, key } of names) {
      for (const position of index.get(key) ?? []) {
        const { name: attribute, value } = this.#attributes[position] as AssertionAttribute;
        const path = `attribute_statement[${position}]`;
        found.push({ name, path, text: value, by, attribute, use, shape: 'maybe-joined' });
      }
    }
    return found;
  }
}

/**
 * All values of an attribute by its usual name, e.g. `eduPersonScopedAffiliation`: under that name, its OID or its
 * `urn:mace` name, and by FriendlyName where no Name is one of these. Without case, surrounding white space or empty values.
 */
export function attributeValues(event: SamlUserLoggedInEvent, name: string): string[] {
  return usedTexts(new AttributesReader(event).occurrences(namesOf(...attributeNames(name))));
}

/** RFC 2798 section 2.7: in the form of Accept-Language. By `Name` first, as any other attribute. */
export function preferredLanguageOf({ assertion }: SamlUserLoggedInEvent): string | null {
  const { attribute_statement } = assertion;
  const isIt = (name: string | null) => name !== null && PREFERRED_LANGUAGE.has(asciiLowerCase(name));
  const found =
    attribute_statement.find(({ name }) => isIt(name)) ??
    attribute_statement.find(({ friendly_name }) => isIt(friendly_name));
  return found?.value ?? null;
}

function valuesIn(occurrences: readonly Occurrence[]): PlacedValue[] {
  return occurrences.map(({ path, text }) => comparable({ path, value: text }));
}

/** The other names of the attributes that have one of these. */
function otherNamesOf(names: readonly Name[]): readonly Name[] {
  const keys = new Set(names.map(({ key }) => key));
  const all = namesOf(...new Set(names.flatMap(({ name }) => sameAttribute(name))));
  return all.filter(({ key }) => !keys.has(key));
}

/** Null where it has none of these formats. */
function nameIdOf({ issuer, subject: { name_id } }: Assertion, formats: readonly string[]): string | null {
  const { format, value } = name_id;
  if (!formats.includes(asciiLowerCase(format ?? ''))) return null;
  // Entra puts the user principal name into it.
  return isAtEntra(URL.parse(issuer)) ? null : value;
}

function statusOf(attributes: readonly AssertionAttribute[]): VerificationStatus {
  const claimed = saidBy(attributes, EMAIL_VERIFIED);
  const said = [...claimed, ...saidBy(attributes, VERIFIED_EMAIL)];
  // Several values may be concatenated.
  if (said.some((value) => !/^(?:1|true)*$/i.test(value))) return 'unverified';
  // An empty value says nothing.
  return claimed.length > 0 && !said.includes('') ? 'claimed' : 'unknown';
}

function saidBy(attributes: readonly AssertionAttribute[], pattern: RegExp): string[] {
  const saying = attributes.filter(({ name, friendly_name }) =>
    [name, friendly_name].some((text) => pattern.test(`${text}`)),
  );
  return saying.map(({ value }) => value.trim());
}

/** The positions of the attributes of a name. An empty name is none. */
type Index = Map<string, number[]>;

function note(index: Index, name: string | null, position: number): void {
  if (!name) return;
  const key = asciiLowerCase(name);
  const before = index.get(key);
  if (before) before.push(position);
  else index.set(key, [position]);
}
