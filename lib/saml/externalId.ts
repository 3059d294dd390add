/** What identifies the person of an assertion: out of the one source that a setting names, and only in this login. */
import type { ExternalId } from '../profile/fields/identifier.ts';
import type { Identifiers } from '../profile/kind.ts';
import type { Settings } from '../settings.ts';
import { asciiLowerCase, identifierIn, onlyText } from '../text.ts';
import { OID, PAIRWISE_ID, SUBJECT_ID, sameAttribute } from './attributeNames.ts';
import type { Assertion, SamlUserLoggedInEvent } from './model.ts';

/** SAML Core 8.3.7; the short form is what some services make of it. */
const PERSISTENT = ['urn:oasis:names:tc:saml:2.0:nameid-format:persistent', 'persistent'];

/** SAML Core 8.3.8. */
const TRANSIENT = ['urn:oasis:names:tc:saml:2.0:nameid-format:transient', 'transient'];

/** Only by `Name` (SAML Core 2.7.3.1). */
const ATTRIBUTES = {
  subject_id: SUBJECT_ID,
  pairwise_id: PAIRWISE_ID,
  edu_person_unique_id: OID.eduPersonUniqueId,
} as const;

/** An identifier and its scope: one `@`, so that concatenated values do not pass for one. */
const SCOPED = /^[^\s@]+@[^\s@]+$/;

/**
 * The value is null where the assertion has none, or several that differ. There is no fallback to another source: it would
 * make another person of somebody whose provider sends one attribute more.
 */
export function identifiersOf({ assertion }: SamlUserLoggedInEvent, settings: Settings): Identifiers {
  const { format, value } = assertion.subject.name_id;
  const isOf = (formats: readonly string[]) => format !== null && formats.includes(asciiLowerCase(format));
  return {
    externalId: externalIdOf(assertion, settings.samlExternalId, isOf(PERSISTENT) ? value : ''),
    transientId: isOf(TRANSIENT) ? value.trim() : null,
  };
}

function externalIdOf(
  assertion: Assertion,
  source: Settings['samlExternalId'],
  persistentNameId: string,
): ExternalId | null {
  if (source === 'off') return null;
  if (source === 'persistent_name_id') return { source, value: identifierIn(persistentNameId) };
  const value = onlyText(scopedIds(assertion, ATTRIBUTES[source]));
  return { source, value, ...(value !== null && { scope: value.slice(value.indexOf('@') + 1) }) };
}

/**
 * In lower case, because these identifiers compare without case (SAML Subject Identifier Attributes 1.0 section 3.3.1). A value
 * that cannot be read is not left out: then another one would stand for the person.
 */
function scopedIds({ attribute_statement }: Assertion, attribute: string): (string | null)[] {
  const keys = sameAttribute(attribute).map(asciiLowerCase);
  return attribute_statement
    .filter(({ name }) => keys.includes(asciiLowerCase(name)))
    .map(({ value }) => SCOPED.exec(`${identifierIn(value)}`))
    .map((match) => match && asciiLowerCase(match[0]));
}
