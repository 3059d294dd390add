/** What `npm run mutate` measures. */
import { glob } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { areaOf, SUITES } from './areas.ts';
import { lastScores } from './score.ts';
import { measuredFiles } from './selection.ts';

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
