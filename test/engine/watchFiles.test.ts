import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { watchFiles } from '../../tools/bundle/watchFiles.ts';

let folder: string;
let end: () => void;
let told = new Set<string>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  await mkdir(join(folder, 'deep', 'inside'), { recursive: true });
  await writeFile(join(folder, 'deep', 'a.ts'), '1');
  await writeFile(join(folder, '.env'), '1');
  told = new Set();
  end = watchFiles(
    [
      { folder: join(folder, 'deep'), isDeep: true },
      { folder, isDeep: false, matters: (name) => name === '.env' },
      { folder, isDeep: false, matters: (name) => name === 'secrets.json' },
    ],
    (files) => {
      for (const file of files) told.add(relative(folder, file));
    },
  );
});
afterEach(async () => {
  end();
  await rm(folder, { recursive: true });
});

async function expectTold(files: string[]): Promise<void> {
  while (!files.every((file) => told.has(file))) await setTimeout(5);
  expect([...told].sort()).toEqual(files);
  told.clear();
}

const at = (...path: string[]) => join(folder, ...path);

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
  await expectTold(['deep/a.ts', 'deep/a.ts.tmp']);
  await writeFile(at('deep', 'a.ts'), '3');
  await expectTold(['deep/a.ts']);
});

test('tells of all that changes together', async () => {
  await Promise.all([writeFile(at('deep', 'a.ts'), '4'), writeFile(at('deep', 'inside', 'b.ts'), '4')]);
  await expectTold(['deep/a.ts', 'deep/inside/b.ts']);
});

test('tells of files in a folder that is new', async () => {
  await mkdir(at('deep', 'new'));
  await expectTold(['deep/new']);
  await writeFile(at('deep', 'new', 'c.ts'), '1');
  await expectTold(['deep/new/c.ts']);
});

test('tells of the files of a folder that matter, and of no other', async () => {
  await writeFile(at('notes.txt'), '1');
  await writeFile(at('.env'), '2');
  await writeFile(at('secrets.json'), '2');
  await expectTold(['.env', 'secrets.json']);
});
