/** Writes files that are new, and never over another one. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnusableInput } from '../shared/commandLine.ts';

/** What they hold, by their paths from the folder that they go into. */
export type NewFiles = Readonly<Record<string, string | Buffer>>;

/** @throws {UnusableInput} where a file is there already, or cannot be written */
export async function writeNew(folder: string, files: NewFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { flag: 'wx' });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UnusableInput(
        `${file}: ${code === 'EEXIST' ? 'it is there already' : `it cannot be written (${code})`}`,
      );
    }
  }
}
