/** What a text is that somebody caught: the logins in it, not yet read. */
import { isJsonObject } from '../../lib/schema.ts';
import { showableNames } from '../../lib/text.ts';
import { functionsOf } from '../local/events.ts';
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
import { loginsInTraffic, whyNone } from './traffic.ts';

/** In characters: the studio takes no more either. */
const MAX_CAPTURE_LENGTH = 10_485_760;

type Json = Record<string, unknown>;

/** What an object of JSON may be: the first that fits counts. Each gives the logins in it, and none for another format. */
const FORMATS: readonly ((json: Json) => Found[] | null)[] = [
  (json) => (functionsOf(json).length > 0 ? [{ kind: 'event', where: '', event: json }] : []),
  loginsInTraffic,
  (json) => loginsInJson(json, null),
  refusalsInJson,
  ({ SAMLResponse: text }) => (typeof text === 'string' ? loginsInXml(text) : null),
  claimsIn,
];

const EXPECTED =
  'expected a SAMLResponse (base64 or XML), an ID token or its claims, an event, a HAR file, a SAML-tracer export, a token response, the refusal of a provider, or a form with a SAMLResponse';

/** @throws {UnusableInput} that says what the text looks like, and what is expected */
export function recognise(text: string): Found[] {
  if (text.length > MAX_CAPTURE_LENGTH) {
    throw new UnusableInput(
      `this has ${text.length} characters, expected at most ${MAX_CAPTURE_LENGTH}: take only the request of the login`,
    );
  }
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') throw new UnusableInput(`this is empty: ${EXPECTED}`);
  return loginsIn(trimmed);
}

/** What shows tokens shows a header without an object in it, and the claims below. @returns null for another text */
function headerAndClaims(text: string): [header: string, claims: string] | null {
  const end = text.indexOf('}') + 1;
  const begin = text.indexOf('{', end);
  if (!text.startsWith('{') || !text.endsWith('}') || end === 0 || begin < 0) return null;
  const isHeader = text.lastIndexOf('{', end) === 0 && !/[^\s.,]/.test(text.slice(end, begin));
  return isHeader ? [text.slice(0, end), text.slice(begin)] : null;
}

function loginsIn(text: string): Found[] {
  if (isToken(text)) return loginsInJson({ id_token: text }, null);
  const shown = headerAndClaims(text);
  if (shown !== null) return loginsInParsed(shown.map(parseJson));
  if (/^[[{"]/.test(text)) return loginsInParsed(parseJson(text));
  const inText = [...loginsInText(text, null), ...refusalsInText(text)];
  if (inText.length > 0) return inText;
  if (HTML.test(text)) return loginsAmongWords(withoutReferences(text)) ?? refuse(text);
  return loginsInXml(text) ?? loginsAmongWords(text) ?? refuse(text);
}

/** A page that posts a response by itself has it in a form. */
const HTML = /^<(?:!doctype\s+)?html\b/i;

/** Frameworks write the signs of base64 as numbers: `&#43;` or `&#x2b;`. */
function withoutReferences(html: string): string {
  return html.replace(/&#(?:(\d{2})|x([0-9a-f]{2}));/gi, (_, decimal, hex) =>
    String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)),
  );
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
    if (found !== null && found.length > 0) return found;
  }
  return null;
}

const MAX_CANDIDATES = 20;

function loginsInCandidate(text: string): Found[] | null {
  if (isToken(text)) return loginsInJson({ id_token: text }, null);
  const json = jsonIn(text);
  if (isJsonObject(json)) return loginsInObject(json);
  const inText = loginsInText(text, null);
  return inText.length > 0 ? inText : loginsInXml(text);
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

function loginsInParsed(json: unknown): Found[] {
  // What developer tools copy may be in quotes.
  if (typeof json === 'string' && !json.startsWith('"')) return loginsIn(json.trim());
  if (Array.isArray(json)) return loginsInList(json);
  if (!isJsonObject(json)) throw new UnusableInput(`this is JSON, but not an object: ${EXPECTED}`);
  return loginsInObject(json) ?? refuseObject(json);
}

function loginsInObject(json: Json): Found[] | null {
  for (const loginsIn of FORMATS) {
    const found = loginsIn(json);
    if (found !== null && found.length > 0) return found;
  }
  return null;
}

function loginsInXml(text: string): Found[] | null {
  const xml = decodedXml(text);
  return xml === null ? null : [{ kind: 'SAMLResponse', where: '', xml, sentAt: null }];
}

function loginsInList(items: readonly unknown[]): Found[] {
  const [header, payload, ...others] = items;
  if (isJsonObject(header) && 'alg' in header && isJsonObject(payload) && others.length === 0) {
    return claimsIn({ header, payload });
  }
  const found = items.slice(0, MAX_ITEMS).flatMap((item, index) =>
    ((isJsonObject(item) && loginsInObject(item)) || []).map((one) => ({
      ...one,
      where: [`item ${index + 1}`, one.where].filter(Boolean).join(', '),
    })),
  );
  if (found.length > 0) return found;
  throw new UnusableInput(`this is a list of ${items.length} items without a login: ${EXPECTED}`);
}

/**
 * The decoded payload of an ID token, as providers and decoders of tokens show it: alone, or beside its header. UserInfo has no
 * `exp`.
 */
function claimsIn(json: Json): Found[] {
  const { header = { alg: 'none' }, payload = json } = json;
  if (!isJsonObject(header) || !isJsonObject(payload)) return [];
  if (typeof payload.iss !== 'string' || payload.exp === undefined) return [];
  const parts = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const nothingElse = {
    accessToken: null,
    tokenType: null,
    expiresIn: null,
    refreshToken: null,
    sentAt: null,
  };
  return [{ kind: 'claims of an ID token', where: '', idToken: `${parts.join('.')}.`, ...nothingElse }];
}

function refuseObject(json: Json): never {
  const { access_token, iss, sub } = json;
  if (access_token !== undefined) {
    throw new UnusableInput('this token response has no ID token: have the service ask for the scope openid');
  }
  if (iss !== undefined || sub !== undefined) {
    throw new UnusableInput(
      'these are claims without iss and exp, such as UserInfo: paste the ID token, or all of its claims',
    );
  }
  const { names } = showableNames(Object.keys(json));
  throw new UnusableInput(`this is JSON with ${names.join(', ') || 'no field'}: ${EXPECTED}`);
}

function refuse(text: string): never {
  if (text.includes('-----BEGIN ')) {
    throw new UnusableInput(`this is a certificate or a key, and keys are secret; ${EXPECTED}`);
  }
  const isTraffic = ['SAMLart', 'SAMLRequest', 'wresult', 'code'].some(
    (name) => valueIn(text, name) !== null,
  );
  if (isTraffic) throw new UnusableInput(`this is not a login: ${whyNone([text])}`);
  if (HTML.test(text)) throw new UnusableInput(`this is a page without a login: ${EXPECTED}`);
  if (isXml(text)) throw new UnusableInput(`this is XML, but not SAML: ${EXPECTED}`);
  throw new UnusableInput(`this is a text of ${text.length} characters without a login: ${EXPECTED}`);
}
