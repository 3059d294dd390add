/** What a login says, URLs aside: their words are often those of every login. */
import { type Original, type Rewrite, rewriteEvent, rewriteExchanges } from './leaves.ts';
import { formsOf, MIN_PART, wordsOf } from './words.ts';

export interface Said {
  /** Whole texts, without surrounding white space. */
  texts: ReadonlySet<string>;
  /** Forms of words, of three characters and more. */
  words: ReadonlySet<string>;
}

const URL_TEXT = /^[a-z][a-z0-9+.-]*:\/\//i;

export function saidIn({ event, exchanges }: Original): Said {
  const texts = new Set<string>();
  const collect: Rewrite = (leaf, { role }) => {
    const text = String(leaf).trim();
    if ((role === 'value' || role === 'nameId') && !URL_TEXT.test(text)) texts.add(text);
    return leaf;
  };
  rewriteEvent(event, collect);
  rewriteExchanges(exchanges, collect);
  const forms = [...texts].flatMap(wordsOf).flatMap(formsOf);
  return { texts, words: new Set(forms.filter((form) => form.length >= MIN_PART)) };
}

/** Whether one of the words is said, in whatever case or transliteration. */
export function isSaid(text: string, { words }: Said): boolean {
  return wordsOf(text)
    .flatMap(formsOf)
    .some((form) => words.has(form));
}
