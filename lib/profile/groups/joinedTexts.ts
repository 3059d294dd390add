/** Providers join several values into one text. How such a text is split, and what may stand between its values. */

import { foldText, isFoldable, trimmedAll } from '../../text.ts';
import type { Note } from '../fields/nearMiss.ts';
import { unescapeName } from '../schema/distinguishedName.ts';
import { domainKey } from '../schema/domains.ts';

/** What may stand between the values of a text, or around one, in a folded text without breaks. */
const BETWEEN = String.raw`[,;|[\]{}"]`;

/** The same in a text as it arrived, but for what separates the parts of a distinguished name, or is escaped in its values. */
export const BETWEEN_NAMES = /[|[\]{}\t\n\v\f\r\u0085\u2028\u2029]/;

/** An apostrophe counts beside another, or at the end; in forms, a plus is a blank. */
const SEPARATOR = new RegExp(`${BETWEEN}|(?<=(?:^|${BETWEEN})[ +]*)'|'(?=[ +]*(?:$|${BETWEEN}))`, 'g');

const START = `(?:^|${BETWEEN}) ?'? ?`;
const END = ` ?'? ?(?:$|${BETWEEN})`;

/** A domain behind an `@`, up to what may follow it in a longer text. */
const DOMAIN = /(?<=@)[^\s@/\\,;|[\]{}"'#]+/g;

/** Of one text. An address for each of more than these would take long to read. */
const MAX_DOMAINS = 100;

/** Escapes of JSON (RFC 8259 section 7). */
const JSON_ESCAPE = /\\(?:u([0-9a-f]{4})|(["\\/bfnrt]))/gi;
/** Bytes of a distinguished name (RFC 4514 section 2.4). */
const NAME_ESCAPE = /\\[0-9a-f]{2}/i;

const PERCENT_ENCODED = /(?:%[0-9a-f]{2})+/gi;
const STILL_ENCODED = /%[0-9a-f]{2}/i;

/** An escape of XML may hide a name. */
export const ESCAPE = /&#?\w+;/;

/** A text with its percent escapes undone once, and the ways in which it may be read; or why it cannot be. */
export function decodedReadings(
  text: string,
): { decoded: string; joined: string[] } | 'escaped' | 'unreadable' {
  const decoded = percentDecoded(text);
  if (decoded === null) return 'escaped';
  const joined = readings(decoded);
  if (joined === null) return 'unreadable';
  return joined.some((one) => STILL_ENCODED.test(one)) ? 'escaped' : { decoded, joined };
}

/** Null for bytes that are no UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return text.replace(PERCENT_ENCODED, (escapes) => decodeURIComponent(escapes));
  } catch {
    return null;
  }
}

/** A folded text with a blank for each plus: in forms it is one. */
export function withBlanks(folded: string): string {
  return folded.replace(/[+ ]+/g, ' ').trim();
}

/**
 * The ways in which a text may be read that may be several values, only for denying. Each is folded and has commas for tabs and
 * line breaks; in some, the escapes of JSON or of distinguished names are resolved.
 *
 * @returns null for a text that cannot be folded in little time
 */
export function readings(text: string): string[] | null {
  const unescaped = [text, unescapeJson(text)];
  if (NAME_ESCAPE.test(text)) unescaped.push(unescapeName(text));
  // Folding makes a blank of them: as commas they stay what stands between values.
  const texts = [...new Set(unescaped)].map((one) => one.replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, ','));
  if (!texts.every(isFoldable) || text.split('@', MAX_DOMAINS + 2).length > MAX_DOMAINS + 1) return null;
  return [...new Set(texts.flatMap(foldedForms))];
}

/** The forms in which a text compares where something is denied: folded, and with its domains as domains compare. */
export function foldedForms(text: string): string[] {
  const folded = foldText(text);
  return [...new Set([folded, folded.replace(DOMAIN, domainKey)])];
}

function unescapeJson(text: string): string {
  return text.replace(JSON_ESCAPE, (_, code: string | undefined, character: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return /[bfnrt]/.test(character) ? '\n' : character;
  });
}

/** A folded text that had no breaks, with what may stand between values as a segment of its own. */
export function separated(folded: string): string {
  return folded.replace(SEPARATOR, ':$&:');
}

/** Finds values that are so, or begin or end so, in a reading of a text. */
export function valuePattern(pattern: string, part?: 'beginning' | 'end'): RegExp {
  return new RegExp((part === 'end' ? '' : START) + pattern + (part === 'beginning' ? '' : END));
}

/** The values that providers join by a text of one or two characters. Empty ones do not count. */
export function valuesJoinedBy(separator: string, text: string): string[] {
  const isInBrackets = text.startsWith('[') && text.endsWith(']');
  const parts = (isInBrackets ? text.slice(1, -1) : text).split(separator).map((part) => part.trim());
  return trimmedAll(jsonTexts(text) ?? parts.map((part) => part.replace(/^(["'])(.*)\1$/s, '$2')));
}

/** The items of a JSON list of texts; null for anything else. */
function jsonTexts(text: string): string[] | null {
  // Stryker disable next-line ConditionalExpression,Regex: it only saves time.
  if (!/^\s*\[/.test(text)) return null;
  try {
    const items: unknown = JSON.parse(text);
    if (Array.isArray(items) && items.every((item) => typeof item === 'string')) return items;
  } catch {
    // It is no JSON.
  }
  return null;
}

/** What providers join values by, and what an operator calls it. */
const SEPARATORS = Object.entries({
  ',': 'commas',
  ';': 'semicolons',
  '|': 'vertical bars',
  '\n': 'line breaks',
  '\t': 'tabs',
  ' ': 'blanks',
});

/** What to do about a text that holds a wanted value beside others, which grants nothing; undefined where none does. */
export function joinedNote(
  texts: readonly { text: string; isOnly: boolean }[],
  isWanted: (value: string) => boolean,
  setting: string,
): Note | undefined {
  for (const { text, isOnly } of texts) {
    // One value alone may stand in brackets or quotes.
    const [separator, joints] = SEPARATORS.find(([one]) => valuesJoinedBy(one, text).some(isWanted)) ?? [];
    if (separator === undefined) continue;
    const name = text.includes(separator) ? joints : 'brackets or quotes';
    const note = isOnly
      ? `One text with ${name}: set ${setting} to '${JSON.stringify(separator).slice(1, -1)}'.`
      : `A text with ${name} is one of several, and counts as it is: have the provider send each value by itself.`;
    return { note, near: ['joined'] };
  }
  return undefined;
}
