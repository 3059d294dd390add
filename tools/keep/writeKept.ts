/** Writes a planned sample. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asInvented } from '../local/recordings.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { filesOf, type SamplePlan } from './planKeep.ts';

/**
 * Writes all files of a sample or none, and never over another one: each is written beside its place, and moves there whole.
 *
 * @returns the paths of the files
 * @throws {UnusableInput} where something stands in the way, or a file of this name is there by now
 */
export async function writeKept(plan: SamplePlan): Promise<string[]> {
  if (plan.blockers.length > 0 || plan.expected === null) throw new UnusableInput(plan.blockers.join('\n'));
  await mkdir(plan.folder, { recursive: true });
  const contents = [plan.event, ...(plan.outside ? [asInvented(plan.outside)] : []), plan.expected];
  const files = filesOf(plan, plan.outside !== null).map((file, index) => ({
    file,
    draft: `${file}.${randomUUID()}.tmp`,
    content: contents[index],
  }));
  const placed: string[] = [];
  try {
    for (const { draft, content } of files) await writeJson(draft, content);
    for (const { draft, file } of files) {
      await link(draft, file);
      placed.push(file);
    }
    return placed;
  } catch (error) {
    await removeAll(placed);
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UnusableInput(
      `${join(plan.folder, plan.name)}: a sample of this name exists already: choose another name`,
    );
  } finally {
    await removeAll(files.map(({ draft }) => draft));
  }
}

/** A file that is not there may be missing: writing may have ended before it. */
async function removeAll(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file, { force: true })));
}

async function writeJson(file: string, content: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}
