/** The score of each area: how many of its mutants a test detects, in this run and in the last one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { AREAS, type Area, areaOf } from './areas.ts';

export interface Score {
  area: Area;
  /** Mutants that count: all but those that the code excuses. */
  mutants: number;
  detected: number;
  /** Mutants that a comment in the code excuses. */
  excused: number;
}

type Mutant = Pick<MutantResult, 'fileName' | 'status'>;
/** By the name of the area. */
export type LastScores = Readonly<Record<string, Omit<Score, 'area'>>>;

const LAST_SCORES = join(import.meta.dirname, 'scores.json');
const WHOLE = 100;

/** @param mutants with paths from the project's folder */
export function scoresOf(mutants: readonly Mutant[]): Score[] {
  const byArea = Map.groupBy(mutants, ({ fileName }) => areaOf(fileName));
  return AREAS.flatMap((area) => {
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
export function percent({ mutants, detected }: Omit<Score, 'area'>): number {
  return mutants === 0 ? WHOLE : Math.floor((detected / mutants) * 1_000) / 10;
}

/** The lowest score of an area that passes, in percent: the last one, rounded down, where not all mutants must be detected. */
export function barOf({ name, isWhole }: Area, last: LastScores): number {
  if (isWhole) return WHOLE;
  const before = last[name];
  return before ? Math.floor(percent(before)) : 0;
}

export function lastScores(): LastScores {
  return JSON.parse(readFileSync(LAST_SCORES, 'utf8'));
}

/** Keeps the scores of whole areas for the next run. */
export function keepScores(scores: readonly Score[]): void {
  const kept = { ...lastScores() };
  for (const { area, ...score } of scores) kept[area.name] = score;
  writeFileSync(LAST_SCORES, `${JSON.stringify(kept, null, 2)}\n`);
}
