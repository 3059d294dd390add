import { asciiLowerCase } from './text.ts';

const ESCAPED = /\\([0-9A-Fa-f]{2})|\\(.)/gs;

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

/** Whether a distinguished name lies below another, or is the same: whole parts are compared, never text. */
export function isAtOrBelow(name: readonly string[], suffix: readonly string[]): boolean {
  const offset = name.length - suffix.length;
  return offset >= 0 && suffix.every((part, index) => part === name[offset + index]);
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
  const unescaped = value
    .trim()
    .replace(ESCAPED, (_, hex: string | undefined, character: string | undefined) =>
      hex === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  // Escaped bytes are UTF-8; where there are any beyond ASCII, every character above is one byte of it.
  const text = /\\[89A-Fa-f][0-9A-Fa-f]/.test(value)
    ? Buffer.from(unescaped, 'latin1').toString()
    : unescaped;
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replaceAll(/[,+=\\]/g, '\\$&');
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
