/** Logins in texts as browsers and their developer tools show them: addresses, form bodies, cURL commands. */
import { isJsonObject } from '../../lib/schema.ts';
import type { Found } from './captured.ts';
import { decodedXml } from './encoded.ts';
import { oauthErrorOf } from './refusals.ts';

/** `<header>.<payload>.<signature>`, or the five parts of an encrypted token; the first part of each begins with `{"`. */
const PARTS = [3, 5];

export function isToken(text: unknown): text is string {
  if (typeof text !== 'string' || !/^ey[\w-]/.test(text) || /[^\w.-]/.test(text)) return false;
  return PARTS.includes(text.split('.', Math.max(...PARTS) + 1).length);
}

/**
 * @param text an address, a form body as it was sent or as it is shown, or a command
 * @param sentAt in milliseconds since 1970; null where it is not known
 */
export function loginsInText(text: string, sentAt: number | null): Found[] {
  const saml = valueIn(text, 'SAMLResponse');
  const xml = saml === null ? null : decodedXml(saml);
  if (xml !== null) return [{ kind: 'SAMLResponse', where: '', xml, sentAt }];
  const idToken = valueIn(text, 'id_token');
  return isToken(idToken) ? [tokensOf((name) => valueIn(text, name), idToken, sentAt)] : [];
}

/** What no text beside an address or a form body has: white space, quotes and brackets. */
const NOT_IN_ADDRESS = /[\s"'<>{}]/;

/**
 * The refusal that a provider sends by way of the browser: in the query, the fragment or the form body (OpenID Connect Core
 * 3.1.2.6, 3.2.2.6). An address of another kind may have `error` too: one of a provider has what belongs to it.
 */
export function refusalsInText(text: string): Found[] {
  if (!text.includes('error=') || NOT_IN_ADDRESS.test(text)) return [];
  const all = new URLSearchParams(text.replace(/^[a-z][\w+.-]*:[^?#]*/i, '').replaceAll(/[?#]/g, '&'));
  const isOfProvider = ['state', 'error_description', 'iss'].some((name) => all.has(name));
  return isOfProvider ? refusalsInJson(Object.fromEntries(all)) : [];
}

/** Of the JSON of a token endpoint (RFC 6749 section 5.2), or of the parameters of a callback. */
export function refusalsInJson(json: Readonly<Record<string, unknown>>): Found[] {
  const refused = oauthErrorOf(json);
  if (refused === null) return [];
  return [
    { kind: 'refused login', where: '', ...refused, iss: typeof json.iss === 'string' ? json.iss : null },
  ];
}

/** Of the JSON of a token endpoint (OpenID Connect Core 3.1.3.3). */
export function loginsInJson(json: unknown, sentAt: number | null): Found[] {
  if (!isJsonObject(json) || !isToken(json.id_token)) return [];
  return [tokensOf((name) => json[name], json.id_token, sentAt)];
}

/** @param parameter a parameter of the token response */
function tokensOf(parameter: (name: string) => unknown, idToken: string, sentAt: number | null): Found {
  const text = (name: string) => {
    const value = parameter(name);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const accessToken = text('access_token');
  const expiresIn = Number(parameter('expires_in') ?? Number.NaN);
  return {
    kind: accessToken === null ? 'ID token' : 'token response',
    where: '',
    idToken,
    accessToken,
    tokenType: text('token_type'),
    expiresIn: Number.isFinite(expiresIn) ? expiresIn : null,
    refreshToken: text('refresh_token'),
    sentAt,
  };
}

/** The value of a parameter, still URL-encoded; null where the text has none. */
export function valueIn(text: string, name: string): string | null {
  if (!text.includes(name)) return null;
  const pattern = new RegExp(`(?:^|[?&#\\s'"{,])${name}["']?\\s*[=:]\\s*["']?([^&'"\\s,}]+)`);
  return pattern.exec(text)?.[1] ?? null;
}
