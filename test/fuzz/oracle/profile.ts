/** What may stand in the other fields of an answer, and what a mapping puts there. */

import type { FieldName } from '../../../lib/profile/fields.ts';
import { type Evidence, isNameId, namesOf } from './evidence.ts';
import { isText } from './json.ts';
import { type Field, fieldOf } from './mapping.ts';

const MAX_CODE_POINTS = 200;
const MAX_IMAGE_URL = 100_000;
const NOT_IN_TEXT = /[\p{Control}\u202a-\u202e\u2066-\u2069]/gu;

/** Whether a name or an affiliation is one that may leave. */
export function isClean(text: string): boolean {
  return text.isWellFormed() && text.search(NOT_IN_TEXT) < 0 && [...text].length <= MAX_CODE_POINTS;
}

/** What is left of a name or an affiliation. */
export function clean(text: string): string {
  return [...text.toWellFormed().replace(NOT_IN_TEXT, '')].slice(0, MAX_CODE_POINTS).join('');
}

export function isImageUrl(text: string): boolean {
  if (text.length > MAX_IMAGE_URL) return false;
  if (/^data:image\/(png|jpeg|gif|webp)[;,]/i.test(text)) return true;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Whether there can be no question that a text is such a URL. */
export function isPlainImageUrl(text: string): boolean {
  return isImageUrl(text) && /^(https?:\/\/[\w.]+\/[\w./-]*|data:image\/png;base64,\w*)$/.test(text);
}

/**
 * The text that a field is made of, before it is cleaned; null where there is none. Undefined where that is not
 * known: the names of a person may be the parts of a whole name.
 */
export function mappedText(
  evidence: Evidence,
  name: FieldName,
  field: Field | undefined,
): string | null | undefined {
  const isOfName = name === 'first_name' || name === 'last_name';
  if (!field && !isOfName) return null;
  const { from, fallback } = fieldOf(field);
  if (isOfName && evidence.isThere(evidence.defaults('full_name'))) return undefined;
  // Names that stand next to each other are looked up together, by Name and then by FriendlyName.
  if (from.length > 1 && evidence.nameId !== null) return undefined;
  for (const source of from) {
    const texts = evidence.texts(namesOf(evidence, source, name)).map(({ text }) => text);
    const nameId = isNameId(source) && evidence.nameId !== null ? [evidence.nameId] : [];
    const found = [...texts, ...nameId].find((text) => text.trim() !== '');
    if (found !== undefined) return found.trim();
  }
  return fallback;
}

/** Whether a text is one about which there can be no question. */
export function isPlain(text: unknown): text is string {
  return (
    isText(text) &&
    /^[\p{Letter}\p{Number}]([\p{Letter}\p{Number} .'@_+-]*[\p{Letter}\p{Number}])?$/u.test(text) &&
    isClean(text)
  );
}
