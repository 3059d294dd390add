/** What `npm run mutate` measures, and how it counts. */
import { glob } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/build.ts';
import { type Area, areaOf, SUITES, type Suite } from './areas.ts';
import { isBelowBar, percent, scoresOf } from './score.ts';
import { isAt, measuredFiles, selected } from './selection.ts';

const area = (name: string, bar: number, ...files: string[]): Area => ({ name, files, bar });
const SUITE: Suite = {
  name: 'suite',
  tests: [],
  areas: [area('one', 100, 'lib/a/*.ts'), area('other', 90, 'lib/{b,c}.ts'), area('empty', 90, 'lib/d.ts')],
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

test.each([
  [100, 10_000, 10_000, 100, false],
  [100, 10_000, 9_999, 99.9, true],
  [90, 1_000, 899, 89.9, true],
  [90, 10, 9, 90, false],
  [100, 0, 0, 100, false],
])('with a bar of %i, of %i mutants %i detected are %d percent', (bar, all, detected, score, isMissed) => {
  const counted = { area: area('one', bar), mutants: all, detected, excused: 0 };
  expect(percent(counted)).toBe(score);
  expect(isBelowBar(counted)).toBe(isMissed);
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

test('a suite without a chosen file is not run', async () => {
  const chosen = await selected(isAt('lib/webhook'));
  expect(chosen.map(({ suite, files }) => [suite.name, files])).toEqual([
    ['lib', ['lib/webhook/signingKeys.ts', 'lib/webhook/standardWebhooks.ts']],
  ]);
});
