/** Whether somebody is in a group that may not log in. What may or may not name such a group is a doubt, which lets nobody in. */

import { foldText, isFoldable } from '../text.ts';
import {
  isReversed,
  mayBeSeveral,
  parseDistinguishedName,
  unescapeName,
  valuesIn,
} from './distinguishedName.ts';
import { distinguishedNameOf, groupMatcher, textOf } from './groupMatcher.ts';
import { hasBetween, jsonTexts, piecesOf, withoutBreaks } from './joinedTexts.ts';
import type { Group } from './mappingSchema.ts';
import type { Place } from './reader.ts';

/** A text that may name a denied group. */
export interface DeniableText extends Place {
  /** Made once for all rules. */
  reading: Reading | 'too_long' | 'escaped';
}

/** A text without regard to case and Unicode form. */
interface Reading {
  /** Without percent escapes. */
  decoded: string;
  /** As `decoded`, with a blank for each plus: in forms it is one. */
  plain: string;
  /** Its segments in a row, between slashes; a line for each way to read them. */
  paths: string;
  /** `decoded` and `plain`, with a comma for a tab or a line break, and the items of a JSON list in its place. */
  joined: readonly string[];
  /** What stands between separators and brackets. */
  pieces: readonly Pick<Reading, 'plain' | 'paths'>[];
}

/** In one text. Real ones have some ten. */
const MAX_PIECES = 1_000;

/**
 * Why a text may name a denied group. `escaped`, `in_ldap` and `reversed` cannot be read; the others can be read in more ways
 * than one.
 */
export type Doubt = 'escaped' | 'in_ldap' | 'reversed' | 'unreadable' | 'alone' | 'inside' | 'glued';

export interface Denial {
  /** The first value that names a denied group. */
  denied: DeniableText | undefined;
  /** The first that cannot be read, or else the first that can be read in several ways. */
  doubtful: { text: DeniableText; doubt: Doubt } | undefined;
}

/** An escape of JSON or XML may hide a name. */
const ESCAPE = /\\u[0-9a-f]{4}|&#?\w+;/i;

const PERCENT_ENCODED = /(?:%[0-9a-f]{2})+/gi;
const STILL_ENCODED = /%[0-9a-f]{2}/i;

/** An address in a directory (RFC 4516): host, attributes and filter stand around the name. */
const IN_LDAP = /^ldap[is]?:/;

export function deniable(place: Place): DeniableText {
  return { ...place, reading: readingOf(place.text) };
}

function readingOf(text: string): DeniableText['reading'] {
  const decoded = percentDecoded(text);
  if (decoded === null || STILL_ENCODED.test(decoded)) return 'escaped';
  const values = withoutBreaks(jsonTexts(decoded)?.join(',') ?? decoded);
  if (![decoded, values].every(isFoldable)) return 'too_long';
  const forms = { decoded: foldText(decoded), plain: foldText(withBlanks(decoded)) };
  const joined = [...new Set([values, withBlanks(values)].map(foldText))];
  const pieces = joined.flatMap(piecesOf);
  const paths = pathsIn(forms);
  if (paths === null || pieces.length > MAX_PIECES) return 'too_long';
  const read = pieces.map((plain) => ({ plain, paths: pathsIn({ decoded: plain, plain }) }));
  return read.every(hasPaths) ? { ...forms, paths, joined, pieces: read } : 'too_long';
}

function hasPaths(piece: { plain: string; paths: string | null }): piece is Reading['pieces'][number] {
  return piece.paths !== null;
}

/** Null for bytes that are no UTF-8. */
function percentDecoded(text: string): string | null {
  try {
    return text.replace(PERCENT_ENCODED, (escapes) => decodeURIComponent(escapes));
  } catch {
    return null;
  }
}

function withBlanks(text: string): string {
  return text.replaceAll('+', ' ');
}

/** The form in which the names of a mapping compare with `plain`. */
function comparable(name: string): string {
  return foldText(withBlanks(percentDecoded(name) ?? name));
}

