/** What a text is that somebody caught: the logins in it, not yet read. */
import { isJsonObject } from '../../lib/schema.ts';
import { showableNames } from '../../lib/text.ts';
import { functionsOf } from '../local/events.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import {
  isToken,
  loginsInJson,
  loginsInText,
  refusalsInJson,
  refusalsInText,
  valueIn,
} from './browserText.ts';
import { type Found, MAX_ITEMS } from './captured.ts';
import { decodedXml, isXml } from './encoded.ts';
import { jsonIn, parseJson } from './json.ts';
import { loginsInHar, loginsInTrace, whyNone } from './traffic.ts';

/** In characters: the studio takes no more either. */
const MAX_CAPTURE_LENGTH = 10_485_760;

type Json = Record<string, unknown>;

/**
 * What JSON may be, by what it is called: the first that fits counts. Each gives the logins in it, and null for an object of
 * another format.
 */
const FORMATS: readonly [name: string, loginsIn: (json: Json) => Found[] | null][] = [
  ['an event', (json) => (functionsOf(json).length > 0 ? [{ kind: 'event', where: '', event: json }] : null)],
  ['a HAR file', loginsInHar],
  ['a SAML-tracer export', loginsInTrace],
  ['a token response', (json) => orNull(loginsInJson(json, null))],
  ['the refusal of a provider', (json) => orNull(refusalsInJson(json))],
  [
    'a form with a SAMLResponse',
    ({ SAMLResponse: text }) => (typeof text === 'string' ? loginsInXml(text) : null),
  ],
];

const EXPECTED = `expected a SAMLResponse (base64 or XML), an ID token, ${FORMATS.map(([name]) => name).join(', ')}`;

/** @throws {UnusableInput} that says what the text looks like, and what is expected */
export function recognise(text: string): Found[] {
  if (text.length > MAX_CAPTURE_LENGTH) {
    throw new UnusableInput(
      `this has ${text.length} characters, expected at most ${MAX_CAPTURE_LENGTH}: take only the request of the login`,
    );
  }
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') throw new UnusableInput(`this is empty: ${EXPECTED}`);
  try {
    return loginsIn(trimmed);
  } catch (error) {
    throw RECORD.test(trimmed) ? new UnusableInput(NO_VALUES) : error;
  }
}

/** In what Lambda logs, as it is or inside a text. */
const RECORD = /"event\\?":\s?\\?"login\\?"/;
const NO_VALUES =
  'this is the log record of a login, which has names and no values: keep the login, or paste it (docs/capture.md)';

