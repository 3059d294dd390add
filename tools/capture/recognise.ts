/** What a text is that somebody caught: the logins in it, not yet read. */
import { jsonMistake } from '../../lib/jsonMistake.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { showableNames } from '../../lib/text.ts';
import { functionIn } from '../local/events.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { isToken, loginsInJson, loginsInText, refusalsInJson, refusalsInText } from './browserText.ts';
import type { Found } from './captured.ts';
import { decodedXml, jsonIn } from './encoded.ts';
import { loginsInTraffic, whyNone } from './traffic.ts';

/** In characters: the studio takes no more either. */
const MAX_CAPTURE_LENGTH = 10_485_760;

type Json = Record<string, unknown>;

/** What an object of JSON may be: the first that fits counts. Each gives the logins in it, and none for another format. */
const FORMATS: readonly ((json: Json) => Found[])[] = [
  (event) => (functionIn(event) ? [{ kind: 'event', event }] : []),
  loginsInTraffic,
  loginsInJson,
  refusalsInJson,
  ({ SAMLResponse: text }) => (typeof text === 'string' ? loginsInXml(text) : []),
  (json) => claimsIn(json.header ?? { alg: 'none' }, json.payload ?? json),
];

const EXPECTED =
  'expected a SAMLResponse (base64 or XML), an ID token or its claims, an event, a HAR file, a SAML-tracer export, a token response, the refusal of a provider, or a form with a SAMLResponse';

/** @throws {UnusableInput} that says what the text looks like, and what is expected */
export function recognise(capture: string): Found[] {
  if (capture.length > MAX_CAPTURE_LENGTH) {
    throw new UnusableInput(
      `this has ${capture.length} characters, expected at most ${MAX_CAPTURE_LENGTH}: take only the request of the login`,
    );
  }
  const given = capture.replace(/^\uFEFF/, '').trim();
  if (given === '') throw new UnusableInput(`this is empty: ${EXPECTED}`);
  if (/^[[{]/.test(given)) return loginsInJsonText(headerBesideClaims(given) ?? given);
  const text = HTML.test(given) ? withoutReferences(given) : given;
  for (const candidate of [text, ...partsOf(text)]) {
    const found = loginsInCandidate(candidate);
    if (found.length > 0) return found;
  }
  refuse(text);
}

function loginsInJsonText(text: string): Found[] {
  const json = jsonIn(text);
  if (json === undefined) {
    throw new UnusableInput(
      `this is no JSON (${jsonMistake(text)}), or it is nested too deeply: copy all of it`,
    );
  }
  const [header, claims] = Array.isArray(json) ? json : [];
  const found = isJsonObject(json) ? loginsInObject(json) : claimsIn(header, claims);
  if (found.length > 0) return found;
  if (isJsonObject(json)) refuseObject(json);
  throw new UnusableInput(`this is JSON, but not an object: ${EXPECTED}`);
}

/**
 * What shows tokens shows a header without an object in it, and the claims below.
 *
 * @returns both in a list; null for another text
 */
function headerBesideClaims(text: string): string | null {
  const end = text.indexOf('}') + 1;
  const begin = text.indexOf('{', end);
  if (!text.startsWith('{') || !text.endsWith('}') || end === 0 || begin < 0) return null;
  const isHeader = text.lastIndexOf('{', end) === 0 && !/[^\s.,]/.test(text.slice(end, begin));
  return isHeader ? `[${text.slice(0, end)},${text.slice(begin)}]` : null;
}

/** A page that posts a response by itself has it in a form. */
const HTML = /^<(?:!doctype\s+)?html\b/i;

/** Frameworks write the signs of base64 as numbers: `&#43;` or `&#x2b;`. */
function withoutReferences(html: string): string {
  return html.replace(/&#(?:(\d{2})|x([0-9a-f]{2}));/gi, (_, decimal, hex) =>
    String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)),
  );
}

const MAX_PARTS = 20;

/** Where a login stands in a chat, a mail or a ticket: in a code block, as JSON or XML, or as one word. */
function partsOf(text: string): string[] {
  // The first part stands before the first fence, and each second one in a block.
  const blocks = text.split('```').filter((_, index) => index % 2 === 1);
  const parts = [
    ...blocks.map((block) => block.replace(/^[\w-]*\n/, '')),
    ...[between(text, '{', '}'), messageIn(text), longestWord(text)],
  ];
  return parts.slice(0, MAX_PARTS).map((part) => part.trim());
}

function loginsInCandidate(text: string): Found[] {
  const json = jsonIn(text);
  if (isJsonObject(json)) return loginsInObject(json);
  const found = [...loginsInText(text), ...refusalsInText(text)];
  if (found.length > 0 || HTML.test(text)) return found;
  return isToken(text) ? loginsInJson({ id_token: text }) : loginsInXml(text);
}

/** @returns an empty text where one of them is not there, and so do the next two */
function between(text: string, start: string, end: string): string {
  const [from, to] = [text.indexOf(start), text.lastIndexOf(end)];
  return from < 0 || to < from ? '' : text.slice(from, to + end.length);
}

/** From the first start of a message to the last end of it. */
function messageIn(text: string): string {
  const [start, name] =
    /<((?:[\w.-]{1,40}:)?(?:Response|Assertion|EncryptedAssertion))[\s>]/.exec(text) ?? [];
  return start === undefined ? '' : between(text, start, `</${name}>`);
}

/** Tokens and base64 are longer than what people write; a sign of a sentence may follow. */
function longestWord(text: string): string {
  const words = text.split(/[\s"'`<>(),;]+/).map((word) => word.replace(/[.:!?]+$/, ''));
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function loginsInObject(json: Json): Found[] {
  for (const loginsIn of FORMATS) {
    const found = loginsIn(json);
    if (found.length > 0) return found;
  }
  return [];
}

function loginsInXml(text: string): Found[] {
  const xml = decodedXml(text);
  return xml === null ? [] : [{ kind: 'SAMLResponse', xml }];
}

/** The decoded payload of an ID token, as providers and decoders of tokens show it. UserInfo has no `exp`. */
function claimsIn(header: unknown, claims: unknown): Found[] {
  if (!isJsonObject(header) || !isJsonObject(claims)) return [];
  if (typeof claims.iss !== 'string' || claims.exp === undefined) return [];
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const tokens = { id_token: `${parts.join('.')}.`, access_token: '', token_type: 'Bearer' };
  return [{ kind: 'claims of an ID token', tokens }];
}

/** By a field of the JSON that people take for a login. */
const WITHOUT_ID_TOKEN: readonly (readonly [field: string, why: string])[] = [
  ['access_token', 'this token response has no ID token: have the service ask for the scope openid'],
  ['sub', 'these are claims without iss and exp, such as UserInfo: paste the ID token, or all of its claims'],
];

function refuseObject(json: Json): never {
  const [, why] = WITHOUT_ID_TOKEN.find(([field]) => Object.hasOwn(json, field)) ?? [];
  if (why !== undefined) throw new UnusableInput(why);
  const { names } = showableNames(Object.keys(json));
  throw new UnusableInput(`this is JSON with ${names.join(', ') || 'no field'}: ${EXPECTED}`);
}

function refuse(text: string): never {
  const why = whyNone([text]);
  if (why !== null) throw new UnusableInput(`this is not a login: ${why}`);
  if (HTML.test(text)) throw new UnusableInput(`this is a page without a login: ${EXPECTED}`);
  throw new UnusableInput(`this is a text of ${text.length} characters without a login: ${EXPECTED}`);
}
