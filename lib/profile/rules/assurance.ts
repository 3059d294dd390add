/** The rule about a sign-in: how, when and for which kind of account the provider says that it was. */

import { inWords, isVisible } from '../../text.ts';
import {
  type DefaultNames,
  type Name,
  namesOf,
  type PlacedValue,
  type RuleReader,
} from '../fields/reader.ts';
import type { Assurance } from '../schema/ruleSchema.ts';
import { absentNote, differing } from './claimRule.ts';
import { ALLOWS, type Evaluate, gravest, noted, type RuleContext, type RuleResult } from './ruleResult.ts';

/** In milliseconds. */
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Every demand must be met. A demand that is not met refuses; where none is so, one that cannot be judged is an error. */
export function assuranceRule(
  assurance: Assurance,
  { defaults, clockSkewSeconds }: Pick<RuleContext, 'defaults' | 'clockSkewSeconds'>,
): Evaluate {
  const { max_age } = assurance;
  const demands = demandedTexts(assurance, defaults).map(anyOf);
  if (max_age) demands.push(noOlderThan(max_age, clockSkewSeconds));
  return (input) => gravest(demands.map((evaluate) => evaluate(input)));
}

interface DemandedTexts {
  names: readonly Name[];
  /** Values, and lists of values that are all needed. */
  alternatives: readonly (string | string[])[];
  /** Left out for what another sign-in could change. */
  words?: 'claim';
}

/** Under which names texts are demanded, and which. */
export function demandedTexts(
  { acr = [], amr = [], acrs = [], eduPersonAssurance = [] }: Assurance,
  { assurance }: DefaultNames,
): DemandedTexts[] {
  return [
    { names: namesOf('acr'), alternatives: acr },
    { names: namesOf('amr'), alternatives: amr },
    { names: namesOf('acrs'), alternatives: acrs },
    { names: assurance, alternatives: eduPersonAssurance, words: 'claim' as const },
  ].filter(({ alternatives }) => alternatives.length > 0);
}

function anyOf({ names, alternatives, words }: DemandedTexts): Evaluate {
  const wanted = alternatives.map((one) => [one].flat());
  return ({ reader }) => {
    const values = reader.values(names);
    const texts = values.filter(({ value }) => typeof value === 'string' && isVisible(value));
    if (texts.length === 0)
      return unread(reader, names, values, 'a text that is not empty, or a list of such');
    const arrived = new Set(texts.map(({ value }) => value));
    if (wanted.some((all) => all.every((value) => arrived.has(value)))) return ALLOWS;
    return { ...differing(texts, wanted.flat()), ...(words && { words }) };
  };
}

/** @param maxAge e.g. `8h` */
function noOlderThan(maxAge: string, clockSkewSeconds: number): Evaluate {
  const skewMs = clockSkewSeconds * 1_000;
  const maxAgeMs = Number.parseInt(maxAge, 10) * (UNITS[maxAge.slice(-1)] as number);
  return ({ reader }) => {
    const { signedInAt } = reader;
    if (typeof signedInAt?.value !== 'number')
      return unread(reader, namesOf('auth_time'), signedInAt ? [signedInAt] : [], 'a number of seconds');
    const ageMs = Date.now() - signedInAt.value * 1_000;
    if (ageMs > maxAgeMs + skewMs) return { verdict: 'refuses', value: signedInAt.path };
    return ageMs >= -skewMs ? ALLOWS : noted('unknown', FUTURE_NOTE);
  };
}

const FUTURE_NOTE =
  'The time of the sign-in is in the future: compare the clocks of the provider and of this function (CLOCK_SKEW_SECONDS).';

/** @param values that arrived in another form than the one that is expected */
function unread(
  reader: RuleReader,
  names: readonly Name[],
  values: readonly PlacedValue[],
  expected: string,
): RuleResult {
  const wanted = names.map(({ name }) => name);
  return values.length > 0
    ? noted('unknown', `${inWords(wanted, 'or')} arrived in another form: expected ${expected}.`)
    : { verdict: 'unknown', note: () => absentNote(wanted, names, reader, REQUEST_IT, OTHERS) };
}

/** Each is another claim, and no misspelling. */
const OTHERS = ['acr', 'amr', 'acrs'];

const REQUEST_IT =
  'Have the service request it, or the provider send it: see "Demand assurance" in docs/mappings.md.';
