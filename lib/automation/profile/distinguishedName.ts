import { isUtf8 } from 'node:buffer';
import { asciiLowerCase } from './text.ts';

/** Bytes in a row, which together may be one character; or a character that stands for itself. */
const ESCAPED = /((?:\\[0-9A-Fa-f]{2})+)|\\(.)/gs;

/**
 * Reads a distinguished name (RFC 4514) into its parts, the most specific first, each in a form in which equal
 * parts are equal texts: `CN=Staff, OU=Groups` is `['cn=staff', 'ou=groups']`. Directories compare the values of
 * naming attributes without case and with white space folded (RFC 4518).
 *
 * @returns null for what is no distinguished name
 */
export function parseDistinguishedName(text: string): string[] | null {
  const parts = splitUnescaped(text, ',').map(normalPart);
  return parts.some((part) => part === null) ? null : (parts as string[]);
}

/** A part may hold several attributes, in any order: `cn=Ada+uid=ada`. */
function normalPart(part: string): string | null {
  const attributes = splitUnescaped(part, '+').map((attribute) => {
    const equals = attribute.indexOf('=');
    const type = asciiLowerCase(attribute.slice(0, equals).trim());
    if (equals < 0 || !/^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/.test(type)) return null;
    return `${type}=${normalValue(attribute.slice(equals + 1))}`;
  });
  return attributes.includes(null) ? null : attributes.sort().join('+');
}

function normalValue(value: string): string {
  return value
    .trim()
    .replace(ESCAPED, (_, bytes: string | undefined, character = '') =>
      bytes === undefined ? character : decode(bytes),
    )
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replaceAll(/[,+=\\]/g, '\\$&');
}

/** Escaped bytes are UTF-8; what is none stays as it was written, so that it equals nothing else. */
function decode(escaped: string): string {
  const bytes = Buffer.from(escaped.replaceAll('\\', ''), 'hex');
  return isUtf8(bytes) ? bytes.toString() : escaped;
}

function splitUnescaped(text: string, separator: string): string[] {
  const parts = [''];
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    if (character === separator) {
      parts.push('');
      continue;
    }
    const escaped = character === '\\' && index + 1 < text.length ? text[++index] : '';
    parts[parts.length - 1] += character + escaped;
  }
  return parts;
}
