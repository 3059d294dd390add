import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'login-hooks-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;

/** Writes a custom handler's module, and returns its absolute path. */
export async function customHandler(source: string, extension = '.mjs'): Promise<string> {
  count += 1;
  const file = join(folder, `handler-${count}${extension}`);
  await writeFile(file, source);
  return file;
}
