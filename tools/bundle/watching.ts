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
