import { writeFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Entry, projectEntries } from '../../tools/bundle/build.ts';
import { Bundler } from '../../tools/bundle/bundler.ts';
import { entriesWith } from '../../tools/bundle/handlers.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();
let bundler: Bundler;
/** Of the handlers that are there. */
let names: string[];

const ONE = `import { forbidden } from 'login-hooks';\nimport { text } from './shared.ts';\nexport default () => forbidden(text);\n`;

beforeAll(async () => {
  const functions = projectEntries().filter(({ out }) => out.startsWith('functions/'));
  const entryOf = (name: string): Entry => ({ in: join(folder, `${name}.ts`), out: `handlers/${name}` });
  bundler = await Bundler.open(() => [...functions, ...names.map(entryOf)]);
});
afterAll(() => bundler.close());

const write = (name: string, text: string) => writeFile(join(folder, `${name}.ts`), text);
beforeEach(async () => {
  names = ['one', 'two'];
  await write('one', ONE);
  await write('two', `import { forbidden } from 'login-hooks';\nexport default () => forbidden('Two.');\n`);
  await write('shared', `export const text = 'One.';\n`);
});

async function versions(): Promise<string[]> {
  const { versionOf } = await bundler.build();
  return [
    versionOf('samlLoggedIn', 'handlers/one'),
    versionOf('samlLoggedIn', './handlers/two.ts'),
    versionOf('samlLoggedIn', undefined),
  ];
}

test.each([
  ['of its code', 'shared', `export const text = 'Other.';\n`],
  ['of the places of its code, which its errors name', 'one', `\n${ONE}`],
])('what a function runs has another version after a change %s, and only then', async (_, name, text) => {
  const [one, two, none] = await versions();
  expect(await versions()).toEqual([one, two, none]);
  await write('one', `${ONE}// A note.\n`);
  expect(await versions()).toEqual([one, two, none]);
  await write(name, text);
  const [changed, ...others] = await versions();
  expect(changed).not.toBe(one);
  expect(others).toEqual([two, none]);
});

test('a file of the command line is built in the place of the project’s handler of its name', () => {
  const file = join(folder, 'keycloak-roles.ts');
  writeFileSync(file, ONE);
  const named = (isAlone: boolean) =>
    entriesWith([file], isAlone)().filter(({ out }) => out.startsWith('handlers/'));
  expect(named(true)).toEqual([{ in: file, out: 'handlers/keycloak-roles' }]);
  expect(named(false).filter(({ out }) => out === 'handlers/keycloak-roles')).toEqual(named(true));
});

test('a handler outside of the bundle has another version after a change of its file', async () => {
  const file = join(folder, 'outside.mjs');
  const version = async () => (await bundler.build()).versionOf('samlLoggedIn', file);
  const missing = await version();
  await writeFile(file, '');
  const written = await version();
  expect([written === missing, await version()]).toEqual([false, written]);
});

test.each([
  ['its own', { one: 'export default (;\n' }, ['handlers/one'], 'one.ts:1:16'],
  ['what it imports', { shared: 'export const (;\n' }, ['handlers/one'], 'shared.ts:1:13'],
  ['what is not there', { two: `import './none.ts';\n` }, ['handlers/two'], 'Could not resolve "./none.ts"'],
  ['that of each', { one: 'export (', two: 'export (' }, ['handlers/one', 'handlers/two'], 'one.ts:1:7'],
])(
  'a handler with a mistake in %s is named, and the others are built',
  async (_, changes, modules, place) => {
    for (const [name, text] of Object.entries(changes)) await write(name, text);
    const { broken, root } = await bundler.build();
    expect(broken.map(({ module }) => module)).toEqual(modules);
    expect(broken[0]?.message).toContain(place);
    expect(await readdir(join(root, 'functions'))).toContain('samlLoggedIn.mjs');
  },
);

test('nothing is left of a handler that is gone or broken, and what it shared stays for its processes', async () => {
  const built = async () => {
    const { root } = await bundler.build();
    return [await readdir(join(root, 'handlers')), await readdir(join(root, 'chunks'))];
  };
  const [, before] = await built();
  names = ['two'];
  await write('two', 'export default (;');
  expect(await built()).toEqual([[], expect.arrayContaining(before ?? [])]);
});

test('where the functions themselves cannot be built, that is said', async () => {
  await write('function', 'export const handler = (;');
  const broken = await Bundler.open(() => [
    { in: join(folder, 'function.ts'), out: 'functions/samlLoggedIn' },
  ]);
  await expect(broken.build()).rejects.toThrow('function.ts:1:24');
  await broken.close();
});

test('what a command left that was killed is removed', async () => {
  const left = join(PROJECT, '.build', 'local-999999999-abcdef');
  await mkdir(left, { recursive: true });
  const next = await Bundler.open(() => []);
  await next.close();
  expect(await readdir(join(PROJECT, '.build'))).not.toContain('local-999999999-abcdef');
});
