/** What `npm run mutate` measures. */
import { glob } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { AREAS, areaOf, TESTS } from './areas.ts';
import { lastScores } from './score.ts';
import { measuredFiles } from './selection.ts';

test('files are in each area, and none is in two', async () => {
  const files = await measuredFiles();
  expect(new Set(files.map(areaOf))).toEqual(new Set(AREAS));
  expect(files).toHaveLength(new Set(files).size);
});

test.each(TESTS)('tests are in %s', async (pattern) => {
  expect(await Array.fromAsync(glob(pattern, { cwd: PROJECT }))).not.toEqual([]);
});

test('the last run measured every area, and detected all that must be detected', () => {
  const last = lastScores();
  expect(Object.keys(last).sort()).toEqual(AREAS.map(({ name }) => name).sort());
  const missed = AREAS.filter(({ name, isWhole }) => isWhole && last[name]?.detected !== last[name]?.mutants);
  expect(missed).toEqual([]);
});
