/** Writes a planned sample. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnusableInput } from '../cli/commandLine.ts';
import { filesOf, type SamplePlan } from './planKeep.ts';

/**
 * Writes all files of a sample or none, and never over another one: each is written beside its place, and moves there whole.
 *
 * @returns the paths of the files
 * @throws {UnusableInput} where something stands in the way, or a file of this name is there by now
 */
export async function writeKept(plan: SamplePlan): Promise<string[]> {
  if (plan.blockers.length > 0 || plan.expected === null) throw new UnusableInput(plan.blockers.join('\n'));
  const contents = [plan.event, ...(plan.outside ? [plan.outside] : []), plan.expected];
  const files = filesOf(plan, plan.outside !== null);
  await mkdir(plan.folder, { recursive: true });
  const written = files.map((file) => `${file}.${randomUUID()}.tmp`);
  const placed: string[] = [];
  try {
    for (const [index, file] of written.entries()) await writeJson(file, contents[index]);
    for (const [index, file] of files.entries()) {
      await link(written[index] ?? '', file);
      placed.push(file);
    }
    return placed;
  } catch (error) {
    await Promise.all(placed.map((file) => rm(file, { force: true })));
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UnusableInput(
      `${join(plan.folder, plan.name)}: there is a sample of this name already: choose another name`,
    );
  } finally {
    await Promise.all(written.map((file) => rm(file, { force: true })));
  }
}

async function writeJson(file: string, content: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' });
}
