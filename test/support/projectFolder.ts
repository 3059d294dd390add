import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type ProjectFolder = Awaited<ReturnType<typeof projectFolder>>;

/** An empty folder for a project of a test. */
export async function projectFolder() {
  const before = process.cwd();
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const write = async (file: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  };
  const remove = async () => {
    // A command that did not end in time has left this process there, and jest runs other files in it.
    process.chdir(before);
    await rm(folder, { recursive: true });
  };
  return { folder, write, remove };
}
