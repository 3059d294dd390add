/** Which stand-in a text gets: of its kind, and word by word where it has no kind of its own. */
import { isIPv6 } from 'node:net';
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { addressLike, date, opaque, pick, sameKinds, uuidLike } from './random.ts';
import { type FoundWord, inCaseOf, WordStandIns } from './wordStandIns.ts';
import { percentDecoded, UUID, WORD, withoutUnits, wordsOf } from './words.ts';

/** From here on a limit of the function may be near: names are cut at 200 characters, addresses end at 320. */
const LONG_TEXT = 150;
/** The end of each stand-in domain: nobody can register it (RFC 2606). */
export const TOP_LEVEL = '.example';
const SCHEME = '(?<scheme>^(?:https?|urn|mailto|ldaps?)(?=:))';
const IP = String.raw`(?<ip>(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}.]))`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}_-]+`;
const DOMAIN = String.raw`(?<domain>(?<=@|:\/\/)${LABEL}(?:\.${LABEL})+)`;
/** Pictures and characters without a meaning of their own may say something too. */
const SYMBOL = String.raw`[\p{So}\p{Co}\p{Cn}]`;
/** What nobody sees may spell a text all the same: format and control characters, and halves of code points. */
const UNSEEN = String.raw`[\p{Cf}\p{Cs}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]`;
const SKIN_TONE = String.raw`\p{Emoji_Modifier}`;
const PATTERN = new RegExp(
  `${SCHEME}|(?<uuid>${UUID.source})|${IP}|${DOMAIN}|(?<word>[\\p{L}\\p{M}\\p{N}]+)|(?<symbol>${SYMBOL})|` +
    `(?<unseen>${UNSEEN})|(?<skinTone>${SKIN_TONE})`,
  'giu',
);
/** One stands for all of its kind. */
const ONE_UNSEEN = '\u200b';
const ONE_SKIN_TONE = '\u{1f3fd}';
const SYMBOLS = '☆◇○△□▽◎';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATA_URL = /^data:(image\/[a-z]+)[;,]/i;
const ENCODED_URL = /^(?<origin>[a-z][a-z0-9+.-]*:\/\/[^/?#]*)(?<path>.*)/is;
const URL_PART = /[^/?&=#;+]+/g;

type Groups = Record<string, string | undefined>;

export class Pseudonyms {
  readonly #words: WordStandIns;
  readonly #texts = new Map<string, string>();
  readonly #domains: ReadonlySet<string>;

  /** @param texts all that are to be replaced: words of one are found inside words of others */
  constructor(texts: readonly string[]) {
    this.#words = new WordStandIns(texts.flatMap(wordsIn));
    const domains = texts.flatMap((text) => [...text.matchAll(new RegExp(DOMAIN, 'gu'))]);
    this.#domains = new Set(domains.map(([domain]) => domain.toLowerCase()));
  }

  /** Whether some word has not the stand-ins of its parts in it. */
  get hasCollided(): boolean {
    return this.#words.hasCollided;
  }

  /** The stand-in of a text that is replaced as a whole or word by word. */
  text(text: string): string {
    const whole = this.#whole(text);
    if (whole !== null) return whole;
    const url = ENCODED_URL.exec(text)?.groups as { origin: string; path: string } | undefined;
    if (url) return this.#replaced(url.origin) + url.path.replace(URL_PART, (part) => this.#decoded(part));
    const isDomain = this.#isDomain(text);
    return this.#replaced(text) + (isDomain ? TOP_LEVEL : '');
  }

  /** An opaque token: of another length and other characters. */
  token(text: string): string {
    return this.#once(`token ${text}`, () => this.#words.clean(() => opaque(32)));
  }

  /** @param like the bytes of a signature, as base64url */
  signature(like: string): string {
    const bytes = Buffer.from(like, 'base64url').length;
    return this.#once(`signature ${like}`, () => opaque(bytes));
  }

  number(value: number): number {
    const standIn = Number(String(value).replace(/\d+/g, (digits) => this.#words.of(digits)));
    return Number.isFinite(standIn)
      ? standIn
      : Number(this.#once(`number ${value}`, () => sameKinds('1000000')));
  }

  #whole(text: string): string | null {
    const trimmed = text.trim();
    if (isIPv6(trimmed)) return this.#once(trimmed, () => addressLike(trimmed));
    if (DATE.test(trimmed)) return this.#once(trimmed, date);
    const type = DATA_URL.exec(trimmed)?.[1];
    if (type) return this.#once(trimmed, () => `data:${type.toLowerCase()};base64,${opaque(24)}`);
    if (parseDateTime(trimmed)) return this.#once(trimmed, () => `${date()}T08:00:00Z`);
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
      const { scheme, uuid, ip, domain, symbol, unseen, skinTone } = rest.at(-1) as Groups;
      if (scheme) return found;
      if (unseen) return ONE_UNSEEN;
      if (skinTone) return ONE_SKIN_TONE;
      if (symbol) return this.#once(symbol, () => pick(SYMBOLS.replace(symbol, '')));
      if (uuid) return inCaseOf(uuid, this.#uuid(uuid.toLowerCase()));
      if (ip) return this.#once(ip, () => this.#words.clean(() => addressLike(ip), new Set([ip])));
      if (domain) return domain.replace(WORD, (word) => this.#words.of(word)) + topLevelFor(text);
      return this.#words.of(found);
    });
  }

  #uuid(uuid: string): string {
    return this.#once(uuid, () => this.#words.clean(() => uuidLike(uuid)));
  }

  #isDomain(text: string): boolean {
    const domain = text.toLowerCase();
    if (!new RegExp(`^${LABEL}(?:\\.${LABEL})+$`, 'u').test(domain)) return false;
    return [...this.#domains].some(
      (one) => one === domain || one.endsWith(`.${domain}`) || domain.endsWith(`.${one}`),
    );
  }

  #once(text: string, make: () => string): string {
    const known = this.#texts.get(text) ?? make();
    this.#texts.set(text, known);
    return known;
  }
}

/** A long address is as long as its stand-in: one more label may be too many characters. */
function topLevelFor(text: string): string {
  return text.length > LONG_TEXT ? '' : TOP_LEVEL;
}

function wordsIn(text: string): FoundWord[] {
  const isLong = text.length > LONG_TEXT;
  const readable = ENCODED_URL.test(text) ? percentDecoded(text) : text;
  return wordsOf(withoutUnits(readable)).map((word) => ({ word, isLong }));
}
