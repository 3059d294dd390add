/** The identifier that is taken from a login, by a mapping or a setting. */
import { asciiLowerCase, MAX_NAME_LENGTH, trimmed } from '../../text.ts';
import { isConcatenated } from '../schema/emailAddress.ts';
import {
  type FieldLookup,
  type FoundField,
  fallbackOf,
  foundField,
  type IdentifierProblem,
  refusedField,
} from './findField.ts';
import { friendlyNameNote } from './nearMiss.ts';
import { nameIdOccurrences, type Reader } from './reader.ts';

/** What the operator can do, by the note of the explanation. */
const HINTS: Record<IdentifierProblem, string> = {
  several_values:
    'Several different values arrived where one identifies the person: have the provider send one.',
  other_form: 'It is neither a text nor a whole number: have the provider send one of these.',
  too_long: 'It is longer than any identifier: map another claim or attribute.',
};

/** A permanent identifier of the person at the provider, out of the one source that a setting names. */
export interface ExternalId {
  source: string;
  /** Null where the event has none. */
  value: string | null;
  /** The domain in which it is unique; left out where that is the issuer. */
  scope?: string;
}

/** What is known of a login beside its claims or attributes. */
export interface IdentifiedLogin {
  issuer: string;
  /** What a setting names; null where the setting is off. */
  externalId: ExternalId | null;
}

/**
 * Takes the first source that arrives. What it sends decides: another source would make another person of somebody. Where none
 * arrives, what the setting names is taken.
 */
export function findIdentifier(
  reader: Reader,
  lookup: FieldLookup,
  { issuer, externalId }: IdentifiedLogin,
): FoundField {
  const { candidates, tried, scopedIds } = lookup;
  const identifier = (value: string) => (lookup.issuer ? `${issuer}|${value}` : value);
  let hint: string | undefined;
  for (const names of candidates) {
    const isNamed = typeof names !== 'string';
    // A number is an identifier too, as its digits.
    const arrived = isNamed ? reader.occurrencesEverywhere(names) : nameIdOccurrences(reader[names]);
    const present = arrived.filter(({ use, text }) => use !== 'deny-only' && trimmed(text) !== null);
    // Core 2.7.3.1 of SAML forbids to identify by FriendlyName.
    const occurrences = present.filter(({ by }) => by !== 'FriendlyName');
    if (isNamed && names.some((name) => reader.otherForm(name) !== null))
      return refusedField(tried, 'other_form', HINTS.other_form);
    const [occurrence] = occurrences;
    if (occurrence === undefined) {
      const [friendly] = present;
      if (friendly) hint = friendlyNameNote(friendly.name, friendly).note;
      continue;
    }
    const { name, path } = occurrence;
    const isScoped = scopedIds.has(asciiLowerCase(name));
    const values = occurrences.map(({ text }) => (isScoped ? asciiLowerCase(text.trim()) : text.trim()));
    const [value, ...others] = [...new Set(values)] as [string, ...string[]];
    const problem = others.length > 0 ? 'several_values' : problemOf(value);
    if (problem !== null) return refusedField(tried, problem, HINTS[problem]);
    const found = foundField(identifier(value), tried, { name, path });
    return isScoped ? { ...found, scope: scopeOf(value) } : found;
  }
  if (externalId === null) return fallbackOf(lookup, hint);
  const { source, value, scope } = externalId;
  const trace = { tried: [...tried, source], found: value === null ? null : source, hint };
  return { value: value && identifier(value), isMissing: value === null, scope, trace };
}

function problemOf(value: string): IdentifierProblem | null {
  if (value.length > MAX_NAME_LENGTH) return 'too_long';
  return isConcatenated(value) ? 'several_values' : null;
}

/** Empty for an identifier that should have one, and has none. */
function scopeOf(value: string): string {
  // Stryker disable next-line StringLiteral: no rule lists it.
  const [before, scope = ''] = value.split('@');
  // Stryker disable next-line StringLiteral: no rule lists it.
  return before === '' ? '' : scope;
}
