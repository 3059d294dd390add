/** Distinguished names (RFC 4514), read by a walk over their characters. */
import { isUtf8 } from 'node:buffer';

/** What is longer, in characters, or has more parts, is not read. */
export const MAX_NAME_LENGTH = 8_192;
export const MAX_NAME_PARTS = 100;

const TYPE = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/;

export interface DistinguishedName {
  /** The most specific first, each in a form in which equal parts are equal texts. */
  parts: string[];
  /** Whether a value has an equals sign that is not escaped: two names may have been joined. */
  hasLooseEquals: boolean;
}

/** @returns null for what is no distinguished name, or one that is not read */
export function readName(text: string): DistinguishedName | null {
  if (text.length > MAX_NAME_LENGTH) return null;
  const parts = split(text, ',').map((part) => split(part, '+').map(readAttribute));
  if (parts.length > MAX_NAME_PARTS || parts.flat().includes(null)) return null;
  const read = parts as Attribute[][];
  return {
    parts: read.map((part) =>
      part
        .map(({ type, value }) => `${type}=${JSON.stringify(value)}`)
        .sort()
        .join('+'),
    ),
    hasLooseEquals: read.flat().some((attribute) => attribute.hasLooseEquals),
  };
}

/** The text with its escapes taken out. */
export function unescaped(text: string): string {
  return text.replace(/(?:\\[0-9a-f]{2})+|\\./gis, (escaped) => {
    if (!/^\\[0-9a-f]{2}/i.test(escaped)) return escaped.slice(1);
    const bytes = Buffer.from(escaped.replaceAll('\\', ''), 'hex');
    return isUtf8(bytes) ? bytes.toString() : escaped;
  });
}

interface Attribute {
  type: string;
  value: string;
  hasLooseEquals: boolean;
}

function readAttribute(text: string): Attribute | null {
  const [type = '', ...values] = split(text, '=');
  const name = type.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (values.length === 0 || !TYPE.test(name)) return null;
  const value = unescaped(values.join('=')).replace(/\s+/g, ' ').trim().toLowerCase();
  return { type: name, value, hasLooseEquals: values.length > 1 };
}

function split(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === separator) {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...pieces, text.slice(start)];
}
