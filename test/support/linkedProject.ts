/** The project for `serverless`, which reads `.env` files from the folder that it runs in. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';

const LEFT_OUT = /^\.(?:env|git|build|serverless|studio)/;

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

/**
 * A folder with what the project has, but without the settings of an operator: links to its folders, and copies of its
 * files, because `serverless` takes no link for its configuration.
 */
function linked(): string {
  const folder = mkdtempSync(join(tmpdir(), 'login-hooks-'));
  for (const entry of readdirSync(PROJECT, { withFileTypes: true })) {
    const [from, to] = [join(PROJECT, entry.name), join(folder, entry.name)];
    if (LEFT_OUT.test(entry.name)) continue;
    if (entry.isFile()) copyFileSync(from, to);
    else symlinkSync(from, to, 'junction');
  }
  return folder;
}
