/** Distinguished names (RFC 4514), read by a walk over their characters. */
import { isUtf8 } from 'node:buffer';

/** What is longer, in characters, or has more parts, is not read. */
export const MAX_NAME_LENGTH = 8_192;
const MAX_NAME_PARTS = 100;

const TYPE = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/;
const OTHER_TYPES = [
  ...['e', 's', 'sn', 'emailaddress'],
  ...['commonname', 'surname', 'countryname', 'localityname', 'stateorprovincename', 'organizationname'],
  ...['organizationalunitname', 'domaincomponent', 'userid', 'streetaddress'],
];
/** A character that no text has which is well-formed stands for an escaped byte that is not UTF-8. */
const FIRST_LONE_SURROGATE = 0xdc00;

export interface DistinguishedName {
  /** The most specific first, each in a form in which equal parts are equal texts. */
  parts: string[];
  /** Whether it may be another name too: two that were joined, or an older or binary form of one. */
  hasOtherReading: boolean;
}

/** Whether a text may be a name at all: no type of an attribute has a colon, as URIs have. */
export function mayBeName(text: string): boolean {
  const [beforeEquals = '', ...more] = text.split('=');
  return more.length > 0 && !beforeEquals.includes(':');
}

/**
 * @param form the form in which values compare
 * @returns null for what is no distinguished name, or one that is not read
 */
export function readName(
  text: string,
  form: (value: string) => string = (value) => value,
): DistinguishedName | null {
  if (text.length > MAX_NAME_LENGTH || !mayBeName(text) || !text.isWellFormed()) return null;
  const parts = splitAt(text, ',').map((part) => splitAt(part, '+').map(readAttribute));
  if (parts.length > MAX_NAME_PARTS || parts.flat().includes(null)) return null;
  const read = parts as Attribute[][];
  return {
    parts: read.map((part) =>
      part
        .map(({ type, value }) => `${type}=${JSON.stringify(form(value))}`)
        .sort()
        .join('+'),
    ),
    hasOtherReading: read.flat().some((attribute) => attribute.hasOtherReading),
  };
}

/** The text with its escapes taken out. */
export function unescaped(text: string): string {
  return text.replace(/(?:\\[0-9a-f]{2})+|\\./gis, (escaped) => {
    if (!/^\\[0-9a-f]{2}/i.test(escaped)) return escaped.slice(1);
    const bytes = Buffer.from(escaped.replaceAll('\\', ''), 'hex');
    if (isUtf8(bytes)) return bytes.toString();
    return [...bytes].map((byte) => String.fromCharCode(FIRST_LONE_SURROGATE + byte)).join('');
  });
}

interface Attribute {
  type: string;
  value: string;
  hasOtherReading: boolean;
}

function readAttribute(text: string): Attribute | null {
  const [type = '', ...values] = splitAt(text, '=');
  const name = type.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (values.length === 0 || !TYPE.test(name)) return null;
  const written = values.join('=');
  const hasOtherType = /^\d/.test(name) || OTHER_TYPES.includes(name);
  const isSplit = [...';<>"'].some((character) => splitAt(written, character).length > 1);
  const hasOtherValue = /^\s*#/.test(written) || values.length > 1 || isSplit;
  return {
    type: name,
    value: unescaped(written).replace(/\s+/g, ' ').trim().toLowerCase(),
    hasOtherReading: hasOtherType || hasOtherValue,
  };
}

export function splitAt(text: string, separator: string): string[] {
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
