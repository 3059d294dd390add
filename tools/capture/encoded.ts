/** A SAMLResponse as the HTTP POST binding encodes it. */

/** A pattern of all characters from start to end would need a stack as long as the text. */
const NOT_BASE64 = /[^A-Za-z0-9+/_-]/;

/**
 * @param value XML, or XML in base64 (SAML Bindings 3.5.4). Either may be URL-encoded
 * @returns XML, or null where it is neither
 */
export function decodedXml(value: string): string | null {
  const text = percentDecoded(value.trim()).trim();
  if (isXml(text)) return text;
  // Lines are wrapped by some providers; a space in a single line was a plus sign before a form was decoded.
  const base64 = /[\r\n]/.test(text) ? text.replaceAll(/\s/g, '') : text.replaceAll(' ', '+');
  if (NOT_BASE64.test(base64.replace(/={1,2}$/, ''))) return null;
  // This takes a byte order mark away.
  const decoded = new TextDecoder().decode(Buffer.from(base64, 'base64'));
  return isXml(decoded) ? decoded : null;
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
