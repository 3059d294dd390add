/** What rules about claims, attributes and sign-ins say of a login. */
import type { Evidence } from './evidence.ts';
import { isText } from './json.ts';
import type { Assurance, ClaimRule } from './mapping.ts';

/** A value that the rule lists, with its type; or any that is not empty. */
export function hasClaim(rule: ClaimRule, { exact, expanded }: Evidence): boolean {
  const values = exact(expanded('claim' in rule ? rule.claim : rule.attribute));
  if (!('is' in rule)) return values.some(saysSomething);
  const wanted: unknown[] = rule.is;
  return values.some((value) => wanted.some((one) => one === value));
}

function saysSomething(value: unknown): boolean {
  if (isText(value)) return /\S/.test(value);
  if (value === null) return false;
  return typeof value === 'object' ? Object.values(value).some(saysSomething) : true;
}

type Answer = 'yes' | 'no' | 'not said';

/** One "no" refuses, whatever else is not said. */
export function assurance(
  { acr, amr, max_age, eduPersonAssurance }: Assurance,
  { exact, defaults, signedIn }: Evidence,
): 'allows' | 'rule_refused' | 'assurance_unknown' {
  const answers = [
    acr && answer(acr, exact(['acr'])),
    amr && answer(amr, exact(['amr'])),
    eduPersonAssurance && answer(eduPersonAssurance, exact(defaults('assurance'))),
    max_age && isRecent(max_age, signedIn),
  ];
  if (answers.includes('no')) return 'rule_refused';
  return answers.includes('not said') ? 'assurance_unknown' : 'allows';
}

function answer(wanted: readonly (string | string[])[], values: readonly unknown[]): Answer {
  const said = values.filter(isText).filter((text) => /\S/.test(text));
  if (said.length === 0) return 'not said';
  return wanted.some((one) => [one].flat().every((value) => said.includes(value))) ? 'yes' : 'no';
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** As the functions under test have it. */
const CLOCK_SKEW_SECONDS = 60;

/** No generated time is near a bound: the clock goes on between the function and here. */
function isRecent(maxAge: string, signedIn: unknown): Answer {
  if (typeof signedIn !== 'number') return 'not said';
  const age = Date.now() / 1_000 - signedIn;
  if (age > Number(maxAge.slice(0, -1)) * (SECONDS[maxAge.slice(-1)] ?? 0) + CLOCK_SKEW_SECONDS) return 'no';
  return age < -CLOCK_SKEW_SECONDS ? 'not said' : 'yes';
}
