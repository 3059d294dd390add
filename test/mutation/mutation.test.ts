/** What `npm run mutate` measures, and how it counts. */
import { glob } from 'node:fs/promises';
import { matchesGlob } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { type Area, areaOf, SUITES, type Suite } from './areas.ts';
import { barOf, lastScores, percent, scoresOf } from './score.ts';
import { isAt, measuredFiles, selected, wholeAreas } from './selection.ts';

const area = (name: string, ...files: string[]): Area => ({ name, files });
const SUITE: Suite = {
  name: 'suite',
  tests: [],
  areas: [area('one', 'lib/a/*.ts'), area('other', 'lib/{b,c}.ts'), area('empty', 'lib/d.ts')],
};
const mutants = (fileName: string, counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([status, count]) =>
    Array.from({ length: count }, () => ({ fileName, status: status as 'Killed' })),
  );

test('the score of an area counts what a test detects, and leaves out what the code excuses', () => {
  const scores = scoresOf(SUITE, [
    ...mutants('lib/a/x.ts', { Killed: 2, Timeout: 1, Survived: 1, Ignored: 5 }),
    ...mutants('lib/a/y.ts', { NoCoverage: 1, RuntimeError: 1 }),
    ...mutants('lib/c.ts', { Killed: 1 }),
  ]);
  expect(scores).toEqual([
    { area: SUITE.areas[0], mutants: 6, detected: 3, excused: 5 },
    { area: SUITE.areas[1], mutants: 1, detected: 1, excused: 0 },
  ]);
});

const counted = (mutants: number, detected: number) => ({ mutants, detected, excused: 0 });

test.each([
  [10_000, 10_000, 100],
  [10_000, 9_999, 99.9],
  [1_000, 899, 89.9],
  [0, 0, 100],
])('of %i mutants, %i detected are %d percent', (mutants, detected, score) => {
  expect(percent(counted(mutants, detected))).toBe(score);
});

test('an area must reach the whole percents of its last score, and one that is to be whole all of them', () => {
  const last = { one: counted(1_000, 899) };
  expect(barOf(area('one'), last)).toBe(89);
  expect(barOf({ ...area('one'), isWhole: true }, last)).toBe(100);
  expect(barOf(area('measured for the first time'), last)).toBe(0);
});

test.each([
  ['lib/a', 'lib/a/x.ts', true],
  ['./lib/a/', 'lib/a/x.ts', true],
  ['lib/a/x.ts', 'lib/a/x.ts', true],
  ['lib/a', 'lib/ab.ts', false],
  ['lib/a/x.ts', 'lib/a/y.ts', false],
])('of %s, %s is measured: %p', (path, file, expected) => {
  expect(isAt(path)(file)).toBe(expected);
});

describe.each(SUITES)('$name', (suite) => {
  test('has files in each of its areas, and none in two', async () => {
    const files = await measuredFiles(suite);
    expect(new Set(files.map((file) => areaOf(suite, file)))).toEqual(new Set(suite.areas));
    expect(files).toHaveLength(new Set(files).size);
  });

  test.each(suite.tests)('has tests in %s', async (pattern) => {
    expect(await Array.fromAsync(glob(pattern, { cwd: PROJECT }))).not.toEqual([]);
  });
});

test('the last run measured every area, and detected all that must be detected', () => {
  const last = lastScores();
  const areas = SUITES.flatMap((suite) => suite.areas);
  expect(Object.keys(last).sort()).toEqual(areas.map(({ name }) => name).sort());
  const missed = areas.filter(({ name, isWhole }) => isWhole && last[name]?.detected !== last[name]?.mutants);
  expect(missed).toEqual([]);
});

test('the score of an area is kept where all of its files were measured', async () => {
  const [all, one] = await Promise.all(
    ['lib/openid', 'lib/openid/claims.ts'].map(async (path) => wholeAreas(await selected(isAt(path)))),
  );
  const measured = SUITES.flatMap(({ areas }) => areas).find(({ files }) =>
    files.some((file) => matchesGlob('lib/openid/claims.ts', file)),
  );
  expect(measured && [all?.(measured), one?.(measured)]).toEqual([true, false]);
});

test('a suite without a chosen file is not run', async () => {
  const chosen = await selected(isAt('lib/webhook'));
  expect(chosen.map(({ suite, files }) => [suite.name, files])).toEqual([
    ['lib', ['lib/webhook/signature.ts']],
  ]);
});
