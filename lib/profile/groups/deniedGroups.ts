/** Whether somebody is in a group that may not log in. What may or may not name such a group is a doubt, which lets nobody in. */

import { foldText, isFoldable } from '../../text.ts';
import type { Occurrence } from '../fields/reader.ts';
import {
  isReversed,
  mayBeSeveral,
  parseDistinguishedName,
  unescapeName,
  valuesIn,
} from '../schema/distinguishedName.ts';
import type { Group } from '../schema/mappingSchema.ts';
import {
  BETWEEN_NAMES,
  decodedReadings,
  ESCAPE,
  foldedForms,
  percentDecoded,
  separated,
  valuePattern,
  withBlanks,
} from './joinedTexts.ts';
import { distinguishedNameOf, groupMatcher } from './matchGroups.ts';

export interface DeniableText extends Occurrence {
  /** Made once for all rules. */
  reading: Reading | 'escaped' | 'unreadable';
}

/** A text without percent escapes, and without regard to case and Unicode form. */
interface Reading {
  decoded: string;
  /** With a blank for each plus: in forms it is one. */
  plain: string;
  /** Its segments in a row, between slashes, for each way to read it. */
  rows: readonly string[];
  /** As `plain`, for each way to read a text that may be several values. */
  joined: readonly string[];
  /** With what may separate values as a segment of its own. */
  joinedRows: readonly string[];
  /** Whether there is more in it than one distinguished name. */
  isJoined: boolean;
}

/** What a text says of the denied groups: doubts have what the operator can do. */
const FINDINGS = {
  none: { verdict: 'allows' },
  denied: { verdict: 'refuses' },
  escaped: doubt(
    'unknown',
    'A group has percent escapes that are encoded twice, or no UTF-8: have the provider send it without.',
  ),
  in_ldap: doubt(
    'unknown',
    'A group is an LDAP URL, which is not read: have the provider send its name, or its distinguished name.',
  ),
  reversed: doubt(
    'unknown',
    'A distinguished name has its most general part first: have the provider send it as in RFC 4514, or deny by a name instead of dn or dn_suffix.',
  ),
  unreadable: doubt(
    'unclear',
    'A group cannot be read: its name is too long, it is several in one text (have the provider send each by itself, or set ' +
      'groups.separator), or it has another form than the groups of the mapping.',
  ),
  single: doubt(
    'unclear',
    'Groups arrived as one text instead of a list, so others may be missing: have the provider send a list ' +
      "(Keycloak: \"Multivalued\" of the mapper), or set groups.separator: to what joins several groups, such as ',', or to 'none' " +
      'if it sends one text to a person with one group (AD FS, JumpCloud, IdentityServer).',
  ),
  inside: doubt(
    'unclear',
    'A text may contain a denied group among others: have the provider send each group by itself, or set groups.separator to what ' +
      'joins them in the only text of a source.',
  ),
  glued: doubt(
    'unclear',
    "A text may contain a denied group among others: have the provider send one Attribute for each value, and set groups.separator to 'none'.",
  ),
} as const;

/** `unknown` where the text cannot be read at all, `unclear` where it can be read in several ways. */
function doubt<const TVerdict extends 'unknown' | 'unclear'>(verdict: TVerdict, note: string) {
  return { verdict, note: () => ({ note }) };
}

/** An address in a directory (RFC 4516): host, attributes and filter stand around the name. */
const IN_LDAP = valuePattern('ldap[is]?:', 'beginning');

/** @param separator of the mapping, which the text has where it was not split */
export function deniable(occurrence: Occurrence, separator: string | undefined): DeniableText {
  return { ...occurrence, reading: readingOf(occurrence.text, separator) };
}

function readingOf(text: string, separator = 'none'): DeniableText['reading'] {
  const read = decodedReadings(text);
  if (typeof read === 'string') return read;
  const joined = separator === 'none' ? read.joined : read.joined.flatMap(separatedBy(separator));
  const wholes = foldedForms(read.decoded);
  const [decoded] = wholes as [string];
  const rows = rowsIn(wholes);
  // Stryker disable next-line MethodExpression: what has nothing to separate is among the rows, and takes time.
  const joinedRows = rowsIn(joined.map(separated).filter((one) => !wholes.includes(one)));
  // Stryker disable next-line ConditionalExpression: where the rows of the whole cannot be made, nothing can be read.
  if (rows === null || joinedRows === null) return 'unreadable';
  const isJoined = BETWEEN_NAMES.test(read.decoded);
  return { decoded, plain: withBlanks(decoded), rows, joined: joined.map(withBlanks), joinedRows, isJoined };
}

/** Makes a function that reads a folded text also with a comma for each separator. */
function separatedBy(separator: string): (folded: string) => string[] {
  const folded = foldedInside(separator);
  return (text) => [text, ...[text, withBlanks(text)].map((one) => one.replaceAll(folded, ','))];
}

/** The forms in which the names of a mapping compare with rows, the first with `plain` too. */
function comparableForms(name: string): string[] {
  return foldedForms(percentDecoded(name) ?? name).map(withBlanks);
}

function comparable(name: string): string {
  const [form] = comparableForms(name) as [string];
  return form;
}

/** A part of a name, with one spelling for all that are equal where a group is denied: what splits one splits the others. */
export function spellingForDenial(text: string): string {
  return foldedInside(percentDecoded(text) ?? text)
    .replaceAll('+', ' ')
    .replace(/[\\:]/g, '/');
}

