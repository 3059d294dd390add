import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FileWatcher, type Watched } from '../../tools/bundle/watchFiles.ts';

let folder: string;
let watcher: FileWatcher;
let told = new Set<string>();

const at = (...path: string[]) => join(folder, ...path);
const only = (name: string): Watched => ({ folder, isDeep: false, matters: (file) => file === at(name) });
const deep = (name: string): Watched => ({
  folder: at(name),
  isDeep: true,
  matters: (file) => basename(file).endsWith('.ts'),
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await mkdir(at('deep', 'inside'), { recursive: true });
  await writeFile(at('deep', 'a.ts'), '1');
  await writeFile(at('deep', 'inside', 'b.ts'), '1');
  await writeFile(at('.env'), '1');
  told = new Set();
  watcher = new FileWatcher((files) => {
    for (const file of files) told.add(relative(folder, file));
  });
  watcher.follow([deep('deep'), deep('missing'), only('.env'), only('secrets.json')]);
});
afterEach(async () => {
  watcher.close();
  await rm(folder, { recursive: true });
});

async function expectTold(files: string[]): Promise<void> {
  while (!files.every((file) => told.has(file))) await setTimeout(5);
  expect([...told].sort()).toEqual(files);
  told.clear();
}

/** As most editors save. */
async function replace(file: string): Promise<void> {
  await writeFile(`${file}.tmp`, '2');
  await rename(`${file}.tmp`, file);
}

test('tells of a file that is written, each time', async () => {
  await writeFile(at('deep', 'a.ts'), '2');
  await expectTold(['deep/a.ts']);
});

test('tells of a file whose place another one took, and of what is written after that', async () => {
  await replace(at('deep', 'a.ts'));
  await expectTold(['deep/a.ts']);
  await writeFile(at('deep', 'a.ts'), '3');
  await expectTold(['deep/a.ts']);
});

test('tells of all that changes together', async () => {
  await Promise.all([writeFile(at('deep', 'a.ts'), '4'), writeFile(at('deep', 'inside', 'b.ts'), '4')]);
  await expectTold(['deep/a.ts', 'deep/inside/b.ts']);
});

test('tells of the files that matter, and of no other', async () => {
  await writeFile(at('notes.txt'), '1');
  await writeFile(at('.env'), '2');
  await writeFile(at('secrets.json'), '2');
  await expectTold(['.env', 'secrets.json']);
});

test.each([
  ['is new', () => mkdir(at('deep', 'new'))],
  ['was missing', () => mkdir(at('missing', 'new'), { recursive: true })],
])('tells of files in a folder that %s', async (what, make) => {
  await make();
  const file = join(what === 'is new' ? 'deep' : 'missing', 'new', 'c.ts');
  await writeFile(at(file), '1');
  await expectTold([file]);
  await writeFile(at(file), '2');
  await expectTold([file]);
});

test('tells of files in a folder that was removed, and came back', async () => {
  await rm(at('deep'), { recursive: true });
  while (!told.has('deep/inside/b.ts')) await setTimeout(5);
  told.clear();
  await mkdir(at('deep', 'inside'), { recursive: true });
  await writeFile(at('deep', 'inside', 'b.ts'), '2');
  while (!told.has('deep/inside/b.ts')) await setTimeout(5);
});

test('tells of a folder that is moved away, and of all in one that takes its place', async () => {
  await rename(at('deep', 'inside'), at('elsewhere'));
  await expectTold(['deep/inside']);
  await rename(at('elsewhere'), at('deep', 'inside'));
  await expectTold(['deep/inside/b.ts']);
});

test('tells of a file that was written before it was followed, since it was read', async () => {
  const since = Date.now();
  await writeFile(at('late.ts'), '1');
  watcher.follow([only('late.ts')], since);
  watcher.follow([only('.env')], since + 60_000);
  await expectTold(['late.ts']);
});

test('follows no link to a folder above', async () => {
  await symlink(folder, at('deep', 'loop'));
  await writeFile(at('deep', 'a.ts'), '2');
  await expectTold(['deep/a.ts']);
});
