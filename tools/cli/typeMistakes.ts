/** What the compiler says of a project. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PROJECT } from '../shared/project.ts';

/** Of the TypeScript that comes with login-hooks. */
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** @returns what `tsc` prints, in one text; an empty list where all is right, or the project has no `tsconfig.json` */
export async function typeMistakes(): Promise<string[]> {
  if (!existsSync(join(PROJECT, 'tsconfig.json'))) return [];
  const args = [TSC, '--noEmit', '--pretty', String(process.stdout.isTTY === true)];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: PROJECT }, (error, stdout, stderr) =>
      resolve(error === null ? [] : [(stdout + stderr).trim() || error.message]),
    ),
  );
}
