/** A folder for a project of a test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ProjectFolder {
  folder: string;
  write(file: string, content: string | Buffer): Promise<void>;
  remove(): Promise<void>;
}

/** An empty one. */
export async function projectFolder(): Promise<ProjectFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const write = async (file: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  };
  return { folder, write, remove: () => rm(folder, { recursive: true }) };
}
