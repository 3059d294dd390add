/** Pseudonyms, made of only the kind of a text: nothing of its letters, its case or its length. */
import { randomInt } from 'node:crypto';
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { MAX_NAME_LENGTH, UUID } from '../../lib/text.ts';

/** A whole number from 0 on, below this one. */
export type Random = (below: number) => number;

const CONSONANTS = 'bdfgklmnprstv';
const VOWELS = 'aeiou';
const DIGITS = '0123456789';
/** Letters and digits in turns hold no word, and by these letters neither does what Base64 or hexadecimal digits make of them. */
const LETTERS = 'ghijklmnopqrstuvwxyz';
const HEX_LETTERS = 'abcdef';
const IDENTIFIER_LENGTH = 24;
const NAME_LENGTH = 8;
/** A pseudonym that is taken, or has a text of the person in it by chance, is made again so often. */
const MAX_TRIES = 50;

const DAY_SECONDS = 86_400;
const MAX_SHIFT_DAYS = 60;
/** Times that are further from the login are not of it. */
const MAX_SESSION_DAYS = 31;
const MAX_AGE_DAYS = 700;

type Make = (random: Random) => string;

/** The first that a text is. */
const KINDS: readonly [pattern: RegExp, make: Make][] = [
  [UUID, uuid],
  // An ORCID iD: https://support.orcid.org/hc/en-us/articles/360006897674
  [
    /^(?:\d{4}-){3}\d{3}[\dX]$/,
    (random) => Array.from({ length: 4 }, () => inTurns(DIGITS, DIGITS, 4, random)).join('-'),
  ],
  [/^https?:/i, (random) => `https://${domain(random)}/${identifier(random)}`],
  // A distinguished name, or the part of one that is replaced.
  [/^(?:CN|OU|UID)=/i, (random) => `CN=${name(random)}`],
  // Entra's mark of a guest decides whether an account is an address.
  [/#EXT#$/i, (random) => `${identifier(random)}#EXT#`],
  [/^\+?\d[\d\s()./-]*$/, number],
  // Several addresses in one text are told from none.
  [/@/, (random) => `${identifier(random)}@${domain(random)}@${domain(random)}`],
  [/^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,}$/u, domain],
  // More than one word, with white space or commas between them.
  [/.[\s,]./s, (random) => `${name(random)} ${name(random)}`],
  [/^[\p{L}\p{M}'’.-]+$/u, name],
];

export class Pseudonyms {
  readonly #random: Random;
  readonly #isOfPerson: (text: string) => boolean;
  readonly #made = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #shiftSeconds: number;
  readonly #loginSeconds: number;

  /**
   * @param moment of the login, in milliseconds since 1970
   * @param isOfPerson whether a text of the person is in a pseudonym
   */
  constructor(moment: number, isOfPerson: (text: string) => boolean, random: Random = randomInt) {
    this.#random = random;
    this.#isOfPerson = isOfPerson;
    this.#loginSeconds = Math.floor(moment / 1_000);
    this.#shiftSeconds = DAY_SECONDS + random(MAX_SHIFT_DAYS * DAY_SECONDS);
  }

  /** The same for the same text, and another one for another. */
  of(text: string): string {
    const date = parseDateTime(text);
    return date ? dateTime(this.#elsewhere(date.getTime() / 1_000)) : this.#once(text);
  }

  /** The pseudonym that a text has got; the text itself where it has none. */
  known(text: string): string {
    return this.#made.get(text) ?? text;
  }

  number(value: number): number {
    return Number(this.#once(String(value), number));
  }

  /** @param time of the login: seconds since 1970, or a date-time. Another text becomes something else */
  time(time: number | string): number | string {
    if (typeof time === 'number') return this.#moved(time);
    const date = parseDateTime(time.trim());
    return date ? dateTime(this.#moved(date.getTime() / 1_000)) : this.of(time.trim());
  }

  #moved(seconds: number): number {
    const isOfLogin = Math.abs(seconds - this.#loginSeconds) <= MAX_SESSION_DAYS * DAY_SECONDS;
    return isOfLogin ? Math.floor(seconds) - this.#shiftSeconds : this.#elsewhere(seconds);
  }

  /** A time that does not move with the login: one that is known would tell by how much. It stays before it, or after it. */
  #elsewhere(time: number): number {
    const away = this.#once(`time ${time}`, (random) => String(1 + random(MAX_AGE_DAYS * DAY_SECONDS)));
    const seconds = time > this.#loginSeconds ? Number(away) : -Number(away);
    return this.#loginSeconds - this.#shiftSeconds + seconds;
  }

  #once(text: string, make = kindOf(text)): string {
    const known = this.#made.get(text) ?? this.#fresh(make);
    this.#made.set(text, known);
    this.#taken.add(known);
    return known;
  }

  #fresh(make: Make): string {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const made = make(this.#random);
      if (!this.#taken.has(made) && !this.#isOfPerson(made)) return made;
    }
    return identifier(this.#random);
  }
}

/** What is too long for a name is none: a pattern would remember each character of a photo, and these do not fit. */
function kindOf(text: string): Make {
  const isShort = text.length <= MAX_NAME_LENGTH;
  return KINDS.find(([pattern]) => isShort && pattern.test(text))?.[1] ?? identifier;
}

function inTurns(even: string, odd: string, length: number, random: Random): string {
  const signs = Array.from({ length }, (_, index) => {
    const alphabet = index % 2 === 0 ? even : odd;
    return alphabet.charAt(random(alphabet.length));
  });
  return signs.join('');
}

function identifier(random: Random): string {
  return inTurns(LETTERS, DIGITS, IDENTIFIER_LENGTH, random);
}

/** Of version 4 (RFC 9562 section 5.4). */
function uuid(random: Random): string {
  const part = (length: number) => inTurns(HEX_LETTERS, DIGITS, length, random);
  return [part(8), part(4), `4${part(3)}`, `8${part(3)}`, part(12)].join('-');
}

function name(random: Random): string {
  const made = inTurns(CONSONANTS, VOWELS, NAME_LENGTH, random);
  return made.charAt(0).toUpperCase() + made.slice(1);
}

/** Nobody can register it (RFC 2606 section 2). */
function domain(random: Random): string {
  return `${name(random).toLowerCase()}.example`;
}

function number(random: Random): string {
  return String(100_000_000 + random(900_000_000));
}

function dateTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace(/\.\d+/, '');
}
