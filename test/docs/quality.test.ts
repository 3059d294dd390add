/** The table of scores names what is measured, and no score is below its bar. */
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { SUITES } from '../mutation/areas.ts';
import { codeIn, tableRows, textOf } from '../support/pages.ts';

const AREAS = SUITES.flatMap(({ areas }) => areas);
/** Area, folders, mutants, detected, excused, score, bar. */
const COLUMNS = 7;
const ROWS = tableRows(await textOf('docs/quality.md')).filter(
  (row) => row.length === COLUMNS && codeIn(row[1]).length > 0,
);

test.each(AREAS)('$name is in the table, with its folders and its bar', ({ name, files, bar }) => {
  const [row = [], ...others] = ROWS.filter(([cell]) => cell === name);
  expect(others).toEqual([]);
  expect(codeIn(row[1])).toEqual([...new Set(files.map(dirname))]);
  expect(row.at(-1)).toBe(`${bar} %`);
});

test.each(ROWS)('%s: its score is that of its mutants, and not below its bar', (...row) => {
  const [mutants = 0, detected = 0, , score = 0, bar = 0] = row.slice(2).map(Number.parseFloat);
  expect(score).toBe(Math.floor((detected / mutants) * 1_000) / 10);
  expect(score).toBeGreaterThanOrEqual(bar);
});
