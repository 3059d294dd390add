/**
 * The rule about one claim or attribute: it has one of some values, none of them, or any. Values compare whole or by an end,
 * with their JSON types.
 */

import type { LoginKind } from '../../kinds.ts';
import { inWords, isVisible } from '../../text.ts';
import { arrivedOtherwise, notArrived, otherSpellings } from '../fields/nearestName.ts';
import { friendlyNameNote, type NearMiss, type Note, nearMisses, nearNote } from '../fields/nearMiss.ts';
import {
  type DefaultNames,
  type Name,
  namesOf,
  type PlacedValue,
  type RuleReader,
} from '../fields/reader.ts';
import {
  decodedReadings,
  ESCAPE,
  foldedForms,
  readings,
  valuePattern,
  withBlanks,
} from '../groups/joinedTexts.ts';
import { MAX_GROUPS_LENGTH } from '../groups/readGroups.ts';
import { isGuest } from '../schema/emailAddress.ts';
import type { Rule } from '../schema/ruleSchema.ts';
import { ALLOWS, type Evaluate, gravest, noted, objections, type RuleResult } from './ruleResult.ts';

export type ClaimRule = Extract<Rule, { claim: string } | { attribute: string }>;

type Wanted = string | number | boolean | { prefix: string } | { suffix: string };

export function claimRule(rule: ClaimRule, defaults: DefaultNames): Evaluate {
  const name = nameIn(rule);
  const names = namesOf(...defaults.expand(name));
  if ('is_not' in rule) return noneOf(rule, names, defaults.kind);
  const wanted = valuesIn(rule);
  const isWanted = 'is' in rule ? valueMatcher(wanted) : hasContent;
  return ({ reader }) => {
    const values = reader.values(names);
    if (values.some(({ value }) => isWanted(value))) return ALLOWS;
    if (values.length > 0) return differing(values, wanted);
    return { verdict: 'refuses', note: () => absentNote([name], names, reader, FIX) };
  };
}

/** The claim or attribute, as the mapping names it. */
export function nameIn(rule: ClaimRule): string {
  return 'claim' in rule ? rule.claim : rule.attribute;
}

/** The values that a rule names; none where any value counts. */
export function valuesIn(rule: ClaimRule): readonly Wanted[] {
  if ('is' in rule) return rule.is;
  return 'is_not' in rule ? rule.is_not : [];
}

/** The text of a value that is a text, or begins or ends with one. */
export function textInValue(value: Wanted): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return null;
  return 'prefix' in value ? value.prefix : value.suffix;
}

/** Whether a value is one of these, or has the wanted beginning or end. */
function valueMatcher(wanted: readonly Wanted[]): (value: unknown) => boolean {
  const whole = new Set<unknown>(wanted);
  const parts = wanted.filter((one) => typeof one === 'object');
  return (value) =>
    whole.has(value) || (typeof value === 'string' && parts.some((part) => hasPart(value, part)));
}

/** By the end of its name at Entra, a guest is nobody of the domain that stands there. */
function hasPart(text: string, part: { prefix: string } | { suffix: string }): boolean {
  if ('prefix' in part) return text.startsWith(part.prefix);
  return text.endsWith(part.suffix) && (isGuest(part.suffix) || !isGuest(text));
}

/** Not blank text, and no list or object with nothing else in it. `false` and `0` are values. */
function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return isVisible(value);
  if (typeof value !== 'object') return true;
  return value !== null && Object.values(value).some(hasContent);
}

/** Denies these values wherever they stand. It needs evidence: a value that arrived, and no form in which another one can hide. */
function noneOf(
  rule: Extract<ClaimRule, { is_not: unknown }>,
  names: readonly Name[],
  kind: LoginKind,
): Evaluate {
  const name = nameIn(rule);
  const unclear = noted('unknown', `${name} ${UNCLEAR}`);
  const judge = denialMatcher(rule.is_not, kind, unclear);
  return ({ reader }) => {
    const values = reader.valuesEverywhere(names);
    const isRead = textsIn(values).join('').length <= MAX_GROUPS_LENGTH;
    const judged = objections(values, ({ value }) => (isRead ? judge(value) : unclear));
    // Stryker disable next-line MethodExpression: only a claim can be so, and it has one name.
    const hasOthers = names.some((one) => isPartial(reader, one));
    const found = gravest(hasOthers ? [...judged, unclear] : judged);
    if (found.verdict !== 'allows') return found;
    const hasArrived = reader.values(names).some(({ value }) => hasContent(value));
    if (hasArrived) return { verdict: 'allows', note: () => nearNote(missedBy(values, rule.is_not)) };
    const isThere = names.some((one) => reader.has(one));
    // Attributes compare without case: in other capitals it is the same one.
    const isMisspelled = kind === 'OpenID' && otherSpellings(name, reader).length > 0;
    if (rule.absent === 'allow' && !isMisspelled)
      return { verdict: 'allows', note: () => (isThere ? {} : arrivedOtherwise([name], reader, FIX)) };
    const fix = rule.absent === 'allow' ? FIX : ABSENT_FIX;
    return { verdict: 'unknown', note: () => absentNote([name], names, reader, fix) };
  };
}

