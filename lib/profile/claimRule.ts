/** The rule about one claim or attribute: it has one of some values, or any. Values compare whole, with their JSON types. */

import { allowsIf, type Judge, type Judgement } from './judgement.ts';
import type { Rule } from './mappingSchema.ts';
import { notArrived } from './nearestName.ts';
import { type DefaultNames, namesOf, type PlacedValue } from './reader.ts';

export type ClaimRule = Extract<Rule, { claim: string } | { attribute: string }>;

export function claimRule(rule: ClaimRule, defaults: DefaultNames): Judge {
  const name = nameIn(rule);
  const names = namesOf(...defaults.expand(name));
  const wanted = 'is' in rule ? new Set<unknown>(rule.is) : null;
  return ({ reader }) => {
    const values = reader.values(names);
    if (values.some(({ value }) => wanted?.has(value) ?? !isEmpty(value))) return allowsIf(true);
    const [first] = values;
    if (!first) {
      const cure = 'Correct the name, or have the provider send it.';
      return { verdict: 'refuses', note: ({ names }) => `${notArrived([name], names)} ${cure}` };
    }
    return 'is' in rule ? differing(first.path, values, rule.is) : { verdict: 'refuses', value: first.path };
  };
}

/** The claim or attribute, as the mapping names it. */
export function nameIn(rule: ClaimRule): string {
  return 'claim' in rule ? rule.claim : rule.attribute;
}

/** Blank text, and lists and objects with nothing else in them. `false` and `0` are values. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object') return false;
  return value === null || Object.values(value).every(isEmpty);
}

const JOINED_NOTE =
  'A text contains a wanted value beside something else. Values compare whole: if the text is several values, have the ' +
  'provider send one Attribute, or one item of a list, for each.';

/** What arrived is not what is wanted. */
export function differing(
  path: string,
  values: readonly PlacedValue[],
  wanted: readonly unknown[],
): Judgement {
  const texts = wanted.filter((one) => typeof one === 'string');
  const isPart = ({ value }: PlacedValue) =>
    typeof value === 'string' && texts.some((text) => value !== text && value.includes(text));
  return { verdict: 'refuses', value: path, ...(values.some(isPart) && { note: () => JOINED_NOTE }) };
}
