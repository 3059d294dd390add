/** What becomes of the leaves of a login: which stay, which times move, and which get a stand-in. */
import { momentOf } from '../local/moment.ts';
import { AskedUrls, originOf } from './askedUrls.ts';
import { isKnownAttribute, isKnownClaim } from './knownNames.ts';
import type { Original, Place, Rewrite } from './leaves.ts';
import { Moments } from './moments.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { isSaid, type Said, saidIn } from './said.ts';
import { cutOut, type Known, reasonToStay, type Stay, stayingRanges } from './staying.ts';

/** Makes stand-ins, or takes note of what needs one. */
export type StandIns = Pick<Pseudonyms, 'text' | 'number' | 'token' | 'signature'>;

/** A text that no programmer would name a field. */
const DATA_LIKE = /[^\w.:@$-]|\d{3}|.@./;

export class Rewriting {
  readonly asked: AskedUrls;
  readonly #known: Known;
  readonly #moments: Moments;
  readonly #said: Said;

  constructor(original: Original, known: Known) {
    this.#known = known;
    this.#moments = new Moments(momentOf(original.event));
    this.#said = saidIn(original);
    this.asked = new AskedUrls(original.exchanges, this.#said);
  }

  by(standIns: StandIns): Rewrite {
    return (leaf, place) =>
      (typeof leaf === 'number'
        ? this.#number(leaf, place, standIns)
        : this.#text(leaf, place, standIns)) as typeof leaf;
  }

  /** What of a leaf stays, and is worth telling. */
  staysOf(leaf: string | number, place: Place): Stay[] {
    return this.#staysOf(leaf, place).filter(({ text }) => text.trim() !== '');
  }

  #staysOf(leaf: string | number, place: Place): Stay[] {
    const whole = (why: string): Stay[] => [{ text: String(leaf), why, isPart: false }];
    if (typeof leaf === 'number')
      return place.role === 'lifetime' ? whole('the lifetime of the access token, in seconds') : [];
    const reason = this.#reason(leaf, place);
    if (reason !== null) return whole(reason);
    if (place.role === 'request')
      return [{ text: originOf(leaf), why: 'a system that the handler asks', isPart: true }];
    return this.#parts(leaf, place).flatMap(({ text, why }) => (why ? [{ text, why, isPart: true }] : []));
  }

  #number(value: number, { role, path }: Place, standIns: StandIns): number {
    if (role === 'lifetime' || value === 0 || value === 1) return value;
    const isNear = this.#moments.isNear(value);
    if (path.at(-1) === 'updated_at' && !isNear) return this.#moments.earlier(value);
    return role === 'time' || isNear ? this.#moments.moved(value) : standIns.number(value);
  }

  #text(text: string, place: Place, standIns: StandIns): string {
    if (this.#reason(text, place) !== null) return text;
    if (place.role === 'token') return standIns.token(text);
    if (place.role === 'signature') return standIns.signature(text);
    const standIn = (part: string) => standIns.text(part);
    if (this.#isAsked(text, place)) return this.asked.rewritten(text, standIn);
    return this.#movedTime(text, place) ?? this.#withParts(text, place, standIn);
  }

  #withParts(text: string, place: Place, standIn: (part: string) => string): string {
    return this.#parts(text, place)
      .map((part) => (part.why ? part.text : standIn(part.text)))
      .join('');
  }

  /** The parts of a text: those that stay have a reason. */
  #parts(text: string, place: Place): { text: string; why: string }[] {
    return cutOut(text, stayingRanges(text, place, this.#known));
  }

  #reason(text: string, place: Place): string | null {
    if (place.role !== 'fieldName') return reasonToStay(text, place, this.#known);
    const isCode =
      isKnownClaim(text) || isKnownAttribute(text) || !(DATA_LIKE.test(text) || isSaid(text, this.#said));
    return isCode ? 'the name of a field in a recorded response' : null;
  }

  /** A time of this login; null for another text. */
  #movedTime(text: string, { role }: Place): string | null {
    const isOwn = role === 'time' || (role === 'value' && this.#moments.isNearText(text));
    return isOwn ? this.#moments.movedText(text) : null;
  }

  #isAsked(text: string, { role, path }: Place): boolean {
    return role === 'request' || (path[0] === 'outside' && role === 'value' && this.asked.isLink(text));
  }
}
