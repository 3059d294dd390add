import { readFileSync } from 'node:fs';
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

const NPM_CHECK_MS = 500;

/** Resolves at Ctrl-C or SIGTERM, and when the npm that started this process has ended. */
export function untilEnded(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const isUnderNpm = process.env.npm_lifecycle_event !== undefined;
  const ancestors = ancestry();
  const check = () => {
    if (isUnderNpm && ancestry() !== ancestors) resolve();
  };
  const timer = setInterval(check, NPM_CHECK_MS).unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  return promise.finally(() => clearInterval(timer));
}

/** The parent, and the one above it: on Linux, a shell may be between npm and this process. */
function ancestry(): string {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, above] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${process.ppid} ${above}`;
  } catch {
    return String(process.ppid);
  }
}
