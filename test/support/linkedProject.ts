/** What `serverless` needs of the project, in a folder without the settings of an operator. */
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';

/** For the tests of a file, after which it is removed. */
export function linkedProject(): string {
  const folder = linked();
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** For as long as `use` runs. */
export function inLinkedProject<TResult>(use: (folder: string) => TResult): TResult {
  const folder = linked();
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Links to folders, and copies of files, because `serverless` takes no link for its configuration. It walks through all. */
function linked(): string {
  const folder = mkdtempSync(join(tmpdir(), 'login-hooks-'));
  for (const name of ['dist', 'handlers', 'tools'])
    symlinkSync(join(PROJECT, name), join(folder, name), 'junction');
  for (const name of ['package.json', 'serverless.yml'])
    copyFileSync(join(PROJECT, name), join(folder, name));
  return folder;
}