// Stryker disable next-line StringLiteral: a refusal without words says the same.
const DENIED: RuleResult = { verdict: 'refuses', words: 'forbidden' };

/** @param unclear what is said of a value that may hide a denied one */
function denialMatcher(
  denied: readonly Wanted[],
  kind: LoginKind,
  unclear: RuleResult,
): (value: unknown) => RuleResult {
  const isDenied = new Set<unknown>(denied);
  const texts = denied.flatMap(deniedTexts);
  const isIn = (forms: readonly string[], which: 'alone' | 'joined') =>
    // Stryker disable next-line ConditionalExpression: a pattern takes longer than the text that it needs.
    texts.some((text) => forms.some((one) => one.includes(text.form) && text[which].test(one)));
  // Some services concatenate the values of an attribute without a separator.
  const isGlued = (forms: readonly string[]) =>
    kind === 'SAML' && forms.some((one) => ESCAPE.test(one) || texts.some(({ form }) => one.includes(form)));
  return (value) => {
    if (typeof value === 'object') return unclear;
    if (typeof value !== 'string') return isDenied.has(value) ? DENIED : ALLOWS;
    const written = readings(value);
    // Stryker disable next-line ConditionalExpression: what cannot be read as it stands seldom can be decoded.
    if (written === null) return unclear;
    if (isIn(foldedForms(value), 'alone')) return DENIED;
    // As a form may have sent it: Cognito encodes the lists of SAML so.
    const decoded = decodedReadings(value);
    if (typeof decoded === 'string') return unclear;
    const read = [...written, ...decoded.joined, ...decoded.joined.map(withBlanks)];
    return isIn(read, 'joined') || isGlued(read) ? unclear : ALLOWS;
  };
}

/** A denied text in each of the forms in which it may be written, with what finds it as a whole text, and as one of several in a text. */
function deniedTexts(denied: Wanted) {
  const written = textInValue(denied);
  if (written === null) return [];
  return foldedForms(written).map((form) => {
    const text = RegExp.escape(form);
    if (typeof denied !== 'object') return { form, alone: RegExp(`^${text}$`), joined: valuePattern(text) };
    if ('prefix' in denied)
      return { form, alone: RegExp(`^${text}`), joined: valuePattern(text, 'beginning') };
    return { form, alone: RegExp(`${text}$`), joined: valuePattern(text, 'end') };
  });
}

/** Whether some of the values, or all, cannot be read. */
function isPartial(reader: RuleReader, name: Name): boolean {
  const { form } = reader.otherForm(name) ?? {};
  return reader.hasOverage(name) || form === 'items' || form === 'parent';
}

const UNCLEAR =
  'arrived in a form that may hide a denied value: a list or an object in a list, an item without it, several values in one ' +
  'text, escapes, a claim that the provider left out or stores elsewhere, or a very long text. Have the provider send one item for each value, or list the allowed values by is.';

export const FIX = 'Correct the name, or have the provider send it.';
const ABSENT_FIX = `${FIX} If the provider leaves it out for people who may log in, write absent: 'allow'.`;

/** What to do about a claim or attribute of which no value counts. */
export function absentNote(
  wanted: readonly string[],
  names: readonly Name[],
  reader: RuleReader,
  fix: string,
  known?: readonly string[],
): Note {
  if (!names.some((name) => reader.has(name))) return notArrived(wanted, reader, fix, known);
  const friendly = reader.occurrences(names).find(({ by }) => by === 'FriendlyName');
  return friendly
    ? friendlyNameNote(friendly.name, friendly)
    : { note: `${inWords(wanted, 'or')} arrived without a value: have the provider send one.` };
}

const JOINED_NOTE =
  'A text contains a wanted value beside something else. Values compare whole: if the text is several values, have the ' +
  'provider send one Attribute, or one item of a list, for each.';

/** Of values that are none of those that a rule wants. */
export function differing(values: readonly PlacedValue[], wanted: readonly Wanted[]): RuleResult {
  const texts = wanted.filter((one) => typeof one === 'string');
  const [first] = values as [PlacedValue];
  const arrived = textsIn(values);
  // What stands below a URI is another one.
  const isPart = (value: string) =>
    texts.some((text) => value !== text && value.split(`${text}/`).some((part) => part.includes(text)));
  const note = () => {
    const near = missedBy(values, wanted);
    const mayBeJoined = near.length === 0 || near.some(({ miss }) => miss === 'joined');
    return nearNote(near, mayBeJoined && arrived.some(isPart) ? { note: JOINED_NOTE } : undefined);
  };
  return { verdict: 'refuses', value: first.path, note };
}

function missedBy(values: readonly PlacedValue[], wanted: readonly Wanted[]): NearMiss[] {
  const texts = wanted.filter((one) => typeof one === 'string');
  const parts = wanted.filter((one) => typeof one === 'object');
  return nearMisses([...texts, ...parts], textsIn(values));
}

function textsIn(values: readonly PlacedValue[]): string[] {
  return values.map(({ value }) => value).filter((value) => typeof value === 'string');
}
