/** What a command finds, in what order findings are shown, and how a terminal shows one. */
import { styleText } from 'node:util';

export interface Finding {
  /** A code of the table of reasons where a login is refused for it, else one of the command's own. */
  code: string;
  /** `error`: logins end, or a guard is open; `warning`: they may end; `note`: worth knowing, and nothing is wrong. */
  level: Level;
  /** What it is about, e.g. an issuer, a function or a file; left out where everything found is about one login. */
  subject?: string;
  message: string;
  change: string | null;
}

type Level = 'error' | 'warning' | 'note';

/** Makes findings that are about something; those about one login have makers of their own (`tools/capture/findings.ts`). */
function findingOf(level: Level) {
  return (code: string, subject: string, message: string, change: string | null = null): Finding => ({
    code,
    level,
    subject,
    message,
    change,
  });
}

export const error = findingOf('error');
export const warning = findingOf('warning');
export const note = findingOf('note');

const COLOURS = { error: 'red', warning: 'yellow', note: 'dim' } as const;
const ORDER = Object.keys(COLOURS);

/** Errors first; those of one level keep their order. */
export function inOrder<TFinding extends Pick<Finding, 'level'>>(findings: readonly TFinding[]): TFinding[] {
  return findings.toSorted((one, other) => ORDER.indexOf(one.level) - ORDER.indexOf(other.level));
}

/** In colour where stdout is a terminal: what was found, then the sentence, then what to change. */
export function findingText({ code, level, subject, message, change }: Finding): string {
  const title = [level.padEnd('warning'.length), code, subject].filter(Boolean).join('  ');
  const lines = [`  ${message}`, ...(change === null ? [] : [`  → ${change}`])];
  return [styleText(COLOURS[level], title), ...lines].join('\n');
}
