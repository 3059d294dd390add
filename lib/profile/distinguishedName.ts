import { isUtf8 } from 'node:buffer';
import { asciiLowerCase, MAX_NAME_LENGTH } from '../text.ts';

const MAX_PARTS = 100;

const ATTRIBUTE_TYPE = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/;

/**
 * Escaped bytes in a row, which together may be one character; or a character that stands for itself. A backslash at
 * the very end escapes a space that was trimmed.
 */
const ESCAPED = /((?:\\[0-9A-Fa-f]{2})+)|\\(.?)/gs;

export interface DistinguishedName {
  /** The most specific part first, each in a form in which equal parts are equal texts. */
  parts: readonly string[];
  /** Whether a value has an unescaped `=`. RFC 4514 allows it; two names that were joined into one text look so too. */
  mayBeJoined: boolean;
}

/**
 * Reads a distinguished name (RFC 4514): `CN=Staff, OU=Groups` has the parts `cn=staff` and `ou=groups`. Directories
 * compare the values of naming attributes without case and with white space folded (RFC 4518).
 *
 * @returns null for anything else, and for a name of more than 8,192 characters or 100 parts
 */
export function parseDistinguishedName(text: string): DistinguishedName | null {
  if (text.length > MAX_NAME_LENGTH) return null;
  const texts = splitUnescaped(text, ',');
  if (texts.length > MAX_PARTS) return null;
  const parts = texts.map(readPart);
  if (!parts.every((part) => part !== null)) return null;
  return {
    parts: parts.map(({ normal }) => normal),
    mayBeJoined: parts.some(({ mayBeJoined }) => mayBeJoined),
  };
}

/** Escapes resolved: what the text says, however it is written. */
export function unescapeName(text: string): string {
  return text.replace(ESCAPED, (_, bytes: string | undefined, character = '') =>
    bytes === undefined ? character : decode(bytes),
  );
}

/** A part may hold several attributes, in any order: `cn=Ada+uid=ada`. */
function readPart(part: string): { normal: string; mayBeJoined: boolean } | null {
  const attributes = splitUnescaped(part, '+').map((attribute) => {
    const [type = '', ...value] = splitUnescaped(attribute, '=');
    const normalType = asciiLowerCase(type.trim());
    if (value.length === 0 || !ATTRIBUTE_TYPE.test(normalType)) return null;
    return { normal: `${normalType}=${normalValue(value.join('='))}`, mayBeJoined: value.length > 1 };
  });
  if (!attributes.every((attribute) => attribute !== null)) return null;
  return {
    normal: attributes
      .map(({ normal }) => normal)
      .sort()
      .join('+'),
    mayBeJoined: attributes.some(({ mayBeJoined }) => mayBeJoined),
  };
}

function normalValue(value: string): string {
  return unescapeName(value)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replaceAll(/[,+=\\]/g, '\\$&');
}

/** Escaped bytes are UTF-8. Others stay as they were written, so that they equal nothing else. */
function decode(escaped: string): string {
  const bytes = Buffer.from(escaped.replaceAll('\\', ''), 'hex');
  return isUtf8(bytes) ? bytes.toString() : escaped;
}

function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
