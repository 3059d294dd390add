/** Which code a function has: a digest that the plugin sets as a variable of each function, and the doctor compares. */
import { hash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { DIST } from '../bundle/build.ts';

export const CODE_VERSION = 'CODE_VERSION';

/** It tells builds apart; it proves nothing of who made them. */
const LETTERS = 16;

/** @returns the same for the same sources and packages, on every machine */
export async function codeVersion(): Promise<string> {
  const files = await Array.fromAsync(glob('**/*.mjs', { cwd: DIST }));
  const digests = await Promise.all(
    files.map(async (file) => [file.replaceAll(sep, '/'), hash('sha256', await readFile(join(DIST, file)))]),
  );
  return hash('sha256', JSON.stringify(digests.sort())).slice(0, LETTERS);
}
