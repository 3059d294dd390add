/** The score of each area: how many of its mutants a test detects. */
import type { MutantResult } from '@stryker-mutator/api/core';
import { type Area, areaOf, type Suite } from './areas.ts';

export interface Score {
  area: Area;
  /** Mutants that count: all but those that the code excuses. */
  mutants: number;
  detected: number;
  /** Mutants that a comment in the code excuses. */
  excused: number;
}

type Mutant = Pick<MutantResult, 'fileName' | 'status'>;

/** @param mutants with paths from the project's folder */
export function scoresOf(suite: Suite, mutants: readonly Mutant[]): Score[] {
  const byArea = Map.groupBy(mutants, ({ fileName }) => areaOf(suite, fileName));
  return suite.areas.flatMap((area) => {
    const found = byArea.get(area);
    return found ? scoreOf(area, found) : [];
  });
}

function scoreOf(area: Area, mutants: readonly Mutant[]): Score {
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const excused = count('Ignored');
  return { area, mutants: mutants.length - excused, detected: count('Killed', 'Timeout'), excused };
}

/** In percent, cut to one digit: 99.96 is not 100. */
export function percent({ mutants, detected }: Score): number {
  return mutants === 0 ? 100 : Math.floor((detected / mutants) * 1_000) / 10;
}

export function isBelowBar(score: Score): boolean {
  return percent(score) < score.area.bar;
}
