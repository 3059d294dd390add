/** Recorded traffic of a browser, whatever recorded it: HAR files (HTTP Archive 1.2), and exports of the extension SAML-tracer. */
import { isJsonObject } from '../../lib/schema.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { loginsInJson, loginsInText, refusalsInText } from './browserText.ts';
import type { Found } from './captured.ts';
import { isXml, jsonIn } from './encoded.ts';

type Json = Record<string, unknown>;

interface Recorded {
  /** The address, the form as it was sent, and where the response leads to: the address of a request has no fragment. */
  sent: string[];
  response: string;
  /** In milliseconds since 1970; null where it is not known. */
  sentAt: number | null;
}

const NONE =
  'none has a SAMLResponse or an ID token: record the whole login, from the button to the page after it';

/** How many requests are looked at. */
const MAX_REQUESTS = 10_000;

/**
 * @returns none where the JSON is no recorded traffic
 * @throws {UnusableInput} for traffic without a login
 */
export function loginsInTraffic({ log, requests }: Json): Found[] {
  const { entries } = objectOf(log);
  const all = Array.isArray(entries) ? entries : requests;
  if (!Array.isArray(all)) return [];
  const read = all === entries ? harEntry : tracedRequest;
  const recorded = all.slice(0, MAX_REQUESTS).map((one) => read(objectOf(one)));
  const placed = (foundIn: (one: Recorded) => Found[]) =>
    recorded.flatMap((one, index) =>
      foundIn(one).map((login) => ({ ...login, where: `request ${index + 1}`, sentAt: one.sentAt })),
    );
  const logins = placed(loginsInRecorded);
  // Pages ask without a person first, and are refused: refusals count where nobody got in.
  const found = logins.length > 0 ? logins : placed(({ sent }) => sent.flatMap(refusalsInText));
  if (found.length > 0) return found;
  const why = whyNone(recorded.flatMap(({ sent }) => sent)) ?? NONE;
  throw new UnusableInput(`this recording has ${all.length} requests, and ${why}`);
}

function loginsInRecorded({ sent, response }: Recorded): Found[] {
  const inResponse = response.includes('id_token') ? loginsInJson(jsonIn(response)) : [];
  return [...sent.flatMap(loginsInText), ...inResponse];
}

function harEntry({ startedDateTime, request, response }: Json): Recorded {
  const { url, postData } = objectOf(request);
  const { text, params } = objectOf(postData);
  const { content, redirectURL, headers } = objectOf(response);
  const { text: received, encoding } = objectOf(content);
  const location = objectsIn(headers).find(({ name }) => /^location$/i.test(textOf(name)));
  const started = Date.parse(String(startedDateTime));
  const body = textOf(text) || formOf(objectsIn(params).map(({ name, value }) => [name, value]));
  // Firefox leaves it empty where the header has a lower-case name, as in HTTP/2.
  const redirect = textOf(redirectURL) || textOf(location?.value);
  return {
    sent: [textOf(url), body, redirect],
    response: encoding === 'base64' ? Buffer.from(textOf(received), 'base64').toString() : textOf(received),
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
  return { sent: [textOf(url), formOf(values)], response: '', sentAt: null };
}

function formOf(pairs: readonly [name: unknown, value: unknown][]): string {
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`).join('&');
}

/** What people take for a login, or for all of it. The first that fits counts. */
const WITHOUT_LOGIN: readonly (readonly [RegExp, why: string])[] = [
  [/=%7B(?:hash|obf)%3A/, 'its values are masked: export it again with the cookie profile None'],
  [
    /\bSAMLart["']?\s*[=:]/,
    'the provider sends an artifact (SAMLart), which the service resolves without the browser: have it use the POST binding',
  ],
  [
    /\bwresult["']?\s*[=:]/,
    'this is a login with WS-Federation: choose SAML 2.0 or OpenID Connect at the provider',
  ],
  [
    /^(?=.*\bcode[=:])(?=.*\bstate[=:])/s,
    'the browser sees only a code, for which the service gets the tokens itself: paste the token response of the service',
  ],
  [/\bSAMLRequest["']?\s*[=:]/, 'it has a SAMLRequest but no response to it: record the whole login'],
  [/-----BEGIN /, 'this is a certificate or a key, and keys are secret: paste what the browser sent'],
];

/** Why there is no login, as far as it shows; null where it does not. */
export function whyNone(texts: readonly string[]): string | null {
  return WITHOUT_LOGIN.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1] ?? null;
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
