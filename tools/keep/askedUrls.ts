/**
 * URLs of recorded requests, and links to them in responses: what the handler wrote in them stays, what it took from the event
 * does not. Which is which is a guess: what the handler asks for the stand-in corrects it.
 */
import type { Exchange } from '../local/process/local.ts';
import { isSaid, type Said } from './said.ts';
import { MIN_PART, WORD, wordsOf } from './words.ts';

/** `GET https://…`; a link has no method. */
const ASKED = /^(?:[A-Z]+ )?(https?:\/\/[^/?#\s]+)(.*)/s;

/** A whole text, as it may stand in a URL. */
interface Spelling {
  inUrl: string;
  text: string;
  encode: (text: string) => string;
}

type StandIn = (text: string) => string;

export class AskedUrls {
  readonly #origins: ReadonlySet<string>;
  readonly #spellings: readonly Spelling[];
  readonly #handlersWords: ReadonlySet<string>;

  constructor(exchanges: readonly Exchange[], said: Said) {
    this.#origins = new Set(exchanges.map(({ request }) => originOf(request)));
    const urls = exchanges.map(({ request }) => request);
    this.#spellings = [...said.texts]
      .filter((text) => text.length >= MIN_PART && text.isWellFormed())
      .flatMap(spellingsOf)
      .filter(({ inUrl }) => urls.some((url) => url.includes(inUrl)));
    const own = exchanges.filter((one, index) => !isLinked(one, exchanges.slice(0, index)));
    const rest = own.flatMap(({ request }) => this.#around(pathOf(request)));
    this.#handlersWords = new Set(
      rest
        .flatMap(wordsOf)
        .filter((word) => !isSaid(word, said))
        .map((word) => word.toLowerCase()),
    );
  }

  /** @param standIn of a text, or of a word */
  rewritten(url: string, standIn: StandIn): string {
    const path = pathOf(url);
    return url.slice(0, url.length - path.length) + this.#rewrittenPath(path, standIn);
  }

  /** What is replaced in it. */
  replaced(url: string): string[] {
    const found: string[] = [];
    this.rewritten(url, (text) => {
      found.push(text);
      return text;
    });
    return found;
  }

  isLink(text: string): boolean {
    return this.#origins.has(originOf(text));
  }

  #rewrittenPath(path: string, standIn: StandIn): string {
    const whole = this.#wholeIn(path);
    if (!whole)
      return path.replace(WORD, (word) =>
        this.#handlersWords.has(word.toLowerCase()) ? word : standIn(word),
      );
    return path
      .split(whole.inUrl)
      .map((part) => this.#rewrittenPath(part, standIn))
      .join(whole.encode(standIn(whole.text)));
  }

  /** The parts of a path that are no whole texts. */
  #around(path: string): string[] {
    const whole = this.#wholeIn(path);
    return whole ? path.split(whole.inUrl).flatMap((part) => this.#around(part)) : [path];
  }

  #wholeIn(path: string): Spelling | undefined {
    const found = this.#spellings.filter(({ inUrl }) => path.includes(inUrl));
    return found.sort((one, other) => other.inUrl.length - one.inUrl.length)[0];
  }
}

/** Scheme, host and port of a request or a link: no path, which may name a person. Empty for another text. */
export function originOf(request: string): string {
  return ASKED.exec(request)?.[1] ?? '';
}

/** All of a text that is no request. */
function pathOf(request: string): string {
  return ASKED.exec(request)?.[2] ?? request;
}

function spellingsOf(text: string): Spelling[] {
  return [(one: string) => one, encodeURIComponent, encodeURI].map((encode) => ({
    inUrl: encode(text),
    text,
    encode,
  }));
}

/** Whether an earlier response has the address: then its words are the other system's, not the handler's. */
function isLinked({ request }: Exchange, before: readonly Exchange[]): boolean {
  const url = JSON.stringify(request.slice(request.indexOf(' ') + 1)).slice(1, -1);
  return before.some(({ json, text }) => [JSON.stringify(json), text].some((body) => body?.includes(url)));
}
