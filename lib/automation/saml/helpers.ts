/** What a SAML login event says of the person: each helper returns a string, or null where it says nothing. */
import { isEmail } from '../response.ts';
import type { AssertionAttribute, SamlUserLoggedInEvent } from './model.ts';

/** Where a value is found: the attribute's Name, or failing that its FriendlyName (SAML Core 2.7.3.1). */
interface Source {
  names: readonly string[];
  friendlyNames: readonly string[];
}

const EMAIL: Source = {
  names: ['urn:oid:0.9.2342.19200300.100.1.3', 'urn:oid:1.2.840.113549.1.9.1'],
  friendlyNames: ['email', 'mail'],
};
const FIRST_NAME: Source = { names: ['urn:oid:2.5.4.42'], friendlyNames: ['givenName'] };
const LAST_NAME: Source = { names: ['urn:oid:2.5.4.4'], friendlyNames: ['surname', 'sn'] };

/** The e-mail address: the first value under one of its names that can be an address. */
export function getEmail(event: SamlUserLoggedInEvent): string | null {
  return find(event, EMAIL, isEmail);
}

/** The given name: the first value under one of its names that is not empty. */
export function getFirstName(event: SamlUserLoggedInEvent): string | null {
  return find(event, FIRST_NAME, isNotEmpty);
}

/** The family name: the first value under one of its names that is not empty. */
export function getLastName(event: SamlUserLoggedInEvent): string | null {
  return find(event, LAST_NAME, isNotEmpty);
}

function find(
  event: SamlUserLoggedInEvent,
  { names, friendlyNames }: Source,
  isUsable: (value: string) => boolean,
): string | null {
  const usable = event.assertion.attribute_statement.filter(({ value }) => isUsable(value));
  const found =
    firstBy(usable, names, ({ name }) => name) ?? firstBy(usable, friendlyNames, (a) => a.friendly_name);
  return found?.value ?? null;
}

/** The attribute under the most preferred name. */
function firstBy(
  attributes: readonly AssertionAttribute[],
  names: readonly string[],
  nameOf: (attribute: AssertionAttribute) => string | null,
): AssertionAttribute | undefined {
  for (const name of names) {
    const found = attributes.find((attribute) => nameOf(attribute) === name);
    if (found) return found;
  }
  return undefined;
}

function isNotEmpty(value: string): boolean {
  return value !== '';
}
