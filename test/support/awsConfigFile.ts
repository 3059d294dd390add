import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where AWS is, as a file of its own library says it: a function on Lambda refuses the variable for it. */
export function awsConfigFile(url: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'login-hooks-aws-')), 'config');
  writeFileSync(file, `[default]\nendpoint_url = ${url}\n`);
  return file;
}
