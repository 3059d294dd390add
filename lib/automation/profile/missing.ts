/** The message for a profile that is not complete: what was looked for, and what arrived. Names only. */
import type { FieldTrace, Trace } from './trace.ts';

const FIELDS = { email: 'e-mail address', first_name: 'first name', last_name: 'last name' } as const;

/** Of a list of names in a message, in characters: the whole message stays below some two thousand. */
const MAX_LIST = 450;

const UNUSABLE: Readonly<Record<string, string>> = {
  unverified: 'the one it sent is said to be unverified',
  unproven: 'the one it sent is not said to be verified',
  ambiguous: 'several arrived as one text',
  invalid: 'the one it sent is not a valid address',
};

export function missingMessage({ fields, received }: Trace): string {
  const missing = Object.entries(FIELDS).flatMap(([field, name]) => {
    const trace = fields[field];
    return trace && trace.found === null ? [describe(name, trace)] : [];
  });
  return `Your identity provider did not send ${missing.join('; ')}. It sent ${describeReceived(received)}.`;
}

function describe(name: string, { tried, note }: FieldTrace): string {
  const why = note === undefined ? `looked for ${list(tried, 0)}` : (UNUSABLE[note] ?? note);
  return `a usable ${name} (${why})`;
}

function describeReceived({ names, others }: Trace['received']): string {
  return names.length + others === 0 ? 'nothing about you' : list(names, others);
}

/** Names with commas between them, as many as fit; `others` are not shown but counted. */
function list(names: readonly string[], others: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    length += name.length + 2;
    if (length > MAX_LIST) break;
    shown.push(name);
  }
  const more = names.length - shown.length + others;
  if (more === 0) return shown.join(', ');
  return [...shown, `${more} ${shown.length > 0 ? 'more' : 'under other names'}`].join(', ');
}
