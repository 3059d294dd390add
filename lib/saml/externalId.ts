/** A permanent identifier of the person, out of the one source that a setting names. */
import type { Settings } from '../settings.ts';
import { asciiLowerCase, isIdentifier, onlyText } from '../text.ts';
import { OID } from './attributeNames.ts';
import type { Assertion, SamlUserLoggedInEvent } from './model.ts';

/** SAML Core 8.3.7; the short form is what some services make of it. */
const PERSISTENT = ['urn:oasis:names:tc:saml:2.0:nameid-format:persistent', 'persistent'];

/** By `Name` alone (SAML Core 2.7.3.1). */
const ATTRIBUTES = {
  subject_id: 'urn:oasis:names:tc:SAML:attribute:subject-id',
  pairwise_id: 'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  edu_person_unique_id: OID.eduPersonUniqueId,
} as const;

/** An identifier and its scope: one `@`, so that concatenated values do not pass for one. */
const SCOPED = /^[^\s@]+@[^\s@]+$/;

/**
 * The value is null where the assertion has none, or several that differ. There is no fallback to another source: it would
 * make another person of somebody whose provider sends one attribute more.
 */
export function externalIdOf({ assertion }: SamlUserLoggedInEvent, { samlExternalId: source }: Settings) {
  if (source === 'off') return null;
  const values =
    source === 'persistent_name_id' ? persistentNameIds(assertion) : scopedIds(assertion, ATTRIBUTES[source]);
  return { source, value: onlyText(values) };
}

function persistentNameIds({ subject: { name_id } }: Assertion): string[] {
  const { format, value } = name_id;
  const isPersistent = format !== null && PERSISTENT.includes(asciiLowerCase(format));
  return isPersistent && isIdentifier(value) ? [value] : [];
}

/** A value that cannot be read is not left out: then another one would stand for the person. */
function scopedIds({ attribute_statement }: Assertion, attribute: string): (string | null)[] {
  const key = asciiLowerCase(attribute);
  return attribute_statement
    .filter(({ name }) => asciiLowerCase(name) === key)
    .map(({ value }) => (isIdentifier(value) && SCOPED.test(value) ? value : null));
}
