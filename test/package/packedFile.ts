/** The packed package. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../tools/shared/project.ts';

const run = promisify(execFile);

/** @returns the file */
export async function packedFile(repository = PROJECT): Promise<string> {
  const { stdout } = await run(process.execPath, ['tools/pack/pack.ts'], { cwd: repository });
  const [file = ''] = stdout.split(' ');
  return join(repository, file);
}
