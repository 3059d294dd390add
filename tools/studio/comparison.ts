/** What another handler would answer to the logins of a function. */
import { handlerNames } from '../bundle/build.ts';
import { type Difference, differencesOf, groupNamesIn } from '../explain/differences.ts';
import type { Handler } from '../explain/judgedSamples.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { Login } from './login.ts';
import type { Logins } from './logins.ts';
import { outcomeOf, rowOf } from './row.ts';
import { clockText } from './words.ts';

/** What it means to a person: gets in, does not any more, gets another profile or refusal, reads other words. */
export type EffectOfChange = 'in' | 'refused' | 'fields' | 'words';
export type Comparison = Awaited<ReturnType<typeof comparisonOf>>;

const DEFAULT = 'default';

/** @returns null for the default handler, undefined for one that the project does not have */
export function handlerNamed(name: string | null): Handler | null | undefined {
  if (name === DEFAULT) return null;
  return name !== null && handlerNames().includes(name) ? { given: name, module: name } : undefined;
}

/** By the names of the logins. */
export async function comparisonOf(logins: Logins, its: readonly Login[], other: Handler | null) {
  const answers = await Promise.all(
    its.map(async (login) => ({ login, before: login.previous, after: await logins.answerOf(other, login) })),
  );
  const rows = answers.map(({ login, before, after }) => {
    const all = differencesOf(before, after);
    const effect = effectOf(before, after, all);
    // Of whom gets in or not, the reason says all.
    const isOfReason = effect === 'in' || effect === 'refused';
    const differences = isOfReason ? [{ field: 'reason', before: before.reason, after: after.reason }] : all;
    return { id: login.id, name: nameOf(login), differences, effect };
  });
  return {
    other: other?.given ?? DEFAULT,
    groupNames: groupNamesIn(answers.flatMap(({ before, after }) => [before, after])),
    rows: rows.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
  };
}

function nameOf(login: Login): string {
  const { title } = rowOf(login);
  return login.at === null ? title : `${title}, ${clockText(login.at)}`;
}

const WORDS = ['message', 'status'];

/** Null where both are alike. */
function effectOf(
  before: InvocationResult,
  after: InvocationResult,
  differences: readonly Difference[],
): EffectOfChange | null {
  if (differences.length === 0) return null;
  const [wasIn, isIn] = [before, after].map((one) => outcomeOf(one) === 'authorized');
  if (wasIn !== isIn) return isIn ? 'in' : 'refused';
  return differences.every(({ field }) => WORDS.includes(field)) ? 'words' : 'fields';
}
