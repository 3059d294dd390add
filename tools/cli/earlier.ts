/** The expected responses that another commit of git has for the events of now. */
import { relative, resolve, sep } from 'node:path';
import { type Expected, expectedFile, expectedIn, type SampleEvent } from '../local/events.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { git } from '../shared/git.ts';
import { PROJECT } from '../shared/project.ts';

export interface Earlier {
  /** The commit as it was given, e.g. `origin/main`. */
  ref: string;
  /** By the event's file; none for an event that had no expected response. */
  expected: ReadonlyMap<string, Expected>;
}

/** @throws {UnusableInput} for what is no commit, and for an expected response that is none */
export async function expectedAt(ref: string, samples: readonly SampleEvent[]): Promise<Earlier> {
  const id = (
    await git(PROJECT, 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`).catch(() => '')
  ).trim();
  if (id === '') throw new UnusableInput(`--against: git knows no commit ${ref}`);
  // Below the project's folder, and relative to it.
  const known = new Set((await git(PROJECT, 'ls-tree', '-r', '-z', '--name-only', id)).split('\0'));
  const expected = new Map<string, Expected>();
  for (const sample of samples) {
    const path = relative(PROJECT, resolve(expectedFile(sample))).replaceAll(sep, '/');
    if (!known.has(path)) continue;
    const content = await git(PROJECT, 'show', `${id}:./${path}`);
    expected.set(sample.file, expectedIn(content, `${path} at ${ref}`));
  }
  return { ref, expected };
}
