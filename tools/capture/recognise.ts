/** What a text is that somebody caught: the logins in it, not yet read. */
import { isJsonObject } from '../../lib/schema.ts';
import { showableNames } from '../../lib/text.ts';
import { functionsOf } from '../local/events.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Found, MAX_ITEMS } from './captured.ts';
import { decodedXml, isXml } from './encoded.ts';
import { jsonIn, parseJson } from './json.ts';
import { isLoginRecord } from './logRecord.ts';
import { isToken, loginsInJson, loginsInText, valueIn } from './text.ts';
import { loginsInHar, loginsInTrace, whyNone } from './traffic.ts';

/** In characters: the studio takes no more either. */
const MAX_CAPTURE_LENGTH = 10_485_760;

const EXPECTED =
  'expected a SAMLResponse (base64 or XML), an ID token, a token response, a HAR file, a SAML-tracer export, an event, or a log record of a login';

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

function loginsIn(text: string): Found[] {
  if (isToken(text)) return loginsInJson({ id_token: text }, null);
  if (/^[[{"]/.test(text)) return recordsInLines(text) ?? loginsInParsed(parseJson(text));
  const inText = loginsInText(text, null);
  if (inText.length > 0) return inText;
  const xml = isHtml(text) ? null : decodedXml(text);
  if (xml !== null) return [{ kind: 'SAMLResponse', where: '', xml, sentAt: null }];
  return recordsInLines(text) ?? refuse(text);
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
function loginsInObject(json: Record<string, unknown>): Found[] | null {
  const record = recordIn(json);
  if (record) return [{ kind: 'log record', where: '', record }];
  if (functionsOf(json).length > 0) return [{ kind: 'event', where: '', event: json }];
  const traffic = loginsInHar(json) ?? loginsInTrace(json);
  if (traffic) return traffic;
  const tokens = loginsInJson(json, null);
  if (tokens.length > 0) return tokens;
  const xml = typeof json.SAMLResponse === 'string' ? decodedXml(json.SAMLResponse) : null;
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

/** The record of a login, as it is or in the envelope that Lambda's JSON logging puts around it. */
function recordIn(json: Record<string, unknown>): Record<string, unknown> | null {
  const inside = typeof json.message === 'string' ? jsonIn(json.message) : json.message;
  return [json, inside].filter(isJsonObject).find(isLoginRecord) ?? null;
}

/** The records of logins in lines of a log; null where there are none. A single line is JSON, or has a prefix before it. */
function recordsInLines(text: string): Found[] | null {
  const isAlone = !text.includes('\n') && text.startsWith('{');
  if (isAlone || !/login\\?"/.test(text)) return null;
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const likely = lines.filter(({ line }) => /login\\?"/.test(line));
  const found = likely.slice(0, MAX_ITEMS).flatMap(({ line, number }): Found[] => {
    const json = jsonIn(line.slice(line.indexOf('{')));
    const record = isJsonObject(json) ? recordIn(json) : null;
    return record ? [{ kind: 'log record', where: `line ${number}`, record }] : [];
  });
  return found.length > 0 ? found : null;
}

function refuseObject(json: Record<string, unknown>): never {
  const { error, access_token, iss, sub, requestContext } = json;
  if (typeof error === 'string') {
    throw new UnusableInput(
      'this is an error of the provider and not a login: see its error code in the documentation of the provider',
    );
  }
  if (access_token !== undefined) {
    throw new UnusableInput('this token response has no ID token: have the service ask for the scope openid');
  }
  if (iss !== undefined || sub !== undefined) {
    throw new UnusableInput(
      'these are claims, such as UserInfo or a decoded token: paste the ID token as it was sent, of three parts with dots between them',
    );
  }
  if (requestContext !== undefined) {
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
