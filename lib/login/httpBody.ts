/** The body of an HTTP request: its size, its type, its JSON. A direct event passes untouched. */
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { LoginError } from '../errors.ts';
import type { HttpRequest, LoginRequest, Middleware } from './login.ts';

/** `application/json` or `application/…+json` (RFC 6839 section 3.1), in any case, with any parameters. */
const JSON_CONTENT_TYPE = /^\s*application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

/**
 * The text could hold a key that the parser refuses (`__proto__`, `constructor`), as it is or with one of its characters
 * escaped. The parser's search visits every value and takes 7 to 10 times as long as `JSON.parse` alone.
 */
const SUSPICIOUS = /__proto__|constructor|\\u00(?:5f|6[3ef]|7[02-5])/i;
/** In characters, of a suspicious text: its search takes 50 ms at most. Logins have some thousand, and no such text. */
const MAX_SEARCHED = 100_000;

const FORBIDDEN_KEY = 'expected no key named __proto__, and no prototype in a constructor';
const TOO_DEEP = 'expected less nesting';
const TOO_LONG = `expected no __proto__ and no constructor in a body of more than ${MAX_SEARCHED} characters`;

/**
 * Refuses a larger body before anything reads it.
 *
 * @param maxBytes of the decoded body
 * @throws {LoginError} `body_too_large`, at each login
 */
export function limitBody({ maxBytes }: { maxBytes: number }): Middleware {
  return overHttp(({ body, isBase64Encoded }) => {
    if (body !== null && sizeOf(body, isBase64Encoded) > maxBytes) {
      throw new LoginError('body_too_large', { maxBytes });
    }
  });
}

/** In bytes. Only decoding tells the size of base64 text: line breaks in it are decoded to nothing. */
function sizeOf(body: string, isBase64Encoded: boolean): number {
  return isBase64Encoded ? Buffer.from(body, 'base64').length : Buffer.byteLength(body);
}

/**
 * Refuses a request that does not say it carries JSON.
 *
 * @throws {LoginError} `content_type_not_json`, at each login
 */
export function requireJson(): Middleware {
  return overHttp(({ headers }) => {
    const type = headers.get('content-type');
    // Stryker disable next-line StringLiteral: any text that names no JSON type is refused, as a missing header is
    if (!JSON_CONTENT_TYPE.test(type ?? '')) {
      throw new LoginError('content_type_not_json');
    }
  });
}

/**
 * Parses the body: what it holds is the event from here on.
 *
 * @throws {LoginError} `body_missing`, `body_not_json`, or `event_invalid` for a key that could change a prototype
 */
export function parseBody(): Middleware {
  return overHttp((http, request) => {
    const text = textOf(http);
    request.event = SUSPICIOUS.test(text) ? parseSuspicious(text) : jsonOf(text);
  });
}

/** By Middy's parser. Its errors hold the body, and stay here. */
function parseSuspicious(text: string): unknown {
  if (text.length > MAX_SEARCHED) throw new LoginError('event_invalid', { problems: [TOO_LONG] });
  const event = { body: text as unknown, isBase64Encoded: false };
  const search = httpJsonBodyParser({ disableContentTypeCheck: true }).before as (request: object) => void;
  try {
    search({ event });
  } catch (error) {
    jsonOf(text);
    // On text that is JSON, its other errors come from a search that runs out of stack.
    const isForbiddenKey = (error as Error).message.includes('key');
    throw new LoginError('event_invalid', { problems: [isForbiddenKey ? FORBIDDEN_KEY : TOO_DEEP] });
  }
  return event.body;
}

function overHttp(check: (http: HttpRequest, request: LoginRequest) => void): Middleware {
  return {
    before(request) {
      const { http } = request.context.login;
      if (http) check(http, request);
    },
  };
}

function textOf({ body, isBase64Encoded }: HttpRequest): string {
  if (!body) throw new LoginError('body_missing');
  if (!isBase64Encoded) return body;
  // Replacement characters would change a name or an address, and nobody would notice.
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return orNotJson(() => utf8.decode(Buffer.from(body, 'base64')));
}

function jsonOf(text: string): unknown {
  return orNotJson(() => JSON.parse(text));
}

/** The error says no more: those of the decoder and the parser hold the body. */
function orNotJson<TResult>(read: () => TResult): TResult {
  try {
    return read();
  } catch {
    throw new LoginError('body_not_json');
  }
}
