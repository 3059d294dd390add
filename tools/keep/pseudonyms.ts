/** Which stand-in a text gets: the same word the same one, in the case and spelling of each place. */
import { isIPv6 } from 'node:net';
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import {
  addressLike,
  date,
  lettersFrom,
  opaque,
  pick,
  sameKinds,
  scriptOf,
  syllables,
  uuidLike,
  withDiacritic,
} from './random.ts';
import {
  expandedForm,
  formsOf,
  lettersOf,
  MIN_PART,
  percentDecoded,
  plainForm,
  UUID,
  WordSet,
  withoutUnits,
  wordsOf,
} from './words.ts';

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
  standIn?: string;
}

/** From here on a limit of the function may be near: names are cut at 200 characters, addresses end at 320. */
const LONG_TEXT = 150;
const MAX_FORM = 64;
const TRIES = 120;
/** Short texts have few stand-ins: after so many tries a longer one serves, and after as many more one of letters for digits. */
const TRIES_AT_LENGTH = 40;

/** What an address or a URL ends with after this, so that it is nobody's (RFC 2606). */
export const TOP_LEVEL = '.example';
const SCHEME = '(?<scheme>^(?:https?|urn|mailto|ldaps?)(?=:))';
const IP = String.raw`(?<ip>(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}.]))`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}_-]+`;
const DOMAIN = String.raw`(?<domain>(?<=@|:\/\/)${LABEL}(?:\.${LABEL})+)`;
/** Pictures and characters without a meaning of their own may say something too. */
const SYMBOL = String.raw`[\p{So}\p{Co}\p{Cn}]`;
const PATTERN = new RegExp(
  `${SCHEME}|(?<uuid>${UUID.source})|${IP}|${DOMAIN}|(?<word>[\\p{L}\\p{M}\\p{N}]+)|(?<symbol>${SYMBOL})`,
  'giu',
);
const SYMBOLS = '☆◇○△□▽◎';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATA_URL = /^data:(image\/[a-z]+)[;,]/i;
const ENCODED_URL = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is;
const URL_PART = /([/?&=#;+]+)/;

export class Pseudonyms {
  readonly #classes = new Map<string, WordClass>();
  readonly #texts = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #domains = new Set<string>();
  /** Forms of words of the original that are found inside others, and that no stand-in may have in it. */
  readonly #parts: ReadonlySet<string>;
  readonly #forbidden: WordSet;

  /** @param texts all that are to be replaced: words of one are found inside words of others */
  constructor(texts: readonly string[]) {
    for (const text of texts)
      for (const { 0: domain } of text.matchAll(new RegExp(DOMAIN, 'gu')))
        this.#domains.add(domain.toLowerCase());
    const words = texts.flatMap((text) =>
      wordsOf(withoutUnits(ENCODED_URL.test(text) ? percentDecoded(text) : text)).map((word) => ({
        word,
        isLong: text.length > LONG_TEXT,
      })),
    );
    // A word that has two forms joins those that have one of them.
    const hasTwo = ({ word }: { word: string }) => formsOf(word).length > 1;
    for (const one of [...words.filter(hasTwo), ...words]) this.#add(one.word, one.isLong);
    this.#parts = new Set([...this.#classes.keys()].filter((form) => form.length >= MIN_PART));
    this.#forbidden = new WordSet(this.#parts);
  }

  /** The stand-in of a text that is replaced as a whole or word by word. */
  text(text: string): string {
    const whole = this.#whole(text);
    if (whole !== null) return whole;
    const [, origin = '', path = ''] = ENCODED_URL.exec(text) ?? [];
    if (path.includes('%')) {
      const parts = path.split(URL_PART).map((part) => this.#decoded(part));
      return this.#replaced(origin) + parts.join('');
    }
    const isDomain = this.#isDomain(text);
    return this.#replaced(text) + (isDomain ? TOP_LEVEL : '');
  }

  /** An opaque token: of another length and other characters. */
  token(text: string): string {
    return this.#once(`token ${text}`, () => this.#clean(() => opaque(32)));
  }

  /** @param like the bytes of a signature, as base64url */
  signature(like: string): string {
    const bytes = Buffer.from(like, 'base64url').length;
    return this.#once(`signature ${like}`, () => opaque(bytes));
  }

  number(value: number): number {
    const standIn = Number(String(value).replace(/\d+/g, (digits) => this.#word(digits)));
    return Number.isFinite(standIn)
      ? standIn
      : Number(this.#once(`number ${value}`, () => sameKinds('1000000')));
  }

  #whole(text: string): string | null {
    const trimmed = text.trim();
    if (isIPv6(trimmed)) return this.#once(trimmed, () => addressLike(trimmed));
    if (DATE.test(trimmed)) return this.#once(trimmed, date);
    const [, type] = DATA_URL.exec(trimmed) ?? [];
    if (type) return this.#once(trimmed, () => `data:${type.toLowerCase()};base64,${opaque(24)}`);
    if (trimmed.length > 10 && parseDateTime(trimmed))
      return this.#once(trimmed, () => `${date()}T08:00:00Z`);
    return null;
  }

  #decoded(part: string): string {
    if (!part.includes('%')) return this.#replaced(part);
    try {
      return encodeURIComponent(this.#replaced(decodeURIComponent(part)));
    } catch {
      return this.#replaced(part);
    }
  }

  #replaced(text: string): string {
    return text.replace(PATTERN, (found, ...rest) => {
      const { scheme, uuid, ip, domain, symbol } = rest.at(-1) as Record<string, string | undefined>;
      if (scheme) return found;
      if (symbol) return this.#once(symbol, () => pick(SYMBOLS.replace(symbol, '')));
      if (uuid)
        return inCaseOf(
          uuid,
          this.#once(uuid.toLowerCase(), () => this.#clean(() => uuidLike(uuid.toLowerCase()))),
        );
      if (ip) return this.#once(ip, () => this.#clean(() => addressLike(ip), new Set([ip])));
      if (domain) return domain.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => this.#word(word)) + TOP_LEVEL;
      return this.#word(found);
    });
  }

  #isDomain(text: string): boolean {
    const domain = text.trim().toLowerCase();
    if (!new RegExp(`^${LABEL}(?:\\.${LABEL})+$`, 'u').test(domain)) return false;
    return [...this.#domains].some(
      (one) => one === domain || one.endsWith(`.${domain}`) || domain.endsWith(`.${one}`),
    );
  }

  #add(word: string, isLong: boolean): WordClass {
    const forms = formsOf(word);
    const known = forms.flatMap((form) => this.#classes.get(form) ?? []);
    const joined: WordClass = known[0] ?? {
      forms: new Set(),
      expanded: new Set(),
      original: null,
      length: 0,
      isLong: false,
    };
    for (const form of [...forms, ...known.flatMap((one) => [...one.forms])]) {
      joined.forms.add(form);
      this.#classes.set(form, joined);
    }
    for (const form of known.flatMap((one) => [...one.expanded])) joined.expanded.add(form);
    if (forms[1] !== undefined) joined.expanded.add(forms[1]);
    joined.original ??=
      known.find(({ original }) => original !== null)?.original ?? (isAscii(word) ? null : word);
    joined.length = Math.max(joined.length, Array.from(word).length);
    joined.isLong ||= isLong;
    return joined;
  }

  #word(word: string): string {
    const known = this.#classes.get(plainForm(word));
    if (known?.original && isAscii(word)) {
      const standIn = this.#word(known.original);
      return inCaseOf(
        word,
        known.expanded.has(word.toLowerCase()) ? expandedForm(standIn) : plainForm(standIn),
      );
    }
    const parts = this.#partsOf(word);
    const joined = parts.length > 1 ? parts.map((part) => this.#word(part)).join('') : null;
    // Where stand-ins meet, a word of the original may come about.
    if (joined !== null && !formsOf(joined).some((form) => this.#forbidden.occursIn(form))) return joined;
    const own = known ?? this.#add(word, false);
    own.standIn ??= this.#standInOf(own, word);
    return inCaseOf(word, word === word.normalize('NFC') ? own.standIn : own.standIn.normalize('NFD'));
  }

  /** The known words in a longer one, and what stands between them; the word alone where there are none. */
  #partsOf(word: string): string[] {
    const letters = lettersOf(word);
    const plain = letters.map((letter) => letter.plain);
    const parts: string[] = [];
    let isBetween = false;
    for (let start = 0, length = 0; start < letters.length; start += Math.max(1, length)) {
      length = this.#knownAt(plain, start);
      const end = start + Math.max(1, length);
      const text = letters.slice(start, end).map((letter) => letter.text);
      if (isBetween && length === 0) parts.push(parts.pop() + text.join(''));
      else parts.push(text.join(''));
      isBetween = length === 0;
    }
    return parts;
  }

  /** How many letters the longest known word has that begins here; 0 for none. The whole of the letters is not one. */
  #knownAt(letters: readonly string[], start: number): number {
    const most = Math.min(letters.length - start, MAX_FORM, start === 0 ? letters.length - 1 : MAX_FORM);
    for (let length = most; length >= MIN_PART; length--) {
      if (this.#parts.has(letters.slice(start, start + length).join(''))) return length;
    }
    return 0;
  }

  #standInOf(own: WordClass, word: string): string {
    let tries = 0;
    const standIn = this.#clean(() => {
      tries += 1;
      const more = Math.floor(tries / TRIES_AT_LENGTH);
      return candidate(own, word, more);
    }, own.forms);
    this.#taken.add(plainForm(standIn));
    return standIn;
  }

  /** One in which no word of the original occurs by chance, where there is one. */
  #clean(make: () => string, own: ReadonlySet<string> = new Set()): string {
    for (let tries = 0; tries < TRIES; tries++) {
      const made = make();
      const forms = formsOf(made);
      const isTaken = forms.some((form) => this.#taken.has(form) || own.has(form));
      if (!isTaken && !forms.some((form) => this.#forbidden.occursIn(form))) return made;
    }
    return make();
  }

  #once(text: string, make: () => string): string {
    const known = this.#texts.get(text) ?? make();
    this.#texts.set(text, known);
    return known;
  }
}

function candidate({ original, expanded, length, isLong }: WordClass, word: string, more: number): string {
  const filler = /^\p{N}+$/u.test(word) ? '0' : 'b';
  const extended = word.toLowerCase() + filler.repeat(more);
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

function inCaseOf(word: string, standIn: string): string {
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
