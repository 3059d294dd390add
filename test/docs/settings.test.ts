/** The tables of settings say what the code does. */
import { glob, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../lib/readSettings.ts';
import { DEPLOYMENT } from '../../tools/shared/deployment.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { ALL_SETTINGS } from '../../tools/shared/settingNames.ts';
import { codeIn, tableRows, textOf } from '../support/pages.ts';

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
  const isWord = ['string', 'number'].includes(typeof value) || (Array.isArray(value) && value.length > 0);
  expect(codeIn(row?.[1])).toEqual(isWord ? [String(value)] : []);
});

test('the tables have every setting, and no other variable', () => {
  expect(LISTED.toSorted()).toEqual(ALL_SETTINGS.toSorted());
});

test.each(DEPLOYMENT.flatMap(({ variable, unset }) => (unset ? [{ variable, unset }] : [])))(
  'the table has what $variable is in each stage',
  ({ variable, unset: { others, dev, prod } }) => {
    const [row = []] = ROWS.filter(([cell]) => codeIn(cell).includes(variable));
    expect(row.slice(1, 4)).toEqual([others, dev, prod].map((value) => `\`${value}\``));
  },
);

/** E.g. `process.env.GRAPH_URL ?? 'https://graph.microsoft.com/v1.0'`. */
const OWN_VARIABLE = /process\.env\.(\w+) \?\? '([^']*)'/g;

test('the page on look-ups has the variables of the worked handlers, with their defaults', async () => {
  const handlers = await Array.fromAsync(glob('handlers/*.ts', { cwd: PROJECT }));
  const read = handlers.map(async (file) => {
    const source = await readFile(join(PROJECT, file), 'utf8');
    expect(source.match(/process\.env/g)?.length ?? 0).toBe(source.match(OWN_VARIABLE)?.length ?? 0);
    const variables = Array.from(source.matchAll(OWN_VARIABLE), ([, ...variable]) => variable);
    return variables.map(([variable, value]) => [variable, parse(file).name, value]);
  });
  const rows = tableRows(await textOf('docs/look-ups.md')).map((cells) => cells.flatMap(codeIn).slice(0, 3));
  const listed = rows.filter(([variable]) => /^[A-Z_]+$/.test(variable ?? ''));
  expect(listed.sort()).toEqual((await Promise.all(read)).flat().sort());
});
