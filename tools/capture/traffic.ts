/** Recorded traffic of a browser, whatever recorded it: HAR files, and exports of the extension SAML-tracer. */
import { isJsonObject } from '../../lib/schema.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { loginsInJson, loginsInText, refusalsInText, valueIn } from './browserText.ts';
import { type Found, MAX_ITEMS } from './captured.ts';
import { isXml } from './encoded.ts';
import { jsonIn } from './json.ts';

type Json = Record<string, unknown>;

interface Recorded {
  url: string;
  /** Of a form, encoded. */
  body: string;
  response: string;
  /** Where the response leads to: the address of a request has no fragment. */
  redirects: string[];
  /** In milliseconds since 1970; null where it is not known. */
  sentAt: number | null;
}

interface Format {
  name: string;
  item: string;
  items: string;
  list(json: Json): unknown;
  read(item: Json): Recorded;
}

const FORMATS: readonly Format[] = [
  // HTTP Archive 1.2
  {
    name: 'HAR file',
    item: 'entry',
    items: 'entries',
    list: ({ log }) => objectOf(log).entries,
    read: harEntry,
  },
  {
    name: 'SAML-tracer export',
    item: 'request',
    items: 'requests',
    list: ({ requests }) => requests,
    read: tracedRequest,
  },
];

/**
 * @returns null where the JSON is no recorded traffic
 * @throws {UnusableInput} for traffic without a login
 */
export function loginsInTraffic(json: Json): Found[] | null {
  const format = FORMATS.find(({ list }) => Array.isArray(list(json)));
  return format ? loginsIn(format, format.list(json) as unknown[]) : null;
}

function loginsIn({ name, item, items, read }: Format, all: readonly unknown[]): Found[] {
  const recorded = all.slice(0, MAX_ITEMS).map((one) => read(objectOf(one)));
  const placed = (foundIn: (one: Recorded) => Found[]) =>
    recorded.flatMap((one, index) =>
      foundIn(one).map((login) => ({ ...login, where: `${item} ${index + 1}` })),
    );
  const logins = placed(loginsInRecorded);
  if (logins.length > 0) return logins;
  // Pages ask without a person first, and are refused: refusals count where nobody got in.
  const refused = placed((one) => sentTexts(one).flatMap(refusalsInText));
  if (refused.length > 0) return refused;
  const texts = recorded.flatMap(sentTexts);
  if (texts.some((text) => /=%7B(?:hash|obf)%3A/.test(text))) {
    throw new UnusableInput(
      `the values of this ${name} are masked: export it again with the cookie profile None`,
    );
  }
  throw new UnusableInput(`this ${name} has ${all.length} ${items}, and ${whyNone(texts)}`);
}

function sentTexts({ url, body, redirects }: Recorded): string[] {
  return [url, body, ...redirects];
}

function loginsInRecorded(one: Recorded): Found[] {
  const { response, sentAt } = one;
  const sent = sentTexts(one).flatMap((text) => loginsInText(text, sentAt));
  const isOfTokens = /^\s*\{/.test(response) && response.includes('id_token');
  return isOfTokens ? [...sent, ...loginsInJson(jsonIn(response), sentAt)] : sent;
}

function harEntry({ startedDateTime, request, response }: Json): Recorded {
  const { url, postData } = objectOf(request);
  const { text, params } = objectOf(postData);
  const { content, redirectURL, headers } = objectOf(response);
  const { text: received, encoding } = objectOf(content);
  const started = Date.parse(String(startedDateTime));
  const pairs = objectsIn(params).map(({ name, value }): [unknown, unknown] => [name, value]);
  const locations = objectsIn(headers).filter(({ name }) => /^location$/i.test(String(name)));
  return {
    url: textOf(url),
    body: textOf(text) || formOf(pairs),
    response: encoding === 'base64' ? Buffer.from(textOf(received), 'base64').toString() : textOf(received),
    redirects: [...new Set([redirectURL, ...locations.map(({ value }) => value)].map(textOf))],
    sentAt: Number.isFinite(started) ? started : null,
  };
}

/** Its values may be masked where the message, which it decodes, is not. */
function tracedRequest({ url, post, get, saml }: Json): Recorded {
  const pairs = [post, get].flatMap((list) => (Array.isArray(list) ? list.filter(Array.isArray) : []));
  const message = textOf(saml);
  const values = pairs.map(([name, value]): [unknown, unknown] => [
    name,
    name === 'SAMLResponse' && isXml(message) ? message : value,
  ]);
  return { url: textOf(url), body: formOf(values), response: '', redirects: [], sentAt: null };
}

function formOf(pairs: readonly [name: unknown, value: unknown][]): string {
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`).join('&');
}

const NONE =
  'none has a SAMLResponse or an ID token: record the whole login, from the button to the page after it';

/** Why traffic has no login, as far as it shows. */
export function whyNone(texts: readonly string[]): string {
  const has = (name: string) => texts.some((text) => valueIn(text, name) !== null);
  if (has('SAMLart')) {
    return 'the provider sends an artifact (SAMLart), which the service resolves without the browser: have it use the POST binding';
  }
  if (has('wresult')) {
    return 'this is a login with WS-Federation: choose SAML 2.0 or OpenID Connect at the provider';
  }
  if (has('code') && has('state')) {
    return 'the browser sees only a code, for which the service gets the tokens itself: paste the token response of the service';
  }
  if (has('SAMLRequest')) return 'it has a SAMLRequest but no response to it: record the whole login';
  return NONE;
}

function objectsIn(list: unknown): Json[] {
  return Array.isArray(list) ? list.map(objectOf) : [];
}

function objectOf(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
