/** Small rules about text that the whole profile shares. */

const NOT_ASCII = /[\u0080-\uffff]/;

/**
 * Lower case for ASCII alone. Names, domains and schemes compare without case (RFC 4343 section 3); full Unicode
 * lower-casing would make other letters equal too, such as the Kelvin sign and `k`.
 */
export function asciiLowerCase(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** The text without surrounding white space, null where nothing is left. */
export function trimmed(text: string): string | null {
  return text.trim() || null;
}

/** Texts without surrounding white space, those left out of which nothing is left. */
export function trimmedAll(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
