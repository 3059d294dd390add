/** How findings of a login are made, and how what a provider says is shown in them. */
import { showable } from '../../lib/text.ts';
import type { Finding } from '../shared/finding.ts';
import { forProvider } from '../shared/providers.ts';
import { beginning } from '../shared/readable.ts';

export function error(code: string, message: string, change: string | null): Finding {
  return { code, level: 'error', message, change };
}

export function warning(code: string, message: string, change: string | null): Finding {
  return { code, level: 'warning', message, change };
}

export function note(code: string, message: string, change: string | null = null): Finding {
  return { code, level: 'note', message, change };
}

/** Those that were found, of findings that depend on a condition. */
export function found(all: readonly (Finding | false | null | undefined)[]): Finding[] {
  return all.filter((one) => typeof one === 'object' && one !== null);
}

/** With what is to be changed at the provider of a login, which is known by its issuer. */
export function findingsFor(issuer: string | null, findings: readonly Finding[]): Finding[] {
  return findings.map(({ change, ...one }) => ({ ...one, change: change && forProvider(change, issuer) }));
}

/** In characters, of a text of the provider's in a message. */
const MAX_QUOTED = 200;
const MAX_LISTED = 20;

/** A name of the provider's, such as an issuer, an audience or an attribute, as it can be shown in a line. */
export function quoted(text: string): string {
  return beginning(showable(text).replaceAll(/\s+/g, ' '), MAX_QUOTED);
}

/** Names with commas between them; `nothing` for none. */
export function listed(names: Iterable<string>): string {
  const all = [...new Set(names)];
  const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : '';
  return `${all.slice(0, MAX_LISTED).map(quoted).join(', ') || 'nothing'}${more}`;
}
