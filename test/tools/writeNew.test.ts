/** Files of a new project or handler: all of them or none. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeNew } from '../../tools/create/writeNew.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();

/** As a disk that is full after the first byte. */
function* full(): Generator<string> {
  yield 'a';
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
}

test.each<[string, Record<string, unknown>]>([
  ['a file that is there', { 'made/a.txt': 'a', 'there.txt': 'b' }],
  ['a disk that is full', { 'made/a.txt': 'a', 'full.txt': full() }],
])('%s leaves nothing, and what was there', async (_, files) => {
  await writeFile(join(folder, 'there.txt'), 'mine');
  await expect(writeNew(folder, files as Record<string, string>)).rejects.toThrow(UnusableInput);
  expect(await readdir(folder)).toEqual(['there.txt']);
  expect(await readFile(join(folder, 'there.txt'), 'utf8')).toBe('mine');
});
