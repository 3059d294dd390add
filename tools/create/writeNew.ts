/** Writes files that are new: all of them or none, and never over another one. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnusableInput } from '../shared/commandLine.ts';

/** What they hold, by their paths from the folder that they go into. */
export type NewFiles = Readonly<Record<string, string | Buffer>>;

/** @throws {UnusableInput} where a file is there already, or cannot be written */
export async function writeNew(folder: string, files: NewFiles): Promise<void> {
  const placed: string[] = [];
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = join(folder, name);
      const madeFolder = await mkdir(dirname(file), { recursive: true });
      if (madeFolder !== undefined) placed.push(madeFolder);
      await writeFile(file, content, { flag: 'wx' }).catch((error) => {
        // On a full disk, a part of it is there.
        if (error.code !== 'EEXIST') placed.push(file);
        throw error;
      });
      placed.push(file);
    }
  } catch (error) {
    for (const path of placed.reverse()) await rm(path, { recursive: true, force: true });
    const { code, path = folder } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const what = code === 'EEXIST' ? 'this file exists already' : `it cannot be written (${code})`;
    throw new UnusableInput(`${path}: ${what}: nothing was written`);
  }
}
