/** A SAMLResponse as the bindings encode it. */
import { inflateRawSync } from 'node:zlib';
import { UnusableInput } from '../shared/commandLine.ts';
import { MAX_XML_LENGTH } from './xml.ts';

/** A pattern of all characters from start to end would need a stack as long as the text. */
const NOT_BASE64 = /[^A-Za-z0-9+/_-]/;

/**
 * @param value XML; in base64 (HTTP POST binding, SAML Bindings 3.5.4); or deflated before that (HTTP Redirect binding,
 *   3.4.4.1). Each may be URL-encoded
 * @returns XML, or null where it is none of these
 * @throws {UnusableInput} where it inflates to more than XML may have here
 */
export function decodedXml(value: string): string | null {
  const text = percentDecoded(value.trim()).trim();
  if (isXml(text)) return text;
  // Lines are wrapped by some providers; a space in a single line was a plus sign before a form was decoded.
  const base64 = /[\r\n]/.test(text) ? text.replaceAll(/\s/g, '') : text.replaceAll(' ', '+');
  if (base64 === '' || NOT_BASE64.test(base64.replace(/={1,2}$/, ''))) return null;
  const bytes = Buffer.from(base64, 'base64');
  const candidates = [() => bytes, () => inflated(bytes)];
  for (const candidate of candidates) {
    // This takes a byte order mark away.
    const decoded = new TextDecoder().decode(candidate());
    if (isXml(decoded)) return decoded;
  }
  return null;
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

/** @returns nothing where the bytes are not deflated */
function inflated(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_XML_LENGTH });
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return Buffer.alloc(0);
    throw new UnusableInput(
      `the SAMLResponse inflates to more than ${MAX_XML_LENGTH} bytes, which no real one does`,
    );
  }
}
