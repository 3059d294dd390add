/** Looks for the original in all that would be written, whatever made the stand-in. */
import { isJsonObject } from '../../lib/schema.ts';
import { isKnownClaim } from './knownNames.ts';
import { isField, tokenParts } from './leaves.ts';
import { TOP_LEVEL } from './pseudonyms.ts';
import type { Stay } from './staying.ts';
import {
  expandedForm,
  formsOf,
  MIN_PART,
  percentDecoded,
  plainForm,
  unitsOf,
  WordSet,
  withoutUnits,
  wordsOf,
} from './words.ts';

/** A leaf or a key, and where it stands. */
interface Found {
  text: string;
  path: string;
  /** A signature is random bytes: in so many, short words occur by chance. */
  isBytes: boolean;
}

/** What may occur in the files. */
export interface Allowed {
  stays: readonly Stay[];
  /** Texts of the response that the handler wrote. */
  written: ReadonlySet<string>;
  /** What the handler wrote in URLs that it asks is taken out. */
  withoutHandlersWords(text: string): string;
}

/** The names of what is written, of the fields of an exchange, and of those of a response; their values are looked at. */
const OWN_KEYS = new Set([
  ...['event', 'answer', 'outside', 'request', 'status', 'headers', 'json', 'text', 'body_sha256'],
  ...['content-type', 'location', 'retry-after', 'www-authenticate', 'type', 'message'],
  ...['first_name', 'last_name', 'email', 'image_url', 'affiliation', 'user_group_uuids'],
  ...['external_id', 'external_label', 'firstName', 'lastName', 'imageUrl', 'userGroupUuids'],
  ...['externalId', 'externalLabel'],
]);
/** Requests and digests are those of the stand-in: the handler asks for them. */
const PROVEN = /^outside\[\d+\]\.(?:request|body_sha256|status)$/;
/** Such as times: in so many digits, short numbers occur by chance. */
const LONG_NUMBER = /^\d{9,}$/;
const SCHEME = /^(?:https?|urn|mailto|ldaps?):/;
const STAND_IN_TOP_LEVEL = new RegExp(`\\${TOP_LEVEL}(?![\\p{L}\\p{N}])`, 'gu');

/** The forms of the words of an original, of three characters and more, and its texts that are one thing each. */
export interface Traces {
  words: WordSet;
  units: ReadonlySet<string>;
}

/** @param original `event` and `outside` */
export function tracesOf(original: unknown, allowed: Allowed): Traces {
  const words = new WordSet(new Set());
  const units = new Set<string>();
  for (const { text, isBytes } of textsIn(original)) {
    const rest = withoutAllowed(text, allowed);
    if (isBytes) units.add(text);
    else {
      for (const unit of unitsOf(rest)) units.add(unit);
      for (const form of wordsOf(withoutUnits(rest)).flatMap(formsOf))
        if (form.length >= MIN_PART) words.add(form);
    }
  }
  return { words, units };
}

/**
 * @param written all content of the files
 * @returns the path of each text in which something of the original occurs
 */
export function leaksIn(written: unknown, { words, units }: Traces, allowed: Allowed): string[] {
  return textsIn(written).flatMap(({ text, path, isBytes }) => {
    const rest = withoutAllowed(text, allowed);
    const isUnit = unitsOf(rest).some((unit) => units.has(unit)) || (isBytes && units.has(text));
    const isFound = LONG_NUMBER.test(rest) ? words.has(rest) : occurs(words, withoutUnits(rest));
    return isUnit || (!isBytes && isFound) ? [path] : [];
  });
}

/** Whether a text has one of these words in it, in whatever case or transliteration. */
export function occurs(words: WordSet, text: string): boolean {
  const texts = [...new Set([text, percentDecoded(text)])];
  return texts.flatMap((one) => [plainForm(one), expandedForm(one)]).some((form) => words.occursIn(form));
}

function withoutAllowed(text: string, { stays, written, withoutHandlersWords }: Allowed): string {
  if (written.has(text) || stays.some((stay) => !stay.isPart && stay.text === text)) return '';
  const parts = stays
    .filter(({ isPart }) => isPart)
    .sort((one, other) => other.text.length - one.text.length);
  const rest = parts.reduce(
    (left, stay) => left.replaceAll(new RegExp(escaped(stay.text), 'gi'), ' '),
    withoutHandlersWords(text),
  );
  // Stryker disable next-line StringLiteral: no letter follows that the text before it could join.
  return rest.replace(STAND_IN_TOP_LEVEL, ' ').replace(SCHEME, ' ');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function textsIn(value: unknown, path = ''): Found[] {
  if (typeof value === 'number') return [{ text: String(value), path, isBytes: false }];
  if (typeof value === 'string') return inText(value, path);
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    if (PROVEN.test(`${path}.${key}`)) return [];
    const isOwn = isField(key) || OWN_KEYS.has(key);
    // A path is shown: it must not have the data that its keys may carry.
    const step = isOwn || isKnownClaim(key) ? key : '*';
    const inside = path === '' ? step : `${path}.${step}`;
    return [...(isOwn ? [] : [{ text: key, path: inside, isBytes: false }]), ...textsIn(entry, inside)];
  });
}

/** A token is looked into. */
function inText(text: string, path: string): Found[] {
  const token = tokenParts(text);
  if (!token) return [{ text, path, isBytes: false }];
  const inside = [...textsIn(token.header, `${path}.header`), ...textsIn(token.payload, `${path}.payload`)];
  return [...inside, { text: token.signature, path: `${path}.signature`, isBytes: true }];
}
