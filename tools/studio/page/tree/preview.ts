/** What is in a closed node, in a line. */

import { counted } from '../../../shared/readable.ts';
import { cut } from '../showing.ts';

const MAX_PARTS = 5;
/** In characters, of each part. */
const MAX_PART = 32;

/** @param value a list or an object, e.g. `mail · …uri · ada@example.org` */
export function previewOf(value: object): string {
  const isList = Array.isArray(value);
  const entries: unknown[] = Object.values(value);
  if (entries.length === 0) return isList ? 'no items' : 'no entries';
  const parts = entries.filter(isShown).slice(0, MAX_PARTS).map(partOf);
  const count = isList ? counted(entries.length, 'item') : counted(entries.length, 'entry', 'entries');
  if (parts.length === 0) return count;
  return isList ? `${count}: ${parts.join(' · ')}` : parts.join(' · ');
}

function isShown(value: unknown): boolean {
  return typeof value !== 'object' && value !== '';
}

/** Of a URI, such as the name of an attribute, the end is what differs. */
function partOf(value: unknown): string {
  const text = String(value);
  const [end = ''] = /[^:/]+[:/]?$/.exec(text) ?? [];
  const isUri = text.length > MAX_PART && /^(?:urn:|https?:)/.test(text) && end.length <= MAX_PART;
  return isUri ? `…${end}` : cut(text, MAX_PART);
}
