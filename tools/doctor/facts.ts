/** What the last run found out: a file that may be committed, because it has neither secrets nor personal values. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { isJsonObject } from '../../lib/schema.ts';
import { readJsonFile, UnusableInput } from '../shared/commandLine.ts';
import type { Facts } from './examination.ts';

/** By the name of the examination. */
export type FactsByName = Readonly<Record<string, Facts>>;

/**
 * @param file which need not exist: nothing is known at the first run
 * @throws {UnusableInput} for a file of another form
 */
export async function readFacts(file: string): Promise<FactsByName> {
  if (!existsSync(file)) return {};
  const content = await readJsonFile(file);
  if (isJsonObject(content) && Object.values(content).every(isJsonObject)) return content as FactsByName;
  throw new UnusableInput(
    `${file}: expected the facts that doctor wrote: restore the file, or remove it to start over`,
  );
}

/** Replaces the file at once: a run that is interrupted leaves the last one's. */
export async function writeFacts(file: string, facts: FactsByName): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(facts, inOrder, 2)}\n`);
  await rename(temporary, file);
}

/** Keys in their order, so that a diff shows what changed. */
function inOrder(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
