/** Recorded traffic of a browser, whatever recorded it: HAR files (HTTP Archive 1.2), and exports of the extension SAML-tracer. */
import { isJsonObject } from '../../lib/schema.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { loginsInJson, loginsInText, refusalsInText, valueIn } from './browserText.ts';
import type { Found } from './captured.ts';
import { isXml } from './encoded.ts';
import { jsonIn } from './json.ts';

type Json = Record<string, unknown>;

interface Recorded {
  url: string;
  /** Of a form, encoded. */
  body: string;
  response: string;
  /** Where the response leads to: the address of a request has no fragment. */
  redirect: string;
  /** In milliseconds since 1970; null where it is not known. */
  sentAt: number | null;
}

/** How many requests are looked at. */
const MAX_REQUESTS = 10_000;

/**
 * @returns null where the JSON is no recorded traffic
 * @throws {UnusableInput} for traffic without a login
 */
export function loginsInTraffic({ log, requests }: Json): Found[] | null {
  const { entries } = objectOf(log);
  const all = Array.isArray(entries) ? entries : requests;
  if (!Array.isArray(all)) return null;
  const read = all === entries ? harEntry : tracedRequest;
  const recorded = all.slice(0, MAX_REQUESTS).map((one) => read(objectOf(one)));
  const placed = (foundIn: (one: Recorded) => Found[]) =>
    recorded.flatMap((one, index) =>
      foundIn(one).map((login) => ({ ...login, where: `request ${index + 1}`, sentAt: one.sentAt })),
    );
  const logins = placed(loginsInRecorded);
  // Pages ask without a person first, and are refused: refusals count where nobody got in.
  const found = logins.length > 0 ? logins : placed((one) => sentTexts(one).flatMap(refusalsInText));
  if (found.length > 0) return found;
  throw new UnusableInput(
    `this recording has ${all.length} requests, and ${whyNone(recorded.flatMap(sentTexts))}`,
  );
}

function sentTexts({ url, body, redirect }: Recorded): string[] {
  return [url, body, redirect];
}

function loginsInRecorded(one: Recorded): Found[] {
  const inResponse = one.response.includes('id_token') ? loginsInJson(jsonIn(one.response)) : [];
  return [...sentTexts(one).flatMap(loginsInText), ...inResponse];
}

function harEntry({ startedDateTime, request, response }: Json): Recorded {
  const { url, postData } = objectOf(request);
  const { text, params } = objectOf(postData);
  const { content, redirectURL } = objectOf(response);
  const { text: received, encoding } = objectOf(content);
  const pairs = Array.isArray(params) ? params.map(objectOf) : [];
  const started = Date.parse(String(startedDateTime));
  return {
    url: textOf(url),
    body: textOf(text) || formOf(pairs.map(({ name, value }) => [name, value])),
    response: encoding === 'base64' ? Buffer.from(textOf(received), 'base64').toString() : textOf(received),
    redirect: textOf(redirectURL),
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
  return { url: textOf(url), body: formOf(values), response: '', redirect: '', sentAt: null };
}

function formOf(pairs: readonly [name: unknown, value: unknown][]): string {
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`).join('&');
}

/** Why traffic has no login, as far as it shows. */
export function whyNone(texts: readonly string[]): string {
  const has = (name: string) => texts.some((text) => valueIn(text, name) !== null);
  if (has('code') && has('state')) {
    return 'the browser sees only a code, for which the service gets the tokens itself: paste the token response of the service';
  }
  if (has('SAMLRequest')) return 'it has a SAMLRequest but no response to it: record the whole login';
  return 'none has a SAMLResponse or an ID token: record the whole login, from the button to the page after it';
}

function objectOf(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
