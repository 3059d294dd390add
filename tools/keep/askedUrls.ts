/** URLs of recorded requests, and links to them in responses: what the handler wrote stays, what it took from the event does not. */
import type { Exchange } from '../lambda/local.ts';
import { formsOf, WORD, wordsOf } from './words.ts';

const PARTS = /([/?&=#]+)/;

/** `GET https://…`; a link has no method. */
const ASKED = /^(?:[A-Z]+ )?(https?:\/\/[^/?#\s]+)(.*)$/s;

/** What the event and the responses say, links and other URLs aside. */
export interface Said {
  /** Whole texts, in lower case. */
  texts: ReadonlySet<string>;
  /** Forms of words. */
  words: ReadonlySet<string>;
}

export class AskedUrls {
  readonly #origins: ReadonlySet<string>;
  readonly #handlersWords: ReadonlySet<string>;
  readonly #said: Said;

  constructor(exchanges: readonly Exchange[], said: Said) {
    this.#said = said;
    this.#origins = originsOf(exchanges);
    const own = exchanges.filter((one, index) => !isLinked(one, exchanges.slice(0, index)));
    const parts = own.flatMap(({ request }) => partsOf(request)).filter((part) => !this.#isSaid(part));
    const words = parts.flatMap(wordsOf).filter((word) => !this.#isSaidWord(word));
    this.#handlersWords = new Set(words.map((word) => word.toLowerCase()));
  }

  /** @param standIn of a text, or of a word */
  rewritten(url: string, standIn: (text: string) => string): string {
    const [, , rest = ''] = ASKED.exec(url) ?? [];
    const start = url.slice(0, url.length - rest.length);
    const parts = rest.split(PARTS).map((part) => {
      const text = decoded(part);
      const isEncoded = text !== part;
      const made = this.#isSaid(part) ? standIn(text) : this.#wordByWord(text, standIn);
      return isEncoded ? encodeURIComponent(made) : made;
    });
    return start + parts.join('');
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
    const [, origin] = ASKED.exec(text) ?? [];
    return origin !== undefined && this.#origins.has(origin);
  }

  #wordByWord(text: string, standIn: (text: string) => string): string {
    return text.replace(WORD, (word) => (this.#handlersWords.has(word.toLowerCase()) ? word : standIn(word)));
  }

  #isSaid(part: string): boolean {
    const text = decoded(part).toLowerCase();
    return text.length > 1 && this.#said.texts.has(text);
  }

  #isSaidWord(word: string): boolean {
    return formsOf(word).some((form) => form.length > 2 && this.#said.words.has(form));
  }
}

/** Scheme, host and port of each recorded request. */
export function originsOf(exchanges: readonly Exchange[]): ReadonlySet<string> {
  return new Set(exchanges.map(({ request }) => originOf(request)));
}

/** Of a request or a link: no path, which may name a person. */
export function originOf(request: string): string {
  return ASKED.exec(request)?.[1] ?? '';
}

/** Whether an earlier response has the address: then its words are the other system's, not the handler's. */
function isLinked({ request }: Exchange, before: readonly Exchange[]): boolean {
  const url = request.replace(/^[A-Z]+ /, '');
  return before.some(({ json, text }) =>
    (JSON.stringify(json) ?? text ?? '').includes(JSON.stringify(url).slice(1, -1)),
  );
}

function partsOf(request: string): string[] {
  return (ASKED.exec(request)?.[2] ?? '').split(PARTS).map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
