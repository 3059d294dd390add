/** How findings are made, and the order in which they are shown. */
import { showable } from '../../lib/text.ts';

/** Something about what was caught of a login. */
export interface Finding {
  /** A code of the table of reasons where the function refuses it too, else one of the capture's own. */
  code: string;
  /** `problem`: the login would be refused; `warning`: it may be; `note`: nothing is wrong. */
  level: 'problem' | 'warning' | 'note';
  message: string;
  /** What to change, and where; null where there is nothing to change. */
  cure: string | null;
}

type Level = Finding['level'];

/** In characters, of a text of the provider's in a message. */
const MAX_QUOTED = 200;

export function problem(code: string, message: string, cure: string | null): Finding {
  return { code, level: 'problem', message, cure };
}

export function warning(code: string, message: string, cure: string | null): Finding {
  return { code, level: 'warning', message, cure };
}

export function note(code: string, message: string, cure: string | null = null): Finding {
  return { code, level: 'note', message, cure };
}

const ORDER: readonly Level[] = ['problem', 'warning', 'note'];

/** Problems first. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
}

/** A name of the provider's, such as an issuer, an audience or an attribute, as it can be shown in a line. */
export function quoted(text: string): string {
  const shown = showable(text).replaceAll(/\s+/g, ' ');
  return shown.length > MAX_QUOTED ? `${shown.slice(0, MAX_QUOTED)}…` : shown;
}

const MAX_LISTED = 20;

/** Names with commas between them; `nothing` for none. */
export function listed(names: Iterable<string>): string {
  const all = [...new Set(names)];
  const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : '';
  return `${all.slice(0, MAX_LISTED).map(quoted).join(', ') || 'nothing'}${more}`;
}
