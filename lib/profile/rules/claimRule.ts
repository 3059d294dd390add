/**
 * The rule about one claim or attribute: it has one of some values, none of them, or any. Values compare whole or by an end,
 * with their JSON types.
 */

import type { LoginKind } from '../../kinds.ts';
import { foldText, isFoldable, isVisible, showableNames } from '../../text.ts';
import type { Verdict } from '../decision.ts';
import { nearNote, notArrived } from '../fields/nearestName.ts';
import {
  type DefaultNames,
  type Name,
  namesOf,
  type Place,
  type PlacedValue,
  type RuleReader,
} from '../fields/reader.ts';
import type { Rule } from '../schema/ruleSchema.ts';
import { allowsIf, type Judge, type Judgement } from './judgement.ts';

export type ClaimRule = Extract<Rule, { claim: string } | { attribute: string }>;

/** A value as a rule names it. */
type Wanted = string | number | boolean | { prefix: string } | { suffix: string };

export function claimRule(rule: ClaimRule, defaults: DefaultNames): Judge {
  const name = nameIn(rule);
  const names = namesOf(...defaults.expand(name));
  if ('is_not' in rule) return noneOf(rule, names, defaults.kind);
  const wanted = valuesIn(rule);
  const isWanted = 'is' in rule ? valueMatcher(wanted) : hasContent;
  return ({ reader }) => {
    const values = reader.values(names);
    if (values.some(({ value }) => isWanted(value))) return allowsIf(true);
    const absent = values.length === 0 && { note: absentNote(name, names, reader, CURE) };
    return { ...differing(values, wanted), ...absent };
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

/** @param form the form in which texts compare; default: as they are */
function valueMatcher(
  wanted: readonly Wanted[],
  form: (text: string) => string = (text) => text,
): (value: unknown) => boolean {
  const whole = new Set(wanted.map((one) => (typeof one === 'string' ? form(one) : one) as unknown));
  const parts = wanted.filter((one) => typeof one === 'object');
  const prefixes = parts.flatMap((part) => ('prefix' in part ? form(part.prefix) : []));
  const suffixes = parts.flatMap((part) => ('suffix' in part ? form(part.suffix) : []));
  return (value) => {
    if (typeof value !== 'string') return whole.has(value);
    const text = form(value);
    return (
      whole.has(text) ||
      prefixes.some((prefix) => text.startsWith(prefix)) ||
      suffixes.some((suffix) => text.endsWith(suffix))
    );
  };
}

/** Not blank text, and no list or object with nothing else in it. `false` and `0` are values. */
function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return isVisible(value);
  if (typeof value !== 'object') return true;
  return value !== null && Object.values(value).some(hasContent);
}

/** Of one text. More are not compared. */
const MAX_PARTS = 1_000;

/** Stands between several values in one text. */
const SEPARATOR = /[,;|[\]{}"\t\r\n]/;

/**
 * Denies these values wherever they stand, without regard to case and Unicode form. It needs evidence: a value that arrived,
 * and no form in which another one can hide.
 */
function noneOf(
  rule: Extract<ClaimRule, { is_not: unknown }>,
  names: readonly Name[],
  kind: LoginKind,
): Judge {
  const isDenied = valueMatcher(rule.is_not, foldText);
  const texts = rule.is_not.map(textInValue).filter((text) => text !== null);
  const denied = texts.map(foldText);
  // Some services concatenate the values of an attribute without a separator.
  const isGlued = (text: string) => kind === 'SAML' && denied.some((one) => foldText(text).includes(one));
  const mayHold = (text: string) => {
    const parts = text.split(SEPARATOR);
    return parts.length > MAX_PARTS || parts.map(unquoted).some(isDenied) || isGlued(text);
  };
  const verdictOn = (value: unknown): Verdict => {
    if (typeof value === 'object' || (typeof value === 'string' && !isFoldable(value))) return 'unknown';
    if (isDenied(value)) return 'refuses';
    return typeof value === 'string' && mayHold(value) ? 'unknown' : 'allows';
  };
  return ({ reader }) => {
    const judged = reader
      .valuesEverywhere(names)
      .map(({ path, value }) => ({ verdict: verdictOn(value), value: path }));
    const refused = judged.find(({ verdict }) => verdict === 'refuses');
    if (refused) return { ...refused, words: 'forbidden' };
    const isPartial = (name: Name) => reader.hasOverage(name) || reader.otherForm(name)?.form === 'items';
    const unread: Judgement | undefined = names.some(isPartial) ? { verdict: 'unknown' } : undefined;
    const unclear = judged.find(({ verdict }) => verdict === 'unknown') ?? unread;
    if (unclear) return { ...unclear, note: () => `${nameIn(rule)} ${UNCLEAR}` };
    const hasArrived = reader.values(names).some(({ value }) => hasContent(value));
    if (hasArrived || rule.absent === 'allow') return allowsIf(true);
    return { verdict: 'unknown', note: absentNote(nameIn(rule), names, reader, ABSENT_CURE) };
  };
}

/** Python writes texts in a list so. */
function unquoted(part: string): string {
  const text = part.trim();
  return text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1) : text;
}

const UNCLEAR =
  'arrived in a form that may hide a denied value: a list or an object in a list, an item without it, several values in one ' +
  'text, a claim that the provider left out or stores elsewhere, or a very long text. Have the provider send one item for each value, or list the allowed values by is.';

const CURE = 'Correct the name, or have the provider send it.';
const ABSENT_CURE = `${CURE} If the provider leaves it out for people who may log in, write absent: 'allow'.`;

/** Why there is no value to compare. */
function absentNote(
  name: string,
  names: readonly Name[],
  reader: RuleReader,
  cure: string,
): NonNullable<Judgement['note']> {
  if (!names.some((one) => reader.has(one)))
    return (received) => `${notArrived([name], received.names, reader.nestedNames())} ${cure}`;
  const friendly = reader.places(names).find(({ by }) => by === 'FriendlyName');
  return () => (friendly ? friendlyNameNote(name, friendly) : `${name} ${WITHOUT_VALUE}`);
}

export function friendlyNameNote(name: string, { attribute }: Place): string {
  const [own = 'its Name'] = showableNames([`${attribute}`]).names;
  return `${name} arrived as a FriendlyName only, which identifies no attribute: write ${own} in the rule.`;
}

const WITHOUT_VALUE = 'arrived without a value: have the provider send one.';

const JOINED_NOTE =
  'A text contains a wanted value beside something else. Values compare whole: if the text is several values, have the ' +
  'provider send one Attribute, or one item of a list, for each.';

/** What arrived is not what is wanted. */
export function differing(values: readonly PlacedValue[], wanted: readonly Wanted[]): Judgement {
  const texts = wanted.filter((one) => typeof one === 'string');
  const isPart = ({ value }: PlacedValue) =>
    typeof value === 'string' && texts.some((text) => value !== text && value.includes(text));
  const arrived = values.map(({ value }) => value).filter((value) => typeof value === 'string');
  const note = () => {
    const near = nearNote(texts, arrived) ?? '';
    const isJoined = values.some(isPart) && (near === '' || near.includes('(joined)'));
    return isJoined ? (nearNote(texts, arrived, JOINED_NOTE) as string) : near;
  };
  return { verdict: 'refuses', value: values[0]?.path, note };
}
