/** What may grow in an HTTP request around the event: body, headers. */
import { overHttp } from '../../support/wire.ts';
import { type GrowingInput, LARGEST_BODY, LARGEST_HEADERS } from './input.ts';
import { openIdLogin } from './openIdInputs.ts';
import { samlLogin } from './samlInputs.ts';
import { items, numbered } from './text.ts';

function growing(
  label: string,
  largest: number,
  event: GrowingInput['event'],
  refusal: string | null = null,
): GrowingInput {
  return { label: `HTTP: ${label}`, name: 'openidLoggedIn', largest, event, refusal };
}

/** A body that holds the login, and a text that is put in as it is. */
function body(label: string, piece: string): GrowingInput {
  return growing(`body, ${label}`, LARGEST_BODY, (bytes) =>
    overHttp(withMore(piece.repeat(bytes / Buffer.byteLength(piece)))),
  );
}

function withMore(text: string): string {
  return JSON.stringify(openIdLogin({ more: 'MORE' })).replace('MORE', text);
}

/** A body that is no event. */
function other(label: string, piece: string, refusal: string): GrowingInput {
  return growing(
    `body, ${label}`,
    LARGEST_BODY,
    (bytes) => overHttp(piece.repeat(bytes / piece.length)),
    refusal,
  );
}

function header(label: string, name: string, piece: string, refusal: string | null): GrowingInput {
  const value = (bytes: number) =>
    `${name === 'content-type' ? 'application/' : ''}${piece.repeat(bytes / piece.length)}`;
  return growing(
    `header, ${label}`,
    LARGEST_HEADERS,
    (bytes) =>
      overHttp(openIdLogin(), { headers: { 'content-type': 'application/json', [name]: value(bytes) } }),
    refusal,
  );
}

export const HTTP_INPUTS: GrowingInput[] = [
  body('letters', 'a'),
  body('escaped letters', '\\u0061'),
  body('escaped escapes', '\\\\u005f'),
  body('escaped surrogates', '\\ud83d\\ude00'),
  body('names of prototypes', '__proto__'),
  body('letters of two bytes', 'ä'),
  {
    label: 'HTTP: body of SAML, escaped letters',
    name: 'samlLoggedIn',
    largest: LARGEST_BODY,
    event: (bytes) => overHttp(JSON.stringify(samlLogin()).replace('Lovelace', '\\u0061'.repeat(bytes / 6))),
    refusal: null,
  },
  growing('body in base64', LARGEST_BODY, (bytes) => {
    const base64 = Buffer.from(withMore('a'.repeat(bytes))).toString('base64');
    return overHttp(base64, { isBase64Encoded: true });
  }),
  growing('body in base64 with line breaks', LARGEST_BODY, (bytes) => {
    const base64 = Buffer.from(withMore('a'.repeat(bytes / 2))).toString('base64');
    return overHttp(base64.replaceAll(/.{4}/g, '$&\n'), { isBase64Encoded: true });
  }),
  growing('body of escaped names', LARGEST_BODY, (bytes) => {
    const claims = Object.fromEntries(items(bytes / 2, (index) => [`name-${numbered(index)}`, '']));
    return overHttp(JSON.stringify(openIdLogin(claims)).replaceAll('name-', '\\u006eame-'));
  }),
  other('white space', ' ', 'body_not_json'),
  other('open objects', '{"a":', 'body_not_json'),
  other('quotes', '"', 'body_not_json'),
  growing(
    'body, nested lists',
    LARGEST_BODY,
    (bytes) => overHttp('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
    'event_invalid|body_not_json',
  ),
  growing('many headers', LARGEST_HEADERS, (bytes) => {
    const headers = Object.fromEntries(items(bytes, (index) => [`X-${numbered(index)}`, 'x'.repeat(50)]));
    return overHttp(openIdLogin(), { headers: { ...headers, 'content-type': 'application/json' } });
  }),
  growing('many values of a header', LARGEST_HEADERS, (bytes) =>
    overHttp(openIdLogin(), { multiValueHeaders: { 'x-header': items(bytes, () => 'x'.repeat(50)) } }),
  ),
  header('any value', 'x-header', 'a', null),
  header('content type of plus signs', 'content-type', 'a+', 'content_type_not_json'),
  header('content type of letters', 'content-type', 'json', 'content_type_not_json'),
  header('content type of white space', 'content-type', ' ', 'content_type_not_json'),
];
