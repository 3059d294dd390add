/** The identifier that is taken from a login, by a mapping or a setting. */
import { asciiLowerCase, MAX_NAME_LENGTH, trimmed } from '../../text.ts';
import { isConcatenated } from '../schema/emailAddress.ts';
import {
  type FieldLookup,
  type FieldTrace,
  type FoundField,
  type IdentifierProblem,
  namesTried,
  occurrencesOf,
} from './findField.ts';
import type { Reader } from './reader.ts';

/** How the identifiers of one issuer's people are taken, from a mapping or from a setting. */
export interface IdentifierForm {
  /** The keys of attributes whose values have a scope. */
  scopedIds: ReadonlySet<string>;
  withIssuer: boolean;
}

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

/**
 * Takes the first source that arrives. What it sends decides: another source would make another person of somebody.
 *
 * @param externalId what a setting names, where no source of the mapping arrives; null where the setting is off
 */
export function findIdentifier(
  reader: Reader,
  { candidates }: FieldLookup,
  form: IdentifierForm,
  externalId: ExternalId | null,
): FoundField {
  const tried = namesTried(candidates);
  for (const { names } of candidates) {
    // A number is an identifier too, as its digits.
    const arrived =
      typeof names === 'string' ? occurrencesOf(reader, names) : reader.occurrencesEverywhere(names);
    const occurrences = Array.from(arrived).filter(
      // Core 2.7.3.1 of SAML forbids to identify by FriendlyName.
      ({ use, by, text }) => use !== 'deny-only' && by !== 'FriendlyName' && trimmed(text) !== null,
    );
    const [occurrence] = occurrences;
    const isUnread = typeof names !== 'string' && names.some((name) => reader.otherForm(name) !== null);
    if (isUnread) return refused({ tried, found: null, note: 'other_form', hint: HINTS.other_form });
    if (occurrence === undefined) continue;
    const isScoped = form.scopedIds.has(asciiLowerCase(occurrence.name));
    const values = occurrences.map(({ text }) => (isScoped ? asciiLowerCase(text.trim()) : text.trim()));
    const [value, ...others] = [...new Set(values)] as [string, ...string[]];
    const problem = others.length > 0 ? 'several_values' : problemOf(value);
    const { name: found, path } = occurrence;
    if (problem !== null) return refused({ tried, found: null, note: problem, hint: HINTS[problem] });
    return {
      value: withIssuer(value, reader, form),
      isMissing: false,
      ...(isScoped && { scope: scopeOf(value) }),
      trace: (isDetailed) => ({ tried, found, ...(isDetailed && { path }) }),
    };
  }
  return externalId ? ofSetting(externalId, tried, reader, form) : absent(tried);
}

function withIssuer(value: string, { issuer }: Reader, form: IdentifierForm): string {
  return form.withIssuer ? `${issuer}|${value}` : value;
}

function ofSetting(
  { source, value, scope }: ExternalId,
  named: readonly string[],
  reader: Reader,
  form: IdentifierForm,
): FoundField {
  const tried = [...named, source];
  if (value === null) return absent(tried);
  return {
    value: withIssuer(value, reader, form),
    isMissing: false,
    scope,
    trace: () => ({ tried, found: source }),
  };
}

function absent(tried: string[]): FoundField {
  return {
    value: null,
    isMissing: tried.length > 0,
    trace: () => ({ tried, found: null }),
  };
}

function refused(trace: FieldTrace): FoundField {
  return { value: null, isMissing: false, isRefused: true, trace: () => trace };
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
