/** Recorded traffic of a browser: HAR files, and exports of the extension SAML-tracer. */
import { isJsonObject } from '../../lib/schema.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { loginsInJson, loginsInText, refusalsInText, valueIn } from './browserText.ts';
import { type Found, MAX_ITEMS } from './captured.ts';
import { decodedXml, isXml } from './encoded.ts';
import { jsonIn } from './json.ts';

type Json = Record<string, unknown>;

/**
 * The logins of a HAR file (HTTP Archive 1.2): `log.entries`, each with `request`, `response` and `startedDateTime`.
 *
 * @returns null where it is none
 * @throws {UnusableInput} for one without a login
 */
export function loginsInHar(json: Json): Found[] | null {
  const all = isJsonObject(json.log) ? json.log.entries : undefined;
  if (!Array.isArray(all)) return null;
  const entries = all.slice(0, MAX_ITEMS);
  const found = entries.flatMap((entry, index) => loginsInEntry(objectOf(entry), `entry ${index + 1}`));
  if (found.length > 0) return found;
  const texts = entries.map((entry) => sentTexts(objectOf(entry)));
  const refused = refusalsIn(texts, 'entry');
  if (refused.length > 0) return refused;
  throw new UnusableInput(`this HAR file has ${all.length} entries, and ${whyNone(texts.flat())}`);
}

/** They count where nobody got in: pages ask without a person first, and are refused. */
function refusalsIn(texts: readonly string[][], item: string): Found[] {
  return texts.flatMap((of, index) =>
    of.flatMap(refusalsInText).map((one) => ({ ...one, where: `${item} ${index + 1}` })),
  );
}

function loginsInEntry(entry: Json, where: string): Found[] {
  const started = Date.parse(String(entry.startedDateTime));
  const sentAt = Number.isFinite(started) ? started : null;
  const content = objectOf(objectOf(entry.response).content);
  const named = (side: string) => (found: Found) => ({ ...found, where: `${where}, ${side}` });
  const inTexts = (texts: readonly string[]) => texts.flatMap((text) => loginsInText(text, sentAt));
  return [
    ...inTexts(requestTexts(objectOf(entry.request))).map(named('request')),
    ...inTexts(redirects(objectOf(entry.response))).map(named('response')),
    ...loginsInContent(content, sentAt).map(named('response')),
  ];
}

function sentTexts({ request, response }: Json): string[] {
  return [...requestTexts(objectOf(request)), ...redirects(objectOf(response))];
}

/** Where a response leads to: the address of a request has no fragment (HAR 1.2). */
function redirects({ redirectURL, headers }: Json): string[] {
  const all = (Array.isArray(headers) ? headers : []).map(objectOf);
  const locations = all.filter(({ name }) => /^location$/i.test(String(name))).map(({ value }) => value);
  return [...new Set([redirectURL, ...locations])].filter((one) => typeof one === 'string');
}

/** What a request carries in its address and in its body. */
function requestTexts({ url, postData }: Json): string[] {
  const { text, params } = objectOf(postData);
  const pairs = (Array.isArray(params) ? params : []).map(objectOf);
  const body = text || pairs.map(({ name, value }) => `${name}=${value}`).join('&');
  return [url, body].filter((one) => typeof one === 'string');
}

/** What the body of a response carries: JSON of a token endpoint, or a page that posts a form. */
function loginsInContent({ text, encoding }: Json, sentAt: number | null): Found[] {
  if (typeof text !== 'string') return [];
  const decoded = encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text;
  if (!/id_token|SAMLResponse/.test(decoded)) return [];
  return /^\s*\{/.test(decoded) ? loginsInJson(jsonIn(decoded), sentAt) : loginsInText(decoded, sentAt);
}

/**
 * The logins of a SAML-tracer export: `requests`, each with `url`, `get` and `post` as lists of name and value, and the message
 * decoded in `saml`.
 *
 * @returns null where it is none
 * @throws {UnusableInput} for one without a login
 */
export function loginsInTrace(json: Json): Found[] | null {
  if (!Array.isArray(json.requests)) return null;
  const requests = json.requests.slice(0, MAX_ITEMS).map(objectOf);
  const found = requests.flatMap((request, index) =>
    loginsInTraced(request).map((one) => ({ ...one, where: `request ${index + 1}` })),
  );
  if (found.length > 0) return found;
  const refused = refusalsIn(requests.map(tracedTexts), 'request');
  if (refused.length > 0) return refused;
  const texts = requests.flatMap(tracedTexts);
  if (texts.some((text) => /=\{(?:hash|obf):/.test(text))) {
    throw new UnusableInput(
      'the values of this SAML-tracer export are masked: export it again with the cookie profile None',
    );
  }
  throw new UnusableInput(`this SAML-tracer export has ${requests.length} requests, and ${whyNone(texts)}`);
}

function loginsInTraced(request: Json): Found[] {
  const response = [request.post, request.get].map((list) => pairOf(list, 'SAMLResponse')).find(Boolean);
  if (response === undefined) return tracedTexts(request).flatMap((text) => loginsInText(text, null));
  // The values may be masked where the decoded message is not.
  const { saml } = request;
  const xml = typeof saml === 'string' && isXml(saml) ? saml : decodedXml(response ?? '');
  return xml === null ? [] : [{ kind: 'SAMLResponse', where: '', xml, sentAt: null }];
}

function tracedTexts({ url, post }: Json): string[] {
  const pairs = Array.isArray(post) ? post.filter(Array.isArray) : [];
  const body = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  return [url, body].filter((one) => typeof one === 'string');
}

function pairOf(list: unknown, name: string): string | null {
  const pairs = Array.isArray(list) ? list.filter(Array.isArray) : [];
  const [, value] = pairs.find(([key]) => key === name) ?? [];
  return typeof value === 'string' ? value : null;
}

const NONE =
  'none has a SAMLResponse or an ID token: record the whole login, from the button to the page after it';

/** Why traffic has no login, as far as it shows. */
export function whyNone(texts: readonly string[]): string {
  const has = (name: string) => texts.some((text) => valueIn(text, name) !== null);
  if (has('SAMLart')) {
    return 'the provider sends an artifact (SAMLart), which the service resolves without the browser: have it use the POST binding';
  }
  if (has('wresult'))
    return 'this is a login with WS-Federation: choose SAML 2.0 or OpenID Connect at the provider';
  if (has('code') && has('state')) {
    return 'the browser sees only a code, for which the service gets the tokens itself: paste the token response of the service';
  }
  if (has('SAMLRequest')) return 'it has a SAMLRequest but no response to it: record the whole login';
  return NONE;
}

function objectOf(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}
