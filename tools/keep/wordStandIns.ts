/** Which stand-in a word gets: the same one for all its spellings, in the case and spelling of each place. */
import { lettersFrom, sameKinds, scriptOf, syllables, withDiacritic } from './random.ts';
import { expandedForm, formsOf, lettersOf, MIN_PART, plainForm, WordSet } from './words.ts';

/** Words that are one word but for case, diacritics and transliteration. */
interface WordClass {
  forms: Set<string>;
  /** Those in which `ü` is `ue`. */
  expanded: Set<string>;
  /** The spelling with letters beyond ASCII, of which the others are transliterations; null where there is none. */
  original: string | null;
  /** In characters, of its longest spelling. */
  length: number;
  /** Whether its length is kept, because a limit is near. */
  isLong: boolean;
  /** Null until one is made. */
  standIn: string | null;
}

/** Longer words are not found inside others. In characters. */
const MAX_FORM = 64;
const TRIES = 120;
/** Short texts have few stand-ins: after so many tries a longer one serves, and after as many more one of letters for digits. */
const TRIES_AT_LENGTH = 40;

export interface FoundWord {
  word: string;
  /** Whether it stands in a text so long that a limit of the function may be near. */
  isLong: boolean;
}

export class WordStandIns {
  /** Whether some word could not be made of the stand-ins of its parts: other random ones may do better. */
  hasCollided = false;
  readonly #classes = new Map<string, WordClass>();
  readonly #taken = new Set<string>();
  /** Forms of words of the original: they are found inside others, and no stand-in may have one in it. */
  readonly #parts: ReadonlySet<string>;
  readonly #forbidden: WordSet;

  /** @param words all that are to be replaced */
  constructor(words: readonly FoundWord[]) {
    for (const one of words) this.#add(one.word, one.isLong);
    this.#parts = new Set([...this.#classes.keys()].filter((form) => form.length >= MIN_PART));
    this.#forbidden = new WordSet(this.#parts);
    const long = words.filter(({ isLong }) => isLong).flatMap(({ word }) => this.#partsOf(word));
    for (const part of new Set(long)) this.#add(part, true);
  }

  /** Of a word that contains others, their stand-ins in its place. */
  of(word: string): string {
    const known = this.#classes.get(plainForm(word));
    if (known?.original && isAscii(word)) return this.#transliterated(word, known, known.original);
    const parts = this.#partsOf(word);
    const joined = parts.length > 1 ? parts.map((part) => this.of(part)).join('') : null;
    // Where stand-ins meet, a word of the original may come about.
    if (joined !== null && !this.#isForbidden(joined)) return joined;
    this.hasCollided ||= joined !== null;
    const own = known ?? this.#add(word, false);
    own.standIn ??= this.#standInOf(own, word);
    return inCaseOf(word, word === word.normalize('NFC') ? own.standIn : own.standIn.normalize('NFD'));
  }

  /** One in which no word of the original occurs by chance, where there is one. */
  clean(make: () => string, own: ReadonlySet<string> = new Set()): string {
    for (let tries = 0; tries < TRIES; tries++) {
      const made = make();
      const forms = formsOf(made);
      const isTaken = forms.some((form) => this.#taken.has(form) || own.has(form));
      if (!isTaken && !this.#isForbidden(made)) return made;
    }
    return make();
  }

  #isForbidden(made: string): boolean {
    return formsOf(made).some((form) => this.#forbidden.occursIn(form));
  }

  #transliterated(word: string, { expanded }: WordClass, original: string): string {
    const standIn = this.of(original);
    return inCaseOf(word, expanded.has(word.toLowerCase()) ? expandedForm(standIn) : plainForm(standIn));
  }

  /** A word that has two forms joins those that have one of them. */
  #add(word: string, isLong: boolean): WordClass {
    const forms = formsOf(word);
    const known = forms.flatMap((form) => this.#classes.get(form) ?? []);
    const original = known[0]?.original ?? (isAscii(word) ? null : word);
    const joined: WordClass = {
      forms: new Set(forms),
      expanded: new Set([...forms.slice(1), ...known.flatMap((one) => [...one.expanded])]),
      original,
      length: Math.max(Array.from(word).length, ...known.map(({ length }) => length)),
      isLong: isLong || known.some((one) => one.isLong),
      standIn: known[0]?.standIn ?? null,
    };
    for (const form of forms) this.#classes.set(form, joined);
    return joined;
  }

  /** The known words in a longer one, and what stands between them; the word alone where there are none. */
  #partsOf(word: string): string[] {
    const letters = lettersOf(word);
    const plain = letters.map((letter) => letter.plain);
    const parts: string[] = [];
    let isBetween = false;
    // Stryker disable next-line EqualityOperator: behind the last letter there is nothing.
    for (let start = 0, length = 0; start < letters.length; start += Math.max(1, length)) {
      length = this.#knownAt(plain, start);
      const end = start + Math.max(1, length);
      const text = letters
        .slice(start, end)
        .map((letter) => letter.text)
        .join('');
      if (isBetween && length === 0) parts.push(parts.pop() + text);
      else parts.push(text);
      isBetween = length === 0;
    }
    return parts;
  }

  /** How many letters the longest known word has that begins here; 0 for none. The whole of the letters is not one. */
  #knownAt(letters: readonly string[], start: number): number {
    const most = Math.min(letters.length - Math.max(start, 1), MAX_FORM);
    for (let length = most; length >= MIN_PART; length--) {
      if (this.#parts.has(letters.slice(start, start + length).join(''))) return length;
    }
    return 0;
  }

  #standInOf(own: WordClass, word: string): string {
    let tries = 0;
    const standIn = this.clean(() => {
      tries += 1;
      const more = Math.floor(tries / TRIES_AT_LENGTH);
      return candidate(own, word, more);
    }, own.forms);
    this.#taken.add(plainForm(standIn));
    return standIn;
  }
}

function candidate({ original, expanded, length, isLong }: WordClass, word: string, more: number): string {
  const filler = /^\p{N}+$/u.test(word) ? '0' : 'b';
  const extended = word + filler.repeat(more);
  const script = scriptOf(word);
  if (script) return lettersFrom(script, length + more);
  if (/\p{N}/u.test(word)) return more > 1 ? syllables() : sameKinds(extended);
  if (length < MIN_PART) return original ? lettersFrom('áéíóú', length + more) : sameKinds(extended);
  const made = isLong ? syllables(length) : syllables();
  return original ? withDiacritic(made, expanded.size > 0) : made;
}

function isAscii(word: string): boolean {
  return /^\p{ASCII}*$/u.test(word);
}

/** Capitals where the word has them. */
export function inCaseOf(word: string, standIn: string): string {
  const isUpper = word === word.toUpperCase() && word !== word.toLowerCase();
  if (isUpper && Array.from(word).length > 1) return standIn.toUpperCase();
  const isIdentifier = /\p{N}/u.test(word) && word.length === standIn.length;
  const letters = isIdentifier ? word.length : 1;
  const start = Array.from(standIn.slice(0, letters), (letter, index) =>
    likeCase(word.charAt(index), letter),
  );
  return start.join('') + standIn.slice(letters);
}

function likeCase(model: string, character: string): string {
  return model !== model.toLowerCase() ? character.toUpperCase() : character;
}
