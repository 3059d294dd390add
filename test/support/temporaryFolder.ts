import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** A new folder for the tests of a file or of a `describe`, after which it is removed. @param prefix of its path */
export function temporaryFolder(prefix = join(tmpdir(), 'login-hooks-')): string {
  const folder = mkdtempSync(prefix);
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
