/** The tables of settings say what the code does. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../lib/settings.ts';
import { PROJECT } from '../../tools/build.ts';
import { namesTakenBy } from '../../tools/deploy/settingNames.cjs';
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

const YAML = await readFile(join(PROJECT, 'serverless.yml'), 'utf8');
const STAGES = ['default', 'dev', 'prod'];

/** A parameter of a stage in serverless.yml, null where the stage has none of its own. */
function parameter(stage: string, name: string): string | null {
  const [, block = ''] = new RegExp(`^  ${stage}:\\n((?: {4}.*\\n)*)`, 'm').exec(YAML) ?? [];
  return new RegExp(`^    ${name}: "?(\\w+)`, 'm').exec(block)?.[1] ?? null;
}

test.each(Array.from(YAML.matchAll(/env:(\w+), param:(\w+)\}/g), ([, ...names]) => names))(
  'the table has what %s is in each stage',
  (variable = '', name = '') => {
    const [row = []] = ROWS.filter(([cell]) => codeIn(cell).includes(variable));
    const values = STAGES.map((stage) => parameter(stage, name) ?? parameter('default', name));
    expect(row.slice(1, 4)).toEqual(values.map((value) => `\`${value}\``));
  },
);