/** As it is folded inside a longer text: with the white space at its ends. */
function foldedInside(text: string): string {
  return foldText(`|${text}|`).slice(1, -1);
}

/** An entitlement has its authority behind a hash, Kanidm's groups have their domain behind an `@`. */
const BEHIND_NAMES = [/#[^/]*/g, /@[^/@ .]*\.[^/@ ]*(?=\/)/g];

/** The rows of folded texts, one for each way to read each. Null where a value of a distinguished name cannot be folded in little time. */
function rowsIn(texts: readonly string[]): string[] | null {
  const rows = new Set<string>();
  for (const text of texts) {
    const plain = withBlanks(text);
    const row = rowOf(plain);
    rows.add(row);
    if (!text.includes('=')) continue;
    rows.add(row.replace(/\/[^/=]*=/g, '/'));
    for (const one of new Set([text, plain])) {
      const values = foldedValues(one);
      if (values === null) return null;
      rows.add(rowOf(values.join('/')));
    }
  }
  for (const part of BEHIND_NAMES) {
    for (const row of [...rows]) rows.add(row.replace(part, ''));
  }
  return [...rows];
}

function foldedValues(folded: string): string[] | null {
  const values = valuesIn(folded);
  // Stryker disable next-line ConditionalExpression,StringLiteral: folding them again makes the same of them, and takes longer.
  if (!folded.includes('\\')) return values;
  return values.every(isFoldable) ? values.map(foldText) : null;
}

/** The segments of `/a/b`, `A\b` and `a:b` as `/a/b/`. Keycloak writes `~/` for a slash inside a name. */
function rowOf(text: string): string {
  return `/${text.replaceAll('~/', '/')}/`.replace(/ ?[/\\:][/\\: ]*/g, '/');
}

/**
 * Compares without case, Unicode form, percent-encoding, and blanks written as a plus. A denied name equals a group, successive
 * segments of it, or a value in it. What is denied inside a longer text may be one of several values that were joined; some
 * services do so without a separator, then it may stand anywhere in a text that is no group that the mapping names.
 *
 * @param named all groups that the mapping names
 */
export function deniedGroups(denied: readonly Group[], named: readonly Group[]) {
  const names = denied.filter((group) => typeof group === 'string');
  const prefixes = denied
    .filter((group) => typeof group === 'object' && 'prefix' in group)
    .map(({ prefix }) => prefix);
  // A distinguished name that is written as a text denies its other spellings too.
  const matching = groupMatcher([...denied, ...names.map((dn) => ({ dn }))], comparable);
  const isDistinguished = (name: string) => (parseDistinguishedName(name)?.parts.length ?? 0) > 1;
  const dns = [...denied.map(distinguishedNameOf), ...names.filter(isDistinguished)];
  const bareNames = dns.filter((name) => name !== null).map(bareName);
  const segments = (some: readonly string[]) => some.map(rowOf).filter((row) => row !== '/');
  const rows = segments(names.flatMap(comparableForms));
  const separable = names.filter((name) => !isDistinguished(name)).flatMap(comparableForms);
  const joinedRows = [...rows, ...segments(separable.map(separated))];
  const texts = [...names, ...prefixes].flatMap(comparableForms);
  const beginnings = prefixes
    .flatMap(comparableForms)
    .map((prefix) => valuePattern(RegExp.escape(prefix), 'beginning'));
  // Groups that are named one by one, not by what several have in common.
  const matchingNamed = groupMatcher(
    named.filter((group) => typeof group === 'string' || 'dn' in group),
    comparable,
  );

  const findingOf = ({ reading, shape }: DeniableText): keyof typeof FINDINGS => {
    if (typeof reading === 'string') return reading;
    const { decoded, plain, joined } = reading;
    const { matches, isUnclear } = matching(decoded, plain);
    const isMatched = matches.length > 0 || matching(plain, plain).matches.length > 0;
    if (isMatched || holdOne(reading.rows, rows)) return 'denied';
    if (joined.some((one) => IN_LDAP.test(one))) return 'in_ldap';
    const name = bareNames.length > 0 ? parseDistinguishedName(decoded) : null;
    if (name && isReversed(name)) return 'reversed';
    if (isUnclear) return 'unreadable';
    if (shape === 'single') return 'single';
    if (holdOne(reading.joinedRows, joinedRows)) return 'inside';
    if (beginnings.some((beginning) => joined.some((one) => beginning.test(one)))) return 'inside';
    const holdsName = holdOne([decoded, plain].map(bareName), bareNames);
    const isOneName = name !== null && !reading.isJoined && !mayBeSeveral(name);
    if (holdsName && !isOneName) return 'inside';
    if (shape === 'item' || matchingNamed(decoded, plain).matches.length > 0) return 'none';
    const isGlued = holdsName || holdOne([plain, ...joined], texts) || ESCAPE.test(decoded);
    return isGlued ? 'glued' : 'none';
  };

  return (text: DeniableText) => FINDINGS[findingOf(text)];
}

function holdOne(texts: readonly string[], parts: readonly string[]): boolean {
  return parts.some((part) => texts.some((text) => text.includes(part)));
}

/** The form in which a distinguished name is searched for inside a longer text: escapes resolved, without white space. */
function bareName(text: string): string {
  return foldText(unescapeName(text)).replace(/\s/g, '');
}
