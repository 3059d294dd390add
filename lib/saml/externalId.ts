/** A lasting identifier of a person, out of an assertion. */
import { asciiLowerCase, MAX_NAME_LENGTH } from '../text.ts';
import type { Assertion, SamlUserLoggedInEvent } from './model.ts';

/** SAML Core 8.3.7; the short form is what some services make of it. */
const PERSISTENT = ['urn:oasis:names:tc:saml:2.0:nameid-format:persistent', 'persistent'];

/** By `Name` alone (SAML Core 2.7.3.1). */
const ATTRIBUTES = {
  subject_id: 'urn:oasis:names:tc:SAML:attribute:subject-id',
  pairwise_id: 'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  edu_person_unique_id: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.13',
} as const;

/** An identifier and its scope: one `@`, so that values joined into one text are not taken for one. */
const SCOPED = /^[^\s@]+@[^\s@]+$/;

export type SamlExternalIdSource = 'persistent_name_id' | keyof typeof ATTRIBUTES;

/** @returns null where the assertion has none, or several that differ */
export function samlExternalId(
  { assertion }: SamlUserLoggedInEvent,
  source: SamlExternalIdSource,
): string | null {
  const values = new Set(
    source === 'persistent_name_id' ? persistentNameIds(assertion) : scopedIds(assertion, ATTRIBUTES[source]),
  );
  const [value = null] = values;
  return values.size === 1 ? value : null;
}

function persistentNameIds({ subject: { name_id } }: Assertion): string[] {
  const isPersistent = PERSISTENT.includes(asciiLowerCase(name_id.format ?? ''));
  return isPersistent && name_id.value !== '' && name_id.value.length <= MAX_NAME_LENGTH
    ? [name_id.value]
    : [];
}

/** A value that cannot be read is not left out: then another one would stand for the person. */
function scopedIds({ attribute_statement }: Assertion, attribute: string): (string | null)[] {
  const key = asciiLowerCase(attribute);
  return attribute_statement
    .filter(({ name }) => asciiLowerCase(name) === key)
    .map(({ value }) => (value.length <= MAX_NAME_LENGTH && SCOPED.test(value) ? value : null));
}
