/** HTTP around a login: the envelope of request and response, what a request must be before it is read, and its body. */
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { LoginError } from '../reasons.ts';
import { isJsonObject } from '../schema.ts';
import type { Guard, HttpRequest, LoginRequest, Middleware } from './login.ts';

const { isUtf8 } = process.getBuiltinModule('node:buffer');

const JSON_HEADERS = { 'content-type': 'application/json' };
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/**
 * Takes an HTTP request out of its envelope, and puts the response into the one that the sender reads: API Gateway (REST and
 * HTTP API), function URL or ALB. An event without a `requestContext` object is a direct invocation, and its response stays bare.
 */
export const httpEnvelope: Middleware = { before: open, after: close, onError: close };

function open({ event, context }: LoginRequest): void {
  context.login.http = httpRequestIn(event);
}

function close(request: LoginRequest): void {
  const { http, outcome } = request.context.login;
  if (!http || !outcome) return;
  request.response = httpResponse(http, outcome.statusCode, JSON.stringify(request.response));
}

/** The request in an event; null for a direct invocation. */
export function httpRequestIn(event: unknown): HttpRequest | null {
  if (!isJsonObject(event) || !isJsonObject(event.requestContext)) return null;
  const { requestContext, headers, multiValueHeaders, body, isBase64Encoded } = event;
  const fromAlb = 'elb' in requestContext;
  return {
    headers: headerMap(multiValueHeaders, headers),
    body: typeof body === 'string' ? body : null,
    isBase64Encoded: isBase64Encoded === true,
    // Stryker disable next-line StringLiteral: any text but the two others is the form of an ALB with lists of headers
    responseForm: !fromAlb ? 'apiGateway' : isJsonObject(multiValueHeaders) ? 'albMultiValue' : 'alb',
  };
}

/** Header names are case-insensitive (RFC 9110 section 5.1). */
function headerMap(...sources: unknown[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of sources.filter(isJsonObject).flatMap(Object.entries)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (typeof last === 'string') map.set(name.toLowerCase(), last);
  }
  return map;
}

function httpResponse({ responseForm }: HttpRequest, statusCode: number, body: string) {
  const response = { statusCode, body, isBase64Encoded: false };
  if (responseForm === 'apiGateway') return { ...response, headers: { ...HEADERS } };
  // Lambda's runtime has loaded the module already.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const statusDescription = `${statusCode} ${STATUS_CODES[statusCode]}`;
  if (responseForm === 'alb') return { ...response, statusDescription, headers: { ...HEADERS } };
  const multiValueHeaders = Object.fromEntries(
    Object.entries(HEADERS).map(([name, value]) => [name, [value]]),
  );
  return { ...response, statusDescription, multiValueHeaders };
}

/**
 * Refuses a larger body before anything reads it.
 *
 * @param maxBytes of the decoded body
 * @throws {LoginError} `body_too_large`, at each login
 */
export function limitBody(maxBytes: number): Guard {
  return ({ body, isBase64Encoded }) => {
    if (body !== null && sizeOf(body, isBase64Encoded) > maxBytes) {
      throw new LoginError('body_too_large', { maxBytes });
    }
  };
}

/** In bytes. Only decoding tells the size of base64 text: line breaks in it are decoded to nothing. */
function sizeOf(body: string, isBase64Encoded: boolean): number {
  return isBase64Encoded ? Buffer.from(body, 'base64').length : Buffer.byteLength(body);
}

/** `application/json` or `application/…+json` (RFC 6839 section 3.1), in any case, with any parameters. */
const JSON_CONTENT_TYPE = /^\s*application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

/** @throws {LoginError} `content_type_not_json` */
export const requireJson: Guard = ({ headers }) => {
  // Stryker disable next-line StringLiteral: any text that names no JSON type is refused, as a missing header is
  const type = headers.get('content-type') ?? '';
  if (!JSON_CONTENT_TYPE.test(type)) throw new LoginError('content_type_not_json');
};

const FORBIDDEN_KEY = 'expected no key named __proto__, and no prototype in a constructor';

// Its type is that of middleware over a whole request.
const parse = httpJsonBodyParser().before as (request: { event: object }) => void;

/**
 * What the body holds, by Middy's parser. It gets what has been read of the request: of the event itself it would miss some
 * spellings of the content type.
 *
 * @throws {LoginError} `body_missing`, `body_not_json`, or `event_invalid` for a key that could change a prototype
 */
export function jsonIn({ body, isBase64Encoded }: HttpRequest): unknown {
  if (!body) throw new LoginError('body_missing');
  // The parser would make replacement characters of what is not UTF-8, which would change a name or an address.
  if (isBase64Encoded && !isUtf8(Buffer.from(body, 'base64'))) throw notJson(body, isBase64Encoded);
  const event = { headers: JSON_HEADERS, body: body as unknown, isBase64Encoded };
  try {
    parse({ event });
  } catch (error) {
    throw refusalOf(error, body, isBase64Encoded);
  }
  return event.body;
}

/** Says in the log which form of a body was found, by how it begins. */
function notJson(body: string, isBase64Encoded: boolean): LoginError {
  const start = Buffer.from(body, isBase64Encoded ? 'base64' : undefined).toString('hex', 0, 3);
  const found = Object.entries(FORMS).find(([, form]) => form.test(start))?.[0] ?? 'other text';
  return new LoginError('body_not_json', { problems: [`expected JSON in UTF-8, found ${found}`] });
}

/** The first three bytes of a body. */
const FORMS: Readonly<Record<string, RegExp>> = {
  'what gzip compressed': /^1f8b/,
  // Stryker disable next-line Regex: it is all of the three.
  'a byte order mark': /^efbbbf/,
  'UTF-16': /^(?:fffe|feff|00|..00)/,
  // `{"` and `{` with white space behind it.
  'base64 that isBase64Encoded does not tell': /^657[79]/,
};

/** The parser's error stays here. Its data is the body where that cannot be parsed, or the key that is refused. */
function refusalOf(error: unknown, body: string, isBase64Encoded: boolean): LoginError {
  const { data } = (error as { cause: { data: unknown } }).cause;
  if (data === body) return notJson(body, isBase64Encoded);
  return new LoginError('event_invalid', { problems: [FORBIDDEN_KEY] });
}
