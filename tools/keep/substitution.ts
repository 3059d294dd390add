/** The stand-in of an event and of what other systems answered to it: each made with other random texts. */
import { shortened } from '../../lib/text.ts';
import type { Exchange } from '../local/process/local.ts';
import { type Original, type Path, type Rewrite, rewriteEvent, rewriteExchanges } from './leaves.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { Rewriting } from './rewriting.ts';
import type { Known, Stay } from './staying.ts';

/** Of a key, which may carry data. */
const NAME_ROLES = ['claimName', 'headerName', 'fieldName'];

export class Substitution {
  readonly event: unknown;
  readonly exchanges: readonly Exchange[];
  /** Each once, in the order of the event. */
  readonly stays: readonly Stay[];
  /** Of what was replaced, as paths of the original. */
  readonly replacedPaths: readonly Path[];
  readonly #original: Original;
  readonly #rewriting: Rewriting;
  readonly #pseudonyms: Pseudonyms;
  readonly #stays = new Map<string, Stay>();
  readonly #replaced: Path[] = [];
  /** What each text of the original became, without surrounding white space. */
  readonly #became = new Map<string, Set<string>>();
  /** What each key became, by its path. */
  readonly #keys = new Map<string, string>();

  constructor(original: Original, known: Known) {
    this.#original = original;
    this.#rewriting = new Rewriting(original, known);
    this.#pseudonyms = new Pseudonyms(this.#toReplace());
    const { event, exchanges } = this.#rewritten(this.#noted);
    this.event = event;
    this.exchanges = exchanges;
    this.stays = [...this.#stays.values()];
    this.replacedPaths = this.#replaced;
  }

  /** Whether some word, by chance, has not the stand-ins of its parts in it. */
  get hasCollided(): boolean {
    return this.#pseudonyms.hasCollided;
  }

  /** The same, but one leaf is as it was. */
  restored(path: Path): Original {
    const key = JSON.stringify(path);
    const rewrite = this.#rewriting.by(this.#pseudonyms);
    return this.#rewritten((leaf, place) =>
      JSON.stringify(place.path) === key ? leaf : rewrite(leaf, place),
    );
  }

  /**
   * Whether a text of the response became what it had to become: the stand-in of the text of the event that it is, or of its
   * words; a text that is not the event's stays.
   */
  isSubstituted(before: string, after: string): boolean {
    const made = this.#became.get(before.trim());
    if (made?.has(after.trim()) || this.#pseudonyms.text(before) === after) return true;
    if (before === after && made === undefined) return true;
    return this.#shown(before.trim()).includes(after.trim());
  }

  /** A path as the kept event and responses have it: their keys may be replaced. */
  shownPath(path: Path): Path {
    return path.map((key, index) => this.#keys.get(JSON.stringify(path.slice(0, index + 1))) ?? key);
  }

  /** Whether a text of the response is no text of the event: the handler wrote it. */
  isHandlers(before: string): boolean {
    return !this.#became.has(before.trim());
  }

  /** A URL that is asked, without what the handler wrote in it; any other text as it is. */
  withoutHandlersWords(text: string): string {
    const { asked } = this.#rewriting;
    return asked.isLink(text) ? asked.replaced(text).join(' ') : text;
  }

  /** What a name became that the function shows: cut, and without what cannot be shown. */
  #shown(name: string): string[] {
    const texts = [...this.#became].filter(([text]) => asShown(text) === name);
    return texts.flatMap(([, made]) => Array.from(made, asShown));
  }

  /** All texts, and parts of texts, that get a stand-in. */
  #toReplace(): string[] {
    const texts = new Set<string>();
    const noted = (text: string) => {
      texts.add(text);
      return text;
    };
    const number = (value: number) => Number(noted(String(value)));
    this.#rewritten(this.#rewriting.by({ text: noted, token: noted, number, signature: String }));
    return [...texts];
  }

  #rewritten(rewrite: Rewrite): Original {
    const { event, exchanges } = this.#original;
    return { event: rewriteEvent(event, rewrite), exchanges: rewriteExchanges(exchanges, rewrite) };
  }

  readonly #noted: Rewrite = (leaf, place) => {
    const made = this.#rewriting.by(this.#pseudonyms)(leaf, place);
    if (leaf !== made) this.#replaced.push(place.path);
    if (NAME_ROLES.includes(place.role)) this.#keys.set(JSON.stringify(place.path), String(made));
    for (const stay of this.#rewriting.staysOf(leaf, place))
      this.#stays.set(`${stay.why} ${stay.text}`, stay);
    if (typeof leaf === 'string') this.#noteText(leaf.trim(), String(made).trim());
    return made;
  };

  #noteText(text: string, made: string): void {
    const became = this.#became.get(text) ?? new Set();
    this.#became.set(text, became.add(made));
  }
}

function asShown(text: string): string {
  return shortened(text).trim();
}
