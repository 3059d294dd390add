/** Rules about text: how long it may be, how it compares and how it is shown. */

/** In characters, of the name of a person, group or scope: a longer text is not read as one. Real ones have some hundred. */
export const MAX_NAME_LENGTH = 8_192;

/** In any case (RFC 9562 section 4). */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** In code points. Enough for every name that a page can show. */
const MAX_SHOWN = 200;

/**
 * A pattern with Unicode properties, made on first use: V8 checks a literal while it parses the file, which takes a millisecond
 * of every cold start.
 */
export function unicodePattern(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source, flags);
    return pattern;
  };
}

/** Control characters, and those that change the direction of the text after them (UAX 9 section 2). */
const unshowable = unicodePattern(String.raw`[\p{Cc}\u202a-\u202e\u2066-\u2069]`, 'gu');

/** Marks in a row, the halfwidth voicing marks among them, of which NFKC makes marks. */
const marks = unicodePattern(String.raw`[\p{M}\uff9e\uff9f]+`, 'gu');

/** As many as any language has in a row (UAX 15 section 13). Putting marks in order takes the square of their number. */
const MAX_MARKS = 30;

/** In characters: what NFKC may add to a text beside its own length. Of one Arabic letter it makes eighteen. */
const MAX_ADDED = 30;

/** Characters without ink, except white space, and others that directories leave out of comparisons (RFC 4518 section 2.2). */
const unseen = unicodePattern(
  String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u1806\u2800\ufffc]`,
  'gu',
);

/** A character that is seen. */
const visible = unicodePattern(
  String.raw`[^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u1806\u2800\ufffc]`,
  'u',
);

/** Whether anybody sees something of a text. */
export function isVisible(text: string): boolean {
  return visible().test(text);
}

/** Most texts have none of these: nothing in them hides, and no other rule about Unicode applies. */
export const NOT_PRINTABLE_ASCII = /[^ -~]/;
const NOT_ASCII = /[\u0080-\uffff]/;

/**
 * Lower case, only for ASCII. Names, domains and schemes compare without case (RFC 4343 section 3); full Unicode
 * lower-casing would make other letters equal too, such as the Kelvin sign and `k`.
 */
export function asciiLowerCase(text: string): string {
  // Stryker disable next-line ConditionalExpression: what follows makes the same of it, and takes longer.
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]/g, (capital) => capital.toLowerCase());
}

/** Whether a text can be folded in little time. */
export function isFoldable(text: string): boolean {
  if (text.length > MAX_NAME_LENGTH) return false;
  // Stryker disable next-line ConditionalExpression: what follows accepts it too, and takes longer.
  if (!NOT_ASCII.test(text)) return true;
  if (text.match(marks())?.some(({ length }) => length > MAX_MARKS)) return false;
  return text.normalize('NFKC').length <= 2 * text.length + MAX_ADDED;
}

/**
 * A form in which texts are equal if they differ only in case, Unicode form, white space or characters without ink. It is
 * only for denying: it makes more texts equal than a directory would, and that must never grant anything.
 *
 * @param text one that `isFoldable`
 */
export function foldText(text: string): string {
  // Stryker disable next-line ConditionalExpression: what follows makes the same of it, and takes longer.
  if (!NOT_PRINTABLE_ASCII.test(text)) return text.replace(/ +/g, ' ').trim().toLowerCase();
  const spaced = text.normalize('NFKC').replace(/[\s\u0085]/g, ' ');
  const seen = spaced.replace(unseen(), '').normalize('NFKC').replace(/ +/g, ' ').trim();
  // Some letters are equal only in upper case, others only in lower case.
  const folded = seen.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');
}

/** A text as it can be shown beside others: well-formed, and without what hides or reorders them. */
export function showable(text: string): string {
  // Stryker disable next-line ConditionalExpression: what follows makes the same of it, and takes longer.
  if (!NOT_PRINTABLE_ASCII.test(text)) return text;
  return text.toWellFormed().replace(unshowable(), '');
}

/** A showable text of 200 code points at most. */
export function shortened(text: string): string {
  const shown = showable(text);
  // Stryker disable next-line ConditionalExpression,EqualityOperator: what follows makes the same of it, and takes longer.
  if (shown.length <= MAX_SHOWN) return shown;
  // Of each code point, two units at most.
  // Stryker disable next-line MethodExpression: it only bounds the time of the next step
  const start = shown.slice(0, 2 * MAX_SHOWN);
  return Array.from(start).slice(0, MAX_SHOWN).join('');
}

/** The text without surrounding white space, null where nothing is left. */
export function trimmed(text: string): string | null {
  return text.trim() || null;
}

/** Texts without surrounding white space and without empty ones. */
export function trimmedAll(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** "a, b and c" */
export function inWords(texts: readonly string[], conjunction: string): string {
  return texts.join(', ').replace(/, (?=[^,]*$)/, ` ${conjunction} `);
}

/** What identifies a person, without surrounding white space; null for what is empty or longer than any identifier. */
export function identifierIn(text: string): string | null {
  return text.length > MAX_NAME_LENGTH ? null : trimmed(text);
}

/** The one text that all of these are; null for none, or for several that differ. */
export function onlyText(texts: readonly (string | null)[]): string | null {
  const [text = null, ...others] = new Set(texts);
  return others.length === 0 ? text : null;
}

/** A name that may be shown: long enough for every real one, and nothing that could be somebody's data. */
const SAFE_NAME = /^[A-Za-z0-9_.:/#-]{1,100}$/;
const MAX_NAMES = 60;

export interface ShowableNames {
  /** Sorted. */
  names: string[];
  /** How many others there are. */
  others: number;
}

/** The names among these that may be shown, in an answer or a record; the others are counted. */
export function showableNames(names: Iterable<string>): ShowableNames {
  const all = [...new Set(names)];
  const shown = all
    .filter((name) => SAFE_NAME.test(name))
    .sort()
    .slice(0, MAX_NAMES);
  return { names: shown, others: all.length - shown.length };
}
