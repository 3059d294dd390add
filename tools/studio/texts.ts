/** Texts of logins as the page shows them: nothing in them hides, and nothing reorders what is beside it. */

/**
 * Control characters and lone surrogates, characters that change the direction of the text after them (UAX 9 section 2),
 * characters without ink, and white space other than the plain space.
 */
const HIDDEN = /([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs})/u;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Parts of a text; every second one is an escape, which stands for one character that has no ink of its own. */
export function piecesOf(text: string): string[] {
  return text.split(HIDDEN).map((part, index) => (index % 2 === 1 ? escapeOf(part) : part));
}

function escapeOf(character: string): string {
  const digits = character.codePointAt(0)?.toString(16) ?? '';
  return SHORT[character] ?? (digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`);
}

/** A value of a response in a cell of a table: texts as they are, everything else as JSON. */
export function cellText(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === '') return 'empty text';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
