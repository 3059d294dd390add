/** The body of an HTTP request: its size, its type, its JSON. A direct event passes untouched. */
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { LoginError } from '../reasons.ts';
import type { HttpRequest, LoginRequest, Middleware } from './login.ts';

const { isUtf8 } = process.getBuiltinModule('node:buffer');

/** `application/json` or `application/…+json` (RFC 6839 section 3.1), in any case, with any parameters. */
const JSON_CONTENT_TYPE = /^\s*application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

const FORBIDDEN_KEY = 'expected no key named __proto__, and no prototype in a constructor';

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
 * Parses the body by Middy's parser: what it holds is the event from here on.
 *
 * @throws {LoginError} `body_missing`, `body_not_json`, or `event_invalid` for a key that could change a prototype
 */
export function parseBody(): Middleware {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  const parse = parser.before as (request: { event: object }) => void;
  return overHttp((http, request) => {
    requireText(http);
    const event = { body: http.body as unknown, isBase64Encoded: http.isBase64Encoded };
    try {
      parse({ event });
    } catch (error) {
      throw refusalOf(error, http);
    }
    request.event = event.body;
  });
}

/** The parser decodes base64 to replacement characters where it is not UTF-8, which would change a name or an address. */
function requireText({ body, isBase64Encoded }: HttpRequest): void {
  if (!body) throw new LoginError('body_missing');
  if (isBase64Encoded && !isUtf8(Buffer.from(body, 'base64'))) throw new LoginError('body_not_json');
}

/** The parser's error stays here. Its data is the body where that cannot be parsed, or the key that is refused. */
function refusalOf(error: unknown, { body }: HttpRequest): LoginError {
  const { data } = (error as { cause: { data: unknown } }).cause;
  if (data === body) return new LoginError('body_not_json');
  return new LoginError('event_invalid', { problems: [FORBIDDEN_KEY] });
}

function overHttp(check: (http: HttpRequest, request: LoginRequest) => void): Middleware {
  return {
    before(request) {
      const { http } = request.context.login;
      if (http) check(http, request);
    },
  };
}
