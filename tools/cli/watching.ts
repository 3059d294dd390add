import { relative } from 'node:path';

const MAX_SHOWN = 3;

/** E.g. `12:03:04  handlers/staff-group.ts changed`. */
export function changedFiles(files: readonly string[]): string {
  const shown = files.slice(0, MAX_SHOWN).map((file) => relative(process.cwd(), file));
  const more = files.length > MAX_SHOWN ? ` and ${files.length - MAX_SHOWN} more` : '';
  return `${clock()}  ${shown.join(', ')}${more} changed`;
}

export function clock(): string {
  return new Date().toTimeString().slice(0, 'hh:mm:ss'.length);
}

const PARENT_CHECK_MS = 500;

/** Resolves at Ctrl-C or SIGTERM, and when the process that started this one has ended. */
export function untilEnded(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) resolve();
  }, PARENT_CHECK_MS);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  return promise.finally(() => clearInterval(timer));
}
