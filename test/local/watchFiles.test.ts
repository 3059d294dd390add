import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FileWatcher } from '../../tools/bundle/watchFiles.ts';

let folder: string;
let watcher: FileWatcher;
let onTold: (files: string[]) => void = () => {};

const at = (...path: string[]) => join(folder, ...path);
const write = (path: string, text = '2') => writeFile(at(path), text);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await mkdir(at('deep', 'inside'), { recursive: true });
  for (const path of ['deep/a.ts', 'deep/inside/b.ts', '.env']) await write(path, '1');
  watcher = new FileWatcher();
  watcher.start((files) => onTold(files.map((file) => relative(folder, file)).sort()));
  watcher.follow(['deep', 'missing', '.env', 'secrets.json'].map((path) => at(path)));
});
afterEach(async () => {
  watcher.close();
  await rm(folder, { recursive: true });
});

/** What is told of a change, up to the first file of these. */
async function toldOf(change: () => Promise<unknown>, ...expected: string[]): Promise<void> {
  const told = new Set<string>();
  const all = Promise.withResolvers<void>();
  onTold = (files) => {
    for (const file of files) told.add(file);
    if (expected.every((file) => told.has(file))) all.resolve();
  };
  await change();
  await all.promise;
  expect([...told].sort()).toEqual(expected);
}

/** As most editors save. */
async function replace(path: string): Promise<void> {
  await write(`${path}.tmp`);
  await rename(at(`${path}.tmp`), at(path));
}

test('what changes before somebody is told is told then', async () => {
  const early = new FileWatcher();
  early.follow([at('deep')]);
  await toldOf(() => write('deep/a.ts'), 'deep/a.ts');
  const told = Promise.withResolvers<string[]>();
  early.start(told.resolve);
  expect(await told.promise).toEqual([at('deep/a.ts')]);
  early.close();
});

const both = () => Promise.all([write('deep/a.ts'), write('deep/inside/b.ts')]);
const KEPT = ['deep/a.ts~', 'deep/.#a.ts', 'deep/#a.ts', 'deep/.a.ts.swp', 'deep/4913', '.env.swp'];
const FILES = [...KEPT, 'notes.txt', '.env', 'secrets.json'];
const all = () => Promise.all(FILES.map((path) => write(path)));
const inNew = async (...folders: string[]) => {
  await mkdir(at(...folders), { recursive: true });
  await write(join(...folders, 'c.ts'));
};
const moved = () => rename(at('deep', 'inside'), at('elsewhere'));
test.each<[string, string[], () => Promise<unknown>]>([
  ['that is written', ['deep/a.ts'], () => write('deep/a.ts')],
  ['whose place another one takes', ['deep/a.ts'], () => replace('deep/a.ts')],
  ['that change together', ['deep/a.ts', 'deep/inside/b.ts'], both],
  ['that matter, and of no other', ['.env', 'secrets.json'], all],
  ['in a folder that is new', ['deep/new/c.ts'], () => inNew('deep', 'new')],
  ['in a folder that was missing', ['missing/new/c.ts'], () => inNew('missing', 'new')],
  ['in a folder that is moved away', ['deep/inside/b.ts'], moved],
])('tells of files %s, each time', async (_, files, change) => {
  await toldOf(change, ...files);
  const [first = ''] = files;
  await mkdir(at(first, '..'), { recursive: true });
  await toldOf(() => write(first, 'again'), first);
});

test('follows no link to a folder above, and no library', async () => {
  await symlink(folder, at('deep', 'loop'));
  await mkdir(at('deep', 'node_modules'));
  await write('deep/node_modules/d.ts');
  await toldOf(() => write('deep/a.ts'), 'deep/a.ts');
});