function loginsIn(text: string): Found[] {
  if (isToken(text)) return loginsInJson({ id_token: text }, null);
  if (/^[[{"]/.test(text)) return loginsInParsed(parseJson(text));
  const inText = [...loginsInText(text, null), ...refusalsInText(text)];
  if (inText.length > 0) return inText;
  return (isHtml(text) ? null : loginsInXml(text)) ?? loginsAmongWords(text) ?? refuse(text);
}

/** A login in a chat, a mail or a ticket: in a code block, as JSON or XML, or as one word. */
function loginsAmongWords(text: string): Found[] | null {
  // The first part stands before the first fence, and each second one in a block.
  const blocks = text.split('```').filter((_, index) => index % 2 === 1);
  const candidates = [
    ...blocks.map((block) => block.replace(/^[\w-]*\n/, '')),
    ...[between(text, '{', '}'), messageIn(text), longestWord(text)],
  ];
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    const found = candidate === null ? null : loginsInCandidate(candidate.trim());
    if (found !== null) return found;
  }
  return null;
}

const MAX_CANDIDATES = 20;

function loginsInCandidate(text: string): Found[] | null {
  if (isToken(text)) return loginsInJson({ id_token: text }, null);
  const json = jsonIn(text);
  if (isJsonObject(json)) return loginsInObject(json);
  return orNull(loginsInText(text, null)) ?? loginsInXml(text);
}

function between(text: string, start: string, end: string): string | null {
  const [from, to] = [text.indexOf(start), text.lastIndexOf(end)];
  return from < 0 || to < from ? null : text.slice(from, to + end.length);
}

/** From the first start of a message to the last end of it. */
function messageIn(text: string): string | null {
  const [start, name] =
    /<((?:[\w.-]{1,40}:)?(?:Response|Assertion|EncryptedAssertion))[\s>]/.exec(text) ?? [];
  return start === undefined ? null : between(text, start, `</${name}>`);
}

/** Tokens and base64 are longer than what people write; a sign of a sentence may follow. */
function longestWord(text: string): string | null {
  const words = text.split(/[\s"'`<>(),;]+/).map((word) => word.replace(/[.:!?]+$/, ''));
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '') || null;
}

function isHtml(text: string): boolean {
  return /^<(?:!doctype html|html|head|body|form)\b/i.test(text);
}

function loginsInParsed(json: unknown): Found[] {
  // What developer tools copy may be in quotes.
  if (typeof json === 'string' && !json.startsWith('"')) return loginsIn(json.trim());
  if (Array.isArray(json)) return itemsIn(json);
  if (!isJsonObject(json)) throw new UnusableInput(`this is JSON, but not an object: ${EXPECTED}`);
  return loginsInObject(json) ?? refuseObject(json);
}

/** Null where it is none that is known. */
function loginsInObject(json: Json): Found[] | null {
  for (const [, loginsIn] of FORMATS) {
    const found = loginsIn(json);
    if (found !== null) return found;
  }
  return null;
}

function orNull(found: Found[]): Found[] | null {
  return found.length > 0 ? found : null;
}

function loginsInXml(text: string): Found[] | null {
  const xml = decodedXml(text);
  return xml === null ? null : [{ kind: 'SAMLResponse', where: '', xml, sentAt: null }];
}

function itemsIn(items: readonly unknown[]): Found[] {
  const found = items.slice(0, MAX_ITEMS).flatMap((item, index) =>
    ((isJsonObject(item) && loginsInObject(item)) || []).map((one) => ({
      ...one,
      where: [`item ${index + 1}`, one.where].filter(Boolean).join(', '),
    })),
  );
  if (found.length > 0) return found;
  throw new UnusableInput(`this is a list of ${items.length} items without a login: ${EXPECTED}`);
}

function refuseObject(json: Json): never {
  const { access_token, iss, sub } = json;
  if (access_token !== undefined) {
    throw new UnusableInput('this token response has no ID token: have the service ask for the scope openid');
  }
  if (iss !== undefined || sub !== undefined) {
    throw new UnusableInput(
      'these are claims, such as UserInfo or a decoded token: paste the ID token as it was sent, of three parts with dots between them',
    );
  }
  if (isInEnvelope(json)) {
    throw new UnusableInput('this is an HTTP request without an event of a login in its body');
  }
  const { names } = showableNames(Object.keys(json));
  throw new UnusableInput(`this is JSON with ${names.join(', ') || 'no field'}: ${EXPECTED}`);
}

function refuse(text: string): never {
  if (text.includes('-----BEGIN ')) {
    throw new UnusableInput(`this is a certificate or a key, and keys are secret; ${EXPECTED}`);
  }
  if (isHtml(text))
    throw new UnusableInput(`this is a page without the form that posts a login: ${EXPECTED}`);
  const isTraffic = ['SAMLart', 'SAMLRequest', 'wresult', 'code'].some(
    (name) => valueIn(text, name) !== null,
  );
  if (isTraffic) throw new UnusableInput(`this is not a login: ${whyNone([text])}`);
  if (isXml(text)) throw new UnusableInput(`this is XML, but not SAML: ${EXPECTED}`);
  throw new UnusableInput(`this is a text of ${text.length} characters without a login: ${EXPECTED}`);
}
