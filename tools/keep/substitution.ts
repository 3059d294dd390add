/** The stand-in of an event and of what other systems answered to it: each made with other random texts. */
import { shortened, showable } from '../../lib/text.ts';
import { momentOf } from '../engine/moment.ts';
import type { Exchange } from '../lambda/local.ts';
import { AskedUrls, originOf, type Said } from './askedUrls.ts';
import { isKnownAttribute, isKnownClaim } from './knownNames.ts';
import { type Place, type Rewrite, rewriteEvent, rewriteExchanges } from './leaves.ts';
import { Moments } from './moments.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { cutOut, type Known, reasonToStay, stayingRanges } from './staying.ts';
import { formsOf, MIN_PART, wordsOf } from './words.ts';

/** A text of the original that stays. */
export interface Stay {
  text: string;
  why: string;
  /** Whether it stays inside longer texts too. */
  isPart: boolean;
}

export interface Original {
  /** Out of its HTTP envelope. */
  event: unknown;
  exchanges: readonly Exchange[];
}

const URL_TEXT = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A text that no programmer would name a field. */
const DATA_LIKE = /[^\w.:@$-]|\d{3}|.@./;
/** The function cuts names at so many characters. */
const CUT_LENGTH = 200;

/** Of a key, which may carry data. */
const NAME_ROLES = ['claimName', 'headerName', 'fieldName'];

export class Substitution {
  readonly event: unknown;
  readonly exchanges: readonly Exchange[];
  /** Each once, in the order of the event. */
  readonly stays: readonly Stay[];
  /** Of what was replaced, as paths of the kept event. */
  readonly replacedPaths: readonly (readonly (string | number)[])[];
  readonly #original: Original;
  readonly #known: Known;
  readonly #moments: Moments;
  readonly #said: Said;
  readonly #asked: AskedUrls;
  readonly #pseudonyms: Pseudonyms;
  readonly #stays = new Map<string, Stay>();
  readonly #replaced: (readonly (string | number)[])[] = [];
  /** What each text of the original became, without surrounding white space. */
  readonly #became = new Map<string, Set<string>>();

  /** What each key became, by its path. */
  readonly #keys = new Map<string, string>();

