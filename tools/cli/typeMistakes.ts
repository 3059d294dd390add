/** What the compiler says of a project. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PROJECT } from '../shared/project.ts';

/** Of the TypeScript that comes with login-hooks. */
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** @returns what `tsc` prints, in one text; an empty list where all is right, or the project has no `tsconfig.json` */
export async function typeMistakes(): Promise<string[]> {
  if (!existsSync(join(PROJECT, 'tsconfig.json'))) return [];
  const args = ['--noEmit', '--pretty', String(process.stdout.isTTY === true)];
  const tsc = spawn(process.execPath, [TSC, ...args], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = Promise.all([tsc.stdout.toArray(), tsc.stderr.toArray()]);
  const [status, signal] = await once(tsc, 'close');
  if (status === 0) return [];
  const text = (await written).flat().join('').trim();
  return [text || `tsc ended with ${signal ?? status}`];
}
