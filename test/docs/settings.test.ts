/** The tables of settings say what the code does. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../lib/settings.ts';
import { PROJECT } from '../../tools/build.ts';
import { namesTakenBy } from '../../tools/serverless/settingNames.cjs';
import { codeIn, tableRows, textOf } from './pages.ts';

const ROWS = tableRows(await textOf('docs/settings.md'));
const LISTED = ROWS.flatMap(([cell]) => codeIn(cell));

/** The settings of the functions, by their variables, with the value of one that is not set. */
const DEFAULTS = Object.entries(readConfiguration('both', {}).settings).map(
  ([name, value]): [string, unknown] => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    value,
  ],
);

test.each(DEFAULTS)('%s is in the table with its default', (variable, value) => {
  const [row] = ROWS.filter(([cell]) => codeIn(cell).includes(variable));
  const isWord = typeof value === 'string' || typeof value === 'number';
  expect(codeIn(row?.[1])).toEqual(isWord ? [String(value)] : []);
});

test('every variable of serverless.yml is in a table, and the tables have no other', () => {
  const ofAws = 'AWS_REGION';
  const taken = namesTakenBy(join(PROJECT, 'serverless.yml')).filter((name) => name !== ofAws);
  const known = new Set([...taken, ...DEFAULTS.map(([variable]) => variable)]);
  expect(LISTED.toSorted()).toEqual([...known].sort());
});
