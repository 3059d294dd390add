/** Whether somebody is in a group that may not log in. A value that may or may not name such a group is unclear. */

import { foldText, isFoldable } from '../text.ts';
import { reversedName, unescapeName } from './distinguishedName.ts';
import { groupMatcher } from './groupMatcher.ts';
import type { Group } from './mappingSchema.ts';
import type { FoundText } from './reader.ts';

/** A text that may name a denied group. */
export interface DeniableText extends FoundText {
  /** Made once for all rules; null for a text that cannot be folded. */
  folded: string | null;
}

export function deniable(found: FoundText): DeniableText {
  return { ...found, folded: isFoldable(found.text) ? foldText(found.text) : null };
}

/** Null: none of the values names a denied group. */
type Denial = 'denied' | 'unclear' | null;

/** An escape of JSON or XML may hide a name. */
const ESCAPE = /\\u[0-9a-f]{4}|&#?\w+;/i;

/** What stands before a distinguished name in a URL (RFC 4516), or where software names the directory. */
const BEFORE_NAME = /^[^=]*[:/]/;

/** A shorter name is part of many words. */
const MIN_TELLING_LENGTH = 4;

/**
 * Compares without case and Unicode form. Some services concatenate the values of one SAML attribute without a separator:
 * a text that contains a denied name, and is not itself a group that the mapping names, may be such a text.
 *
 * @param named all groups that the mapping names
 */
export function deniedGroups(
  denied: readonly Group[],
  named: readonly Group[],
): (values: readonly DeniableText[]) => Denial {
  const matching = groupMatcher(denied, foldText);
  const isNamed = wholeGroups(named);
  const containsName = nameSearch(denied);

  /** Behind the scheme of a URL, or with the most general part first. */
  const isWrittenOtherwise = (text: string, folded: string) => {
    const name = text.replace(BEFORE_NAME, '');
    return [name, reversedName(name)].some((other) => matching(other, folded).matches.length > 0);
  };

  const judge = ({ text, folded, mayBeConcatenated }: DeniableText): Denial => {
    if (folded === null) return 'unclear';
    const { matches, isUnreadable, hasOtherReading } = matching(text, folded);
    if (matches.length > 0) return 'denied';
    if (isUnreadable || hasOtherReading || isWrittenOtherwise(text, folded)) return 'unclear';
    if (!mayBeConcatenated || isNamed(text, folded)) return null;
    return ESCAPE.test(text) || containsName(text, folded) ? 'unclear' : null;
  };

  return (values) => {
    const denials = new Set(values.map(judge));
    return denials.has('denied') ? 'denied' : denials.has('unclear') ? 'unclear' : null;
  };
}

/** Recognises groups that are named one by one, not by what several have in common. */
function wholeGroups(groups: readonly Group[]): (text: string, folded: string) => boolean {
  const whole = groups.filter((group) => typeof group === 'string' || 'dn' in group);
  const matching = groupMatcher(whole, foldText);
  return (text, folded) => matching(text, folded).matches.length > 0;
}

function nameSearch(groups: readonly Group[]): (text: string, folded: string) => boolean {
  const texts = textsOf(groups).map(foldText);
  const names = groups.map(distinguishedNameOf).filter(isText).map(bareName);
  return (text, folded) => {
    // Stryker disable next-line ConditionalExpression,EqualityOperator,StringLiteral: without names it only takes time.
    const bare = names.length > 0 ? bareName(text) : '';
    return texts.some((name) => folded.includes(name)) || names.some((name) => bare.includes(name));
  };
}

function textsOf(groups: readonly Group[]): string[] {
  return groups.map(textOf).filter(isText);
}

function isText(text: string | null): text is string {
  return text !== null;
}

function textOf(group: Group): string | null {
  if (typeof group === 'string') return group;
  return 'prefix' in group ? group.prefix : null;
}

function distinguishedNameOf(group: Group): string | null {
  if (typeof group === 'string' || 'prefix' in group) return null;
  return 'dn' in group ? group.dn : group.dn_suffix;
}

/** The form in which a distinguished name is searched for inside a longer text: escapes resolved, without white space. */
function bareName(text: string): string {
  return foldText(unescapeName(text)).replace(/\s/g, '');
}

/**
 * Finds denied names that also refuse other people: part of another name of the mapping, or too short.
 *
 * @returns a sentence for each
 */
export function misleadingNames(denied: readonly Group[], named: readonly Group[]): string[] {
  const others = textsOf(named);
  return textsOf(denied).flatMap((name) => {
    const longer = others.find((other) => isPartOf(name, other));
    if (longer !== undefined) return `"${name}" is part of "${longer}".`;
    return name.length < MIN_TELLING_LENGTH
      ? `"${name}" has less than ${MIN_TELLING_LENGTH} characters.`
      : [];
  });
}

function isPartOf(name: string, other: string): boolean {
  const [part, whole] = [foldText(name), foldText(other)];
  return part !== whole && whole.includes(part);
}
