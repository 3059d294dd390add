/** What was caught as it is encoded: JSON, percent-encoding, and a SAMLResponse by its bindings. */
import { inflateRawSync } from 'node:zlib';
import { isDeeperThan } from '../local/httpEvent.ts';
import { MAX_XML_LENGTH } from './xml.ts';

/** HAR files and events nest some ten levels. */
const MAX_DEPTH = 100;

/** @returns undefined where the text is no JSON, or is nested deeper than real JSON is: whatever reads it may be recursive */
export function jsonIn(text: string): unknown {
  try {
    const json = JSON.parse(text);
    return isTooDeep(json) ? undefined : json;
  } catch {
    return undefined;
  }
}

export function isTooDeep(json: unknown): boolean {
  return isDeeperThan(json, MAX_DEPTH);
}

/** A pattern of all characters from start to end would need a stack as long as the text. */
const NOT_BASE64 = /[^A-Za-z0-9+/_-]/;

/**
 * @param value XML, or XML in base64 (HTTP POST binding, SAML Bindings 3.5.4), which may be deflated before that (HTTP
 *   Redirect binding, 3.4.4.1). Each may be URL-encoded
 * @returns XML, or null where it is none of these
 */
export function decodedXml(value: string): string | null {
  const text = percentDecoded(value.trim()).trim();
  if (isXml(text)) return text;
  // Lines are wrapped by some providers; a space in a single line was a plus sign before a form was decoded.
  const base64 = /[\r\n]/.test(text) ? text.replaceAll(/\s/g, '') : text.replaceAll(' ', '+');
  if (NOT_BASE64.test(base64.replace(/={1,2}$/, ''))) return null;
  const bytes = Buffer.from(base64, 'base64');
  // This takes a byte order mark away.
  const texts = [bytes, inflated(bytes)].map((one) => new TextDecoder().decode(one));
  return texts.find(isXml) ?? null;
}

/** @returns nothing where the bytes are not deflated, or are more than XML may have here */
function inflated(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_XML_LENGTH });
  } catch {
    return Buffer.alloc(0);
  }
}

export function isXml(text: string): boolean {
  return /^\s*<[\w?!]/.test(text);
}

/** Percent-encoding that is none stays as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