const HAS_PARTS = /[/\\:=@#]/;

/** Null where a value of a distinguished name cannot be folded in little time. */
function pathsIn({ decoded, plain }: Pick<Reading, 'decoded' | 'plain'>): string | null {
  // Stryker disable next-line ConditionalExpression: what follows makes the same of it, and takes longer.
  if (!HAS_PARTS.test(decoded)) return pathOf([plain]);
  // An entitlement has its authority behind a hash.
  const forms = [decoded, plain].flatMap((text) => [text, text.replace(/#.*/, '')]);
  const values = forms.filter((form) => form.includes('=')).map(valuesIn);
  if (!values.flat().every(isFoldable)) return null;
  const paths = [
    ...forms.map(segmentsOf).flatMap((segments) => [segments, segments.map(withoutKey)]),
    ...values.map((texts) => texts.map(foldText).flatMap(segmentsOf)),
  ];
  return [...new Set(paths.flatMap((path) => [path, path.map(withoutDomain)]).map(pathOf))].join('\n');
}

/** The segments of `/a/b`, `A\b` and `a:b` once folded. Keycloak writes `~/` for a slash inside a name. */
function segmentsOf(text: string): string[] {
  return text
    .replaceAll('~/', '/')
    .split(/ ?[/\\:] ?/)
    .filter((segment) => segment !== '');
}

/** `/a/b/` */
function pathOf(segments: readonly string[]): string {
  return `/${segments.join('/')}/`;
}

/** Kanidm names a group with its domain: `suspended@idm.example`. */
function withoutDomain(segment: string): string {
  const at = segment.lastIndexOf('@');
  const domain = segment.slice(at + 1);
  return at > 0 && domain.includes('.') && !domain.includes(' ') ? segment.slice(0, at) : segment;
}

function withoutKey(segment: string): string {
  return segment.slice(segment.indexOf('=') + 1);
}

/**
 * Compares without case, Unicode form, percent-encoding, and blanks written as a plus. A denied name equals a group, successive
 * segments of it, or a value in it. What is denied inside a longer text may be one of several values that were joined; some
 * services do so without a separator, then it may stand anywhere in a text that is no group that the mapping names.
 *
 * @param named all groups that the mapping names
 */
export function deniedGroups(
  denied: readonly Group[],
  named: readonly Group[],
): (texts: readonly DeniableText[]) => Denial {
  const names = new DeniedNames(denied);
  const isNamed = wholeGroups(named);

  const judge = ({ text, reading, form }: DeniableText): Doubt | 'denied' | null => {
    if (reading === 'escaped') return 'escaped';
    if (reading === 'too_long') return 'unreadable';
    const { isDenied, isUnclear } = names.matching(text, reading);
    if (isDenied) return 'denied';
    if (reading.pieces.some(({ plain }) => IN_LDAP.test(plain))) return 'in_ldap';
    if (names.isReversed(text, reading)) return 'reversed';
    if (isUnclear) return 'unreadable';
    if (form === 'alone') return 'alone';
    if (names.standInside(text, reading)) return 'inside';
    if (form === 'value' || isNamed(text, reading.plain)) return null;
    return ESCAPE.test(text) || names.standAnywhere(text, reading) ? 'glued' : null;
  };

  return (texts) => {
    const judged = texts.map(judge);
    const first = (isWanted: (doubt: Doubt | 'denied') => boolean) => {
      const index = judged.findIndex((one) => one !== null && isWanted(one));
      return index < 0 ? undefined : { text: texts[index] as DeniableText, doubt: judged[index] as Doubt };
    };
    return {
      denied: first((one) => one === 'denied')?.text,
      doubtful: first(isUnreadForm) ?? first(() => true),
    };
  };
}

/** Whether the text cannot be read at all. */
export function isUnreadForm(doubt: string): boolean {
  return doubt === 'escaped' || doubt === 'in_ldap' || doubt === 'reversed';
}

/** What a rule denies, in the forms in which it is searched for. */
class DeniedNames {
  readonly #paths: readonly string[];
  readonly #prefixes: readonly string[];
  readonly #texts: readonly string[];
  /** Of those that have in themselves what may stand between values. */
  readonly #between: RegExp | null;
  readonly #names: readonly string[];
  readonly #matching: ReturnType<typeof groupMatcher>;

  constructor(groups: readonly Group[]) {
    const texts = groups.filter((group) => typeof group === 'string');
    // A distinguished name that is written as a text denies its other spellings too.
    const byName = texts.filter((text) => (parseDistinguishedName(text)?.parts.length ?? 0) > 1);
    this.#matching = groupMatcher([...groups, ...texts.map((dn) => ({ dn }))], comparable);
    this.#paths = texts.map((text) => pathOf(segmentsOf(comparable(text))));
    this.#prefixes = groups
      .filter((group) => typeof group === 'object' && 'prefix' in group)
      .map(({ prefix }) => comparable(prefix));
    this.#texts = groups
      .map(textOf)
      .filter((text) => text !== null)
      .map(comparable);
    this.#between = betweenPattern(
      texts.filter((text) => !byName.includes(text)).map(comparable),
      this.#prefixes,
    );
    this.#names = [...groups.map(distinguishedNameOf), ...byName]
      .filter((name) => name !== null)
      .map(bareName);
  }

  matching(text: string, { decoded, plain, paths }: Reading): { isDenied: boolean; isUnclear: boolean } {
    const asItIs = this.#matching(text, plain);
    const withoutEscapes = this.#matching(decoded, plain);
    const all = [asItIs, withoutEscapes, this.#matching(plain, plain)];
    return {
      isDenied: this.#areAmong(paths) || all.some(({ matches }) => matches.length > 0),
      isUnclear: asItIs.isUnclear || withoutEscapes.isUnclear,
    };
  }

  #areAmong(paths: string): boolean {
    return this.#paths.some((path) => paths.includes(path));
  }

  isReversed(text: string, { decoded }: Reading): boolean {
    if (this.#names.length === 0) return false;
    return [text, decoded].map(parseDistinguishedName).some((name) => name !== null && isReversed(name));
  }

  /** Whether one of them stands in a longer text, with what stands between values beside it. */
  standInside(text: string, reading: Reading): boolean {
    const isOne = ({ plain, paths }: Pick<Reading, 'plain' | 'paths'>) =>
      this.#areAmong(paths) || this.#prefixes.some((prefix) => plain.startsWith(prefix));
    if (reading.pieces.some(isOne) || reading.joined.some((form) => this.#between?.test(form))) return true;
    const name = parseDistinguishedName(text);
    const isOneName = name !== null && !mayBeSeveral(name);
    return !isOneName && this.#namesStandIn(text, reading);
  }

  /** Whether one of them stands in a text, whatever is beside it. */
  standAnywhere(text: string, reading: Reading): boolean {
    return this.#texts.some((name) => reading.plain.includes(name)) || this.#namesStandIn(text, reading);
  }

  #namesStandIn(text: string, { decoded, plain }: Reading): boolean {
    // Stryker disable next-line ConditionalExpression,EqualityOperator,ArrayDeclaration: without names it only takes time.
    const bare = this.#names.length > 0 ? [text, decoded, plain].map(bareName) : [];
    return this.#names.some((name) => bare.some((form) => form.includes(name)));
  }
}

const LEFT = String.raw`(?:^|[,;|[\]{}"/\\:=]) ?'? ?`;
const RIGHT = String.raw`(?= ?'? ?(?:$|[,;|[\]{}"/\\:#@]))`;

/** Finds names that would be cut into pieces, between other values or segments; null where none would be. */
function betweenPattern(names: readonly string[], prefixes: readonly string[]): RegExp | null {
  const patterns = [
    ...names.filter(hasBetween).map((name) => RegExp.escape(name) + RIGHT),
    ...prefixes.filter(hasBetween).map((prefix) => RegExp.escape(prefix)),
  ];
  return patterns.length > 0 ? new RegExp(`${LEFT}(?:${patterns.join('|')})`) : null;
}

/** Recognises groups that are named one by one, not by what several have in common. */
function wholeGroups(groups: readonly Group[]): (text: string, plain: string) => boolean {
  const whole = groups.filter((group) => typeof group === 'string' || 'dn' in group);
  const matching = groupMatcher(whole, comparable);
  return (text, plain) => matching(text, plain).matches.length > 0;
}

/** The form in which a distinguished name is searched for inside a longer text: escapes resolved, without white space. */
function bareName(text: string): string {
  return foldText(unescapeName(text)).replace(/\s/g, '');
}
