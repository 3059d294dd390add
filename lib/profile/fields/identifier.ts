/** The identifier that a mapping takes from a login, and how people of several issuers are told apart. */
import { KINDS } from '../../kinds.ts';
import { type Settings, variableOf } from '../../settings.ts';
import { asciiLowerCase, MAX_NAME_LENGTH, trimmed } from '../../text.ts';
import type { FieldTrace, IdentifierProblem } from '../decision.ts';
import { domainMatcher } from '../schema/domains.ts';
import { isConcatenated } from '../schema/emailAddress.ts';
import { MappingInvalid, type Rule } from '../schema/mappingSchema.ts';
import { type FieldLookup, type FieldSpec, type FoundField, namesTried, placesOf } from './findField.ts';
import type { DefaultNames, Reader } from './reader.ts';

/** How the identifiers of one issuer's people are taken, from a mapping or from a setting. */
export interface IdentifierPolicy {
  /** The keys of attributes whose values have a scope. */
  scopedIds: ReadonlySet<string>;
  /** Whether every rule on scopes lists a scope; null where no rule lists any. */
  isOwnScope: ((scope: string) => boolean) | null;
  /** Whether the issuer stands in front. */
  withIssuer: boolean;
}

/** What the operator can do, by the note of the explanation. */
const HINTS: Record<IdentifierProblem, string> = {
  several_values:
    'Several different values arrived where one identifies the person: have the provider send one.',
  other_form: 'It is neither a text nor a whole number: have the provider send one of these.',
  too_long: 'It is longer than any identifier: map another claim or attribute.',
  foreign_scope: 'The scope of the identifier is not listed by each rule on scopes for this issuer.',
};

/** A permanent identifier of the person at the provider, out of the one source that a setting names. */
export interface ExternalId {
  /** The value of the setting. */
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
  policy: IdentifierPolicy,
  externalId: ExternalId | null,
): FoundField {
  const tried = namesTried(candidates);
  for (const { names } of candidates) {
    // A number is an identifier too, as its digits.
    const arrived = typeof names === 'string' ? placesOf(reader, names) : reader.groupPlaces(names);
    const places = Array.from(arrived).filter(
      // Core 2.7.3.1 of SAML forbids to identify by FriendlyName.
      ({ rank, by, text }) => rank !== 'hidden' && by !== 'FriendlyName' && trimmed(text) !== null,
    );
    const [place] = places;
    const isUnread = typeof names !== 'string' && names.some((name) => reader.otherForm(name) !== null);
    if (isUnread) return refused({ tried, found: null, note: 'other_form', hint: HINTS.other_form });
    if (place === undefined) continue;
    const isScoped = policy.scopedIds.has(asciiLowerCase(place.name));
    const values = places.map(({ text }) => (isScoped ? asciiLowerCase(text.trim()) : text.trim()));
    const [value, ...others] = [...new Set(values)] as [string, ...string[]];
    const problem = others.length > 0 ? 'several_values' : problemOf(value, isScoped, policy.isOwnScope);
    const { name: found, path } = place;
    if (problem !== null) return refused({ tried, found: null, note: problem, hint: HINTS[problem] });
    return {
      value: withIssuer(value, reader, policy),
      isMissing: false,
      isRefused: false,
      trace: (isDetailed) => ({ tried, found, ...(isDetailed && { path }) }),
    };
  }
  return externalId ? ofSetting(externalId, tried, reader, policy) : absent(tried);
}

function withIssuer(value: string, { issuer }: Reader, policy: IdentifierPolicy): string {
  return policy.withIssuer ? `${issuer}|${value}` : value;
}

function ofSetting(
  { source, value, scope }: ExternalId,
  named: readonly string[],
  reader: Reader,
  policy: IdentifierPolicy,
): FoundField {
  const tried = [...named, source];
  if (value === null) return absent(tried);
  if (scope !== undefined && policy.isOwnScope?.(scope) === false)
    return refused({ tried, found: null, note: 'foreign_scope', hint: HINTS.foreign_scope });
  return {
    value: withIssuer(value, reader, policy),
    isMissing: false,
    isRefused: false,
    trace: () => ({ tried, found: source }),
  };
}

function absent(tried: string[]): FoundField {
  return {
    value: null,
    isMissing: tried.length > 0,
    isRefused: false,
    trace: () => ({ tried, found: null }),
  };
}

function refused(trace: FieldTrace): FoundField {
  return { value: null, isMissing: false, isRefused: true, trace: () => trace };
}

function problemOf(
  value: string,
  isScoped: boolean,
  isOwnScope: IdentifierPolicy['isOwnScope'],
): IdentifierProblem | null {
  if (value.length > MAX_NAME_LENGTH) return 'too_long';
  if (isConcatenated(value)) return 'several_values';
  if (!isScoped || !isOwnScope) return null;
  const at = value.indexOf('@');
  return at > 0 && isOwnScope(value.slice(at + 1)) ? null : 'foreign_scope';
}

interface PolicyPlace {
  /** Of the issuer's part in the mapping. */
  path: string;
  /** Whether the mapping lets in people of more than one issuer. */
  areSeveral: boolean;
  settings: Settings;
}

/**
 * @param spec what the mapping says of `external_id`
 * @throws {MappingInvalid} where people of several issuers could share an identifier, and the mapping does not say whether they may
 */
export function identifierPolicy(
  spec: FieldSpec,
  rules: readonly Rule[],
  defaults: DefaultNames,
  { path, areSeveral, settings }: PolicyPlace,
): IdentifierPolicy {
  const matchers = rules.filter((rule) => 'scopes' in rule).map(({ scopes }) => domainMatcher(scopes));
  const hasScopes = matchers.length > 0;
  const loose = looseSource(spec, hasScopes, defaults, settings);
  if (areSeveral && spec.issuer === undefined && loose !== null) {
    throw new MappingInvalid(
      `${path}external_id.issuer: expected true, which puts the issuer in front of each identifier, or false, if all issuers ` +
        `share their identifiers, because several issuers are accepted, and ${loose} is not held to listed scopes`,
    );
  }
  return {
    scopedIds: defaults.scopedIds,
    isOwnScope: hasScopes ? (scope) => matchers.every((isListed) => isListed(scope)) : null,
    withIssuer: spec.issuer === true,
  };
}

/** What settings may name besides, with a scope. */
const SCOPED_SETTINGS = ['subject_id', 'pairwise_id', 'edu_person_unique_id'];

/** A source whose identifiers two issuers may give to two people; null where there is none. */
function looseSource(
  { from }: FieldSpec,
  hasScopes: boolean,
  { kind, scopedIds }: DefaultNames,
  settings: Settings,
): string | null {
  const isHeld = (name: string) => hasScopes && scopedIds.has(asciiLowerCase(name));
  const source = from.find((one) => typeof one !== 'string' || !isHeld(one));
  if (source !== undefined) return typeof source === 'string' ? source : source.use;
  const { externalId: setting } = KINDS[kind];
  const value = settings[setting];
  if (value === 'off' || (hasScopes && SCOPED_SETTINGS.includes(value))) return null;
  return `${variableOf(setting)}=${value}`;
}
