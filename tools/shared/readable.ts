/** Counts, times, long texts and tables as people read them, on the page and in commands. */

/** @param count of things of this name, e.g. `1 login`, `2 logins` */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** @param length in characters, of what is left of a longer text: never half of a surrogate pair */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** @param ms since 1970. E.g. `2026-11-21 10:00:00 UTC` */
export function timeText(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return 'no time';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map((title) => '-'.repeat(title.length)), ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
