/** Logins in texts as browsers and their developer tools show them: addresses, form bodies, cURL commands. */
import { isJsonObject } from '../../lib/schema.ts';
import type { Found } from './captured.ts';
import { decodedXml, percentDecoded } from './encoded.ts';
import { oauthErrorOf } from './refusals.ts';

/** `<header>.<payload>.<signature>`, or the five parts of an encrypted token; the first part of each begins with `{"`. */
const PARTS = [3, 5];

export function isToken(text: unknown): text is string {
  if (typeof text !== 'string' || !/^ey[\w-]/.test(text) || /[^\w.-]/.test(text)) return false;
  return PARTS.includes(text.split('.', Math.max(...PARTS) + 1).length);
}

/** @param text an address, a form body as it was sent or as it is shown, or a command */
export function loginsInText(text: string): Found[] {
  const saml = valueIn(text, 'SAMLResponse');
  const xml = saml === null ? null : decodedXml(saml);
  return xml === null ? tokensIn((name) => valueIn(text, name)) : [{ kind: 'SAMLResponse', xml }];
}

/** What no text beside an address or a form body has: white space, quotes and brackets. */
const NOT_IN_ADDRESS = /[\s"'<>{}]/;

/**
 * The refusal that a provider sends by way of the browser: in the query, the fragment or the form body (OpenID Connect Core
 * 3.1.2.6, 3.2.2.6). An address of another kind may have `error` too: one of a provider has what belongs to it.
 */
export function refusalsInText(text: string): Found[] {
  if (NOT_IN_ADDRESS.test(text)) return [];
  const parameters = text.replace(/^[a-z][\w+.-]*:[^?#]*/i, '').replaceAll(/[?#]/g, '&');
  const { error, ...others } = formFields(parameters, ['error', 'error_description', 'iss', 'state']);
  return Object.keys(others).length > 0 ? refusalsInJson({ error, ...others }) : [];
}

/**
 * Any page can send a form (SAML Bindings 3.5.4): it is read in linear time.
 *
 * @param body of `application/x-www-form-urlencoded`. `URLSearchParams` takes the square of the number of names
 * @returns the value of each of these names, its first one; undefined where there is none
 */
export function formFields<const TName extends string>(
  body: string,
  names: readonly TName[],
): Partial<Record<TName, string>> {
  const fields: Partial<Record<TName, string>> = {};
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('&', at) < 0 ? body.length : body.indexOf('&', at);
    const name = names.find((one) => body.startsWith(`${one}=`, at));
    if (name !== undefined)
      fields[name] ??= percentDecoded(body.slice(at + name.length + 1, end).replaceAll('+', ' '));
    at = end + 1;
  }
  return fields;
}

/** Of the JSON of a token endpoint (RFC 6749 section 5.2), or of the parameters of a callback. */
export function refusalsInJson(json: Readonly<Record<string, unknown>>): Found[] {
  const refused = oauthErrorOf(json);
  const iss = typeof json.iss === 'string' ? json.iss : null;
  return refused === null ? [] : [{ kind: 'refused login', ...refused, iss }];
}

/** Of the JSON of a token endpoint (OpenID Connect Core 3.1.3.3). */
export function loginsInJson(json: unknown): Found[] {
  return isJsonObject(json) ? tokensIn((name) => json[name]) : [];
}

/** @param parameter a parameter of the token response */
function tokensIn(parameter: (name: string) => unknown): Found[] {
  const idToken = parameter('id_token');
  if (!isToken(idToken)) return [];
  const text = (name: string) => {
    const value = parameter(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const expiresIn = Number(parameter('expires_in') ?? Number.NaN);
  const tokens = {
    id_token: idToken,
    access_token: text('access_token') ?? '',
    token_type: text('token_type') ?? 'Bearer',
    expires_in: Number.isFinite(expiresIn) ? expiresIn : undefined,
    refresh_token: text('refresh_token'),
  };
  return [{ kind: tokens.access_token === '' ? 'ID token' : 'token response', tokens }];
}

/** The value of a parameter, still URL-encoded; null where the text has none. */
function valueIn(text: string, name: string): string | null {
  if (!text.includes(name)) return null;
  const pattern = new RegExp(`(?:^|[?&#\\s'"{,])${name}["']?\\s*[=:]\\s*["']?([^&'"\\s,}]+)`);
  return pattern.exec(text)?.[1] ?? null;
}
