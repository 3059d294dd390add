/** The tables of settings say what the code does. */
import { glob, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../lib/settings.ts';
import { capacitySettings } from '../../tools/shared/capacitySettings.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { namesTakenBy } from '../../tools/shared/settingNames.ts';
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
  const isWord = typeof value === 'string' || typeof value === 'number';
  expect(codeIn(row?.[1])).toEqual(isWord ? [String(value)] : []);
});

test('every variable of serverless.yml is in a table, and the tables have no other', () => {
  const ofAws = 'AWS_REGION';
  const taken = namesTakenBy(join(PROJECT, 'serverless.yml')).filter((name) => name !== ofAws);
  const known = new Set([...taken, ...DEFAULTS.map(([variable]) => variable)]);
  expect(LISTED.toSorted()).toEqual([...known].sort());
});

test('the page on managed instances has each setting of theirs, with its default', async () => {
  const rows = tableRows(await textOf('docs/managed-instances.md'));
  const named = rows.flatMap(([cell, value]) => codeIn(cell).map((name) => [name, codeIn(value).at(-1)]));
  const listed = Object.fromEntries(named.filter(([name]) => name?.startsWith('CAPACITY_')));
  const taken = namesTakenBy(join(PROJECT, 'serverless.yml')).filter((name) => name.startsWith('CAPACITY_'));
  expect(Object.keys(listed).sort()).toEqual(taken.sort());
  const providerArn = 'arn:aws:lambda:eu-central-1:123456789012:capacity-provider:logins';
  const { settings } = capacitySettings({ providerArn }, 'eu-central-1');
  expect(listed).toMatchObject({
    CAPACITY_ARCHITECTURE: /architecture: (\w+)/.exec(YAML)?.[1],
    CAPACITY_MEMORY_MB: String(settings?.memoryMb),
    CAPACITY_MEMORY_GIB_PER_VCPU: String(settings?.memoryGibPerVcpu),
    CAPACITY_MIN_ENVIRONMENTS: String(settings?.minEnvironments),
  });
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