  constructor(original: Original, known: Known) {
    this.#original = original;
    this.#known = known;
    this.#moments = new Moments(momentOf(original.event));
    this.#said = saidIn(original);
    this.#asked = new AskedUrls(original.exchanges, this.#said);
    this.#pseudonyms = new Pseudonyms(this.#toReplace());
    this.event = rewriteEvent(original.event, this.#noted);
    this.exchanges = rewriteExchanges(original.exchanges, this.#noted);
    this.stays = [...this.#stays.values()];
    this.replacedPaths = this.#replaced;
  }

  /** Whether some word, by chance, has not the stand-ins of its parts in it. */
  get hasCollided(): boolean {
    return this.#pseudonyms.hasCollided;
  }

  /** The same, but one leaf is as it was. */
  restored(path: readonly (string | number)[]): Pick<Substitution, 'event' | 'exchanges'> {
    const key = JSON.stringify(path);
    const rewrite: Rewrite = (leaf, place) =>
      JSON.stringify(place.path) === key ? leaf : this.#rewrite(leaf, place);
    const { event, exchanges } = this.#original;
    return { event: rewriteEvent(event, rewrite), exchanges: rewriteExchanges(exchanges, rewrite) };
  }

  /**
   * Whether a text of the response became what it had to become: the stand-in of the text of the event that it is, or of its
   * words; a text that is not the event's stays.
   */
  isSubstituted(before: string, after: string): boolean {
    const made = this.#became.get(before.trim());
    if (made?.has(after.trim()) || this.#pseudonyms.text(before) === after) return true;
    if (before === after && made === undefined) return true;
    return this.#cut(before).has(after);
  }

  /** A path as the kept event and responses have it: their keys may be replaced. */
  shownPath(path: readonly (string | number)[]): (string | number)[] {
    return path.map((key, index) => this.#keys.get(JSON.stringify(path.slice(0, index + 1))) ?? key);
  }

  /** Whether a text of the response is no text of the event: the handler wrote it. */
  isHandlers(before: string): boolean {
    return !this.#became.has(before.trim());
  }

  /** A URL that is asked, without what the handler wrote in it; any other text as it is. */
  withoutHandlersWords(text: string): string {
    return this.#asked.isLink(text) ? this.#asked.replaced(text).join(' ') : text;
  }

  /** Of a name that the function cut. */
  #cut(before: string): ReadonlySet<string> {
    if (Array.from(before).length < CUT_LENGTH) return new Set(this.#showable(before));
    const cut = [...this.#became].filter(([text]) => shortened(text).startsWith(before));
    return new Set(cut.flatMap(([, made]) => [...made].map(shortened)));
  }

  /** Of a name from which the function took what cannot be shown. */
  #showable(before: string): string[] {
    const shown = [...this.#became].filter(([text]) => text !== before && showable(text).trim() === before);
    return shown.flatMap(([, made]) => [...made].map((text) => showable(text).trim()));
  }

  /** All texts, and parts of texts, that get a stand-in. */
  #toReplace(): string[] {
    const texts: string[] = [];
    const collect: Rewrite = (leaf, place) => {
      texts.push(...this.#piecesOf(leaf, place));
      return leaf;
    };
    rewriteEvent(this.#original.event, collect);
    rewriteExchanges(this.#original.exchanges, collect);
    return texts;
  }

  #piecesOf(leaf: string | number, place: Place): string[] {
    if (['signature', 'time'].includes(place.role)) return [];
    if (typeof leaf === 'number') return this.#isNumberKept(leaf, place) ? [] : [String(leaf)];
    if (this.#reason(leaf, place) !== null || this.#isOwnTime(leaf, place)) return [];
    if (this.#isAsked(leaf, place)) return this.#asked.replaced(leaf);
    return cutOut(leaf, stayingRanges(leaf, place, this.#known)).flatMap(({ text, why }) =>
      why ? [] : [text],
    );
  }

  readonly #noted: Rewrite = (leaf, place) => {
    const made = this.#rewrite(leaf, place);
    if (leaf !== made) this.#replaced.push(place.path);
    if (NAME_ROLES.includes(place.role)) this.#keys.set(JSON.stringify(place.path), String(made));
    if (typeof leaf === 'number' || typeof made === 'number') {
      if (place.role === 'lifetime')
        this.#note(String(leaf), 'the lifetime of the access token, in seconds', false);
      return made;
    }
    this.#noteStays(leaf, place);
    const became = this.#became.get(leaf.trim()) ?? new Set();
    this.#became.set(leaf.trim(), became.add(made.trim()));
    return made;
  };

  readonly #rewrite: Rewrite = (leaf, place) =>
    (typeof leaf === 'number' ? this.#number(leaf, place) : this.#text(leaf, place)) as typeof leaf;

  #number(value: number, place: Place): number {
    if (this.#isNumberKept(value, place)) return value;
    if (place.path.at(-1) === 'updated_at' && !this.#moments.isNear(value))
      return this.#moments.earlier(value);
    if (place.role === 'time' || this.#moments.isNear(value)) return this.#moments.moved(value);
    return this.#pseudonyms.number(value);
  }

  #text(text: string, place: Place): string {
    if (this.#reason(text, place) !== null) return text;
    if (place.role === 'token') return this.#pseudonyms.token(text);
    if (place.role === 'signature') return this.#pseudonyms.signature(text);
    if (this.#isOwnTime(text, place)) return this.#moments.movedText(text) ?? text;
    const standIn = (part: string) => this.#pseudonyms.text(part);
    if (this.#isAsked(text, place)) return this.#asked.rewritten(text, standIn);
    const ranges = stayingRanges(text, place, this.#known);
    return cutOut(text, ranges)
      .map((part) => (part.why ? part.text : standIn(part.text)))
      .join('');
  }

  #reason(text: string, place: Place): string | null {
    if (place.role !== 'fieldName') return reasonToStay(text, place, this.#known);
    const isCode =
      isKnownClaim(text) || isKnownAttribute(text) || !(DATA_LIKE.test(text) || this.#isSaid(text));
    return isCode ? 'the name of a field in a recorded response' : null;
  }

  #isSaid(name: string): boolean {
    const { words } = this.#said;
    const forms = wordsOf(name).flatMap(formsOf);
    return forms.some((form) => form.length >= MIN_PART && words.has(form));
  }

  #isNumberKept(value: number, { role }: Place): boolean {
    return role === 'lifetime' || value === 0 || value === 1;
  }

  /** Whether a text is a time of this login. */
  #isOwnTime(text: string, { role }: Place): boolean {
    if (role === 'time') return this.#moments.movedText(text) !== null;
    return role === 'value' && this.#moments.isNearText(text);
  }

  #isAsked(text: string, { role, path }: Place): boolean {
    return role === 'request' || (path[0] === 'outside' && role === 'value' && this.#asked.isLink(text));
  }

  #noteStays(text: string, place: Place): void {
    const why = this.#reason(text, place);
    if (why !== null) this.#note(text, why, false);
    else if (place.role === 'request') this.#note(originOf(text), 'a system that the handler asks', true);
    else this.#notePartsThatStay(text, place);
  }

  #notePartsThatStay(text: string, place: Place): void {
    for (const part of cutOut(text, stayingRanges(text, place, this.#known))) {
      if (part.why) this.#note(part.text, part.why, true);
    }
  }

  #note(text: string, why: string, isPart: boolean): void {
    if (text.trim() !== '') this.#stays.set(`${why} ${text}`, { text, why, isPart });
  }
}

/** What the leaves say, URLs aside: their words are often those of every login. */
function saidIn({ event, exchanges }: Original): Said {
  const texts = new Set<string>();
  const words = new Set<string>();
  const collect: Rewrite = (leaf, { role }) => {
    const isValue = role === 'value' || role === 'nameId';
    if (!isValue || (typeof leaf === 'string' && URL_TEXT.test(leaf))) return leaf;
    texts.add(String(leaf).trim());
    for (const word of wordsOf(String(leaf))) for (const form of formsOf(word)) words.add(form);
    return leaf;
  };
  rewriteEvent(event, collect);
  rewriteExchanges(exchanges, collect);
  return { texts, words };
}
