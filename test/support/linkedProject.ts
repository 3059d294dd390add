/** What `serverless` needs of the project, in a folder without the settings of an operator. */
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';

const LINKS = ['dist', 'handlers', 'tools'];

/**
 * For the tests of a file, after which it is removed.
 *
 * @param links folders; without `dist`, a command builds one in the folder
 */
export function linkedProject(links: readonly string[] = LINKS): string {
  const folder = linked(links);
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** For as long as `use` runs. */
export function inLinkedProject<TResult>(use: (folder: string) => TResult): TResult {
  const folder = linked(LINKS);
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Links to folders, and copies of files, because `serverless` takes no link for its configuration. It walks through all. */
function linked(links: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'login-hooks-'));
  for (const name of links) symlinkSync(join(PROJECT, name), join(folder, name), 'junction');
  for (const name of ['package.json', 'serverless.yml'])
    copyFileSync(join(PROJECT, name), join(folder, name));
  return folder;
}
