/** What another handler would answer to the logins of a function. */
import { handlerNames } from '../bundle/build.ts';
import { type Difference, differencesOf, type GroupNames, groupNamesIn } from '../explain/differences.ts';
import type { Handler } from '../explain/judgedSamples.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { Login } from './login.ts';
import type { Logins } from './logins.ts';
import { outcomeOf, rowOf } from './row.ts';
import { clockText } from './words.ts';

/** What it means to a person: gets in, does not any more, gets another profile or refusal, reads other words. */
export type EffectOfChange = 'in' | 'refused' | 'fields' | 'words';

export interface ComparedLogin {
  id: string;
  /** Of the sample; of another login the person's, and when it came. */
  name: string;
  before: InvocationResult;
  after: InvocationResult;
  differences: Difference[];
  /** Null where both are alike. */
  effect: EffectOfChange | null;
}

export interface Comparison {
  /** As a setting names it. */
  other: string;
  groupNames: GroupNames;
  /** By name. */
  rows: ComparedLogin[];
}

const DEFAULT = 'default';

/** @returns null for the default handler, undefined for one that the project does not have */
export function handlerNamed(name: string | null): Handler | null | undefined {
  if (name === DEFAULT) return null;
  return name !== null && handlerNames().includes(name) ? { given: name, module: name } : undefined;
}

export async function comparisonOf(
  logins: Logins,
  its: readonly Login[],
  other: Handler | null,
): Promise<Comparison> {
  const rows = await Promise.all(
    its.map(async (login): Promise<ComparedLogin> => {
      const { previous: before, id } = login;
      const { answered: after } = await logins.answeredBy(login, other);
      const differences = differencesOf(before, after);
      const effect = effectOf(before, after, differences);
      return { id, name: nameOf(login), before, after, differences, effect };
    }),
  );
  return {
    other: other?.given ?? DEFAULT,
    groupNames: groupNamesIn(rows.flatMap(({ before, after }) => [before, after])),
    rows: rows.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
  };
}

function nameOf(login: Login): string {
  const { title } = rowOf(login);
  return login.at === null ? title : `${title}, ${clockText(login.at)}`;
}

const WORDS = ['message', 'status'];

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
