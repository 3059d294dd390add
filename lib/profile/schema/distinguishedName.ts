import { asciiLowerCase, MAX_NAME_LENGTH } from '../../text.ts';

const { isUtf8 } = process.getBuiltinModule('node:buffer');

const MAX_PARTS = 100;

const ATTRIBUTE_TYPE = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/;
/** Other spellings of the short names of RFC 4514 section 3: OIDs, long names, and what other software writes. */
const OTHER_TYPE =
  /^(?:\d.*|e|s|sn|emailaddress|commonname|surname|countryname|localityname|stateorprovincename|organizationname|organizationalunitname|domaincomponent|userid|streetaddress)$/;
/** Older and binary forms of a value (RFC 2253, RFC 4514 section 2.4), and what must be escaped or separates names elsewhere. */
const OTHER_VALUE = /^\s*#|(?<!\\)(?:\\\\)*["<>;=]/;

/**
 * Escaped bytes in a row, which together may be one character; or a character that stands for itself. A backslash at
 * the very end escapes a space that was trimmed.
 */
const ESCAPED = /((?:\\[0-9A-Fa-f]{2})+)|\\(.?)/gs;

export interface DistinguishedName {
  /** The most specific part first, each in a form in which equal parts are equal texts. */
  parts: readonly string[];
  /**
   * Whether it may also be read as another name: a value in hexadecimal form, or with an unescaped `"`, `<`, `>`, `=` or `;`
   * as in two concatenated names; or a type by its OID, its long name or another short one.
   */
  hasOtherReading: boolean;
}

/**
 * Reads a distinguished name (RFC 4514): `CN=Staff, OU=Groups` has the parts `cn=staff` and `ou=groups`. Directories
 * compare the values of naming attributes without case and with white space folded (RFC 4518).
 *
 * @returns null for anything else, for text that is not well-formed, and for a name of more than 8,192 characters or 100 parts
 */
export function parseDistinguishedName(text: string): DistinguishedName | null {
  if (text.length > MAX_NAME_LENGTH || !text.isWellFormed()) return null;
  const texts = splitUnescaped(text, ',');
  if (texts.length > MAX_PARTS) return null;
  const parts = texts.map(readPart);
  if (!parts.every((part) => part !== null)) return null;
  return {
    parts: parts.map(({ normal }) => normal),
    hasOtherReading: parts.some(({ hasOtherReading }) => hasOtherReading),
  };
}

export function unescapeName(text: string): string {
  return text.replace(ESCAPED, (_, bytes: string | undefined, character: string) =>
    bytes === undefined ? character : decodedBytes(bytes),
  );
}

/** The values of the naming attributes of a folded text: `a` and `x` of `cn=a,o=x`, also of `/o=x/cn=a` and `urn:x:role=a`. */
export function valuesIn(text: string): string[] {
  return splitUnescaped(text, ',+;/:<>"').map((part) => unescapeName(part.slice(part.indexOf('=') + 1)));
}

/** Types of the most general parts of a name. */
const GENERAL = /^(?:dc|c|o)=/;

/** Whether the most general part stands first, as X.500 has it. Such a name would have to be read backwards. */
export function isReversed({ parts }: DistinguishedName): boolean {
  return GENERAL.test(`${parts[0]}`) && !GENERAL.test(`${parts.at(-1)}`);
}

/** Whether this may be several names with commas between them: a part occurs twice, or stands behind a more general one. */
export function mayBeSeveral({ parts }: DistinguishedName): boolean {
  const isRepeated = new Set(parts).size < parts.length;
  return (
    isRepeated || parts.some((part, index) => !GENERAL.test(part) && GENERAL.test(`${parts[index - 1]}`))
  );
}

/** A part may hold several attributes, in any order: `cn=Ada+uid=ada`. */
function readPart(part: string): { normal: string; hasOtherReading: boolean } | null {
  const attributes = splitUnescaped(part, '+').map((attribute) => {
    const equals = attribute.indexOf('=');
    const type = asciiLowerCase(attribute.slice(0, Math.max(0, equals)).trim());
    if (!ATTRIBUTE_TYPE.test(type)) return null;
    const value = attribute.slice(equals + 1);
    return {
      normal: `${type}=${normalValue(value)}`,
      hasOtherReading: OTHER_TYPE.test(type) || OTHER_VALUE.test(value),
    };
  });
  if (!attributes.every((attribute) => attribute !== null)) return null;
  return {
    normal: attributes
      .map(({ normal }) => normal)
      .sort()
      .join('+'),
    hasOtherReading: attributes.some(({ hasOtherReading }) => hasOtherReading),
  };
}

function normalValue(value: string): string {
  return unescapeName(value)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replaceAll(/[,+=\\]/g, '\\$&');
}

/**
 * The text of escaped bytes, `\c3\bc`, in UTF-8. Any other byte becomes a lone surrogate: no well-formed text has one, so it
 * equals nothing else.
 */
function decodedBytes(escaped: string): string {
  // Many are alone: a buffer for each takes longer than everything else here.
  // Stryker disable next-line ConditionalExpression,BlockStatement: what follows makes the same of it.
  if (escaped.length === 3) {
    const byte = Number.parseInt(escaped.slice(1), 16);
    return String.fromCharCode(byte < 0x80 ? byte : LONE_SURROGATE + byte);
  }
  const bytes = Buffer.from(escaped.replaceAll('\\', ''), 'hex');
  if (isUtf8(bytes)) return bytes.toString();
  return Array.from(bytes, (byte) => String.fromCharCode(LONE_SURROGATE + byte)).join('');
}

const LONE_SURROGATE = 0xdc00;

function splitUnescaped(text: string, separators: string): string[] {
  const parts: string[] = [];
  let start = 0;
  // Stryker disable next-line EqualityOperator: behind the end there is no character.
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index += 1;
    else if (separators.includes(text.charAt(index))) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
