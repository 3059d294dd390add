/** A SAMLResponse as the bindings encode it. */
import { inflateRawSync } from 'node:zlib';
import { UnusableInput } from '../shared/commandLine.ts';
import { MAX_XML_LENGTH } from './xml.ts';

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * @param value XML; in base64 (HTTP POST binding, SAML Bindings 3.5.4); or deflated before that (HTTP Redirect binding,
 *   3.4.4.1). Each may be URL-encoded
 * @returns XML, or null where it is none of these
 * @throws {UnusableInput} where it inflates to more than XML may have here
 */
export function decodedXml(value: string): string | null {
  const text = unescaped(value.trim()).trim();
  if (isXml(text)) return text;
  const base64 = withoutSpace(text);
  if (!BASE64.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  const decoded = textOf(bytes);
  if (isXml(decoded)) return decoded;
  const inflated = inflate(bytes);
  return inflated !== null && isXml(inflated) ? inflated : null;
}

/** Whether a text begins as XML does. */
export function isXml(text: string): boolean {
  return /^\s*<[\w?!]/.test(text);
}

function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Lines are wrapped by some providers; a space in a single line was a plus sign before a form was decoded. */
function withoutSpace(text: string): string {
  return /[\r\n]/.test(text) ? text.replaceAll(/\s/g, '') : text.replaceAll(' ', '+');
}

function inflate(bytes: Buffer): string | null {
  try {
    return textOf(inflateRawSync(bytes, { maxOutputLength: MAX_XML_LENGTH }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return null;
    throw new UnusableInput(
      `the SAMLResponse inflates to more than ${MAX_XML_LENGTH} bytes, which no real one does`,
    );
  }
}

/** Without a byte order mark. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes);
}
