/** The defects that were there once, each as a patch that opens it again, and copies of the project to open them in. */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT } from '../../tools/build.ts';

const HOLES = fileURLToPath(new URL('holes', import.meta.url));
/** What a copy does without. */
const LEFT_OUT = ['node_modules', '.git', '.build', '.serverless', 'dist'];
const MAX_OUTPUT_BYTES = 2 ** 28;

export interface Hole {
  name: string;
  patch: string;
  /** What of the fuzz is about it. */
  only: string;
  /** The file of tests that has the shrunk input. */
  test: string;
}

/** A patch begins with what it opens, in words, and the lines `Only: <part of a property's name>` and `Test: <file>`. */
export async function readHoles(): Promise<Hole[]> {
  const files = (await readdir(HOLES)).filter((file) => file.endsWith('.patch')).sort();
  return Promise.all(
    files.map(async (file) => {
      const patch = join(HOLES, file);
      const text = await readFile(patch, 'utf8');
      const [, only] = /^Only: (.+)$/m.exec(text) ?? [];
      const [, test] = /^Test: (.+)$/m.exec(text) ?? [];
      if (only === undefined) throw new Error(`${file}: expected a line "Only: <part of a property's name>"`);
      if (test === undefined) throw new Error(`${file}: expected a line "Test: <file of tests>"`);
      return { name: file.replace('.patch', ''), patch, only, test };
    }),
  );
}

/** Makes a copy of the project for as long as `use` runs. */
export async function inCopy<TResult>(use: (copy: string) => Promise<TResult>): Promise<TResult> {
  const copy = await mkdtemp(join(tmpdir(), 'login-hooks-hole-'));
  try {
    await cp(PROJECT, copy, {
      recursive: true,
      filter: (file) => !LEFT_OUT.includes(relative(PROJECT, file)),
    });
    await symlink(join(PROJECT, 'node_modules'), join(copy, 'node_modules'), 'junction');
    return await use(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** @returns what is wrong, or null where the copy has the defect now */
export function openHole({ patch }: Hole, copy: string): string | null {
  const { status, stderr } = spawnSync('git', ['apply', patch], { cwd: copy, encoding: 'utf8' });
  return status === 0 ? null : `does not apply: ${stderr.trim()}`;
}

/** @throws {Error} where the copy cannot be as it was before */
export function closeHole({ name, patch }: Hole, copy: string): void {
  const { status, stderr } = spawnSync('git', ['apply', '--reverse', patch], { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: cannot be taken back: ${stderr.trim()}`);
}

/** What Node writes to stdout when it runs in the copy, without settings of this process's environment. */
export function outputOf(args: string[], copy: string): Promise<string> {
  const options = { cwd: copy, env: { PATH: process.env.PATH }, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => execFile(process.execPath, args, options, (_, stdout) => resolve(stdout)));
}
