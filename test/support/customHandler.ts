import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './temporaryFolder.ts';

const folder = temporaryFolder();

let count = 0;

/** Writes a custom handler's module, and returns its absolute path. */
export async function customHandler(source: string, extension = '.mjs'): Promise<string> {
  count += 1;
  const file = join(folder, `handler-${count}${extension}`);
  await writeFile(file, source);
  return file;
}
