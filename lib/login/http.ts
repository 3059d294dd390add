import { isJsonObject } from '../schema.ts';
import type { HttpRequest, LoginRequest, Middleware } from './login.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/** The reason phrases of a login's statuses (RFC 9110 section 15), for ALB. */
const REASON_PHRASES: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  504: 'Gateway Timeout',
};

/**
 * Takes an HTTP request out of its envelope, and puts the response into the one that the sender reads: API Gateway (REST and
 * HTTP API), function URL or ALB. An event without a `requestContext` object is a direct invocation, and its response stays bare.
 */
export function httpEnvelope(): Middleware {
  function open(request: LoginRequest): undefined {
    request.context.login.http = httpRequestIn(request.event);
  }

  function close(request: LoginRequest): void {
    const { http, outcome } = request.context.login;
    if (!http || !outcome) return;
    request.response = httpResponse(http, outcome.statusCode, JSON.stringify(request.response));
  }

  return { before: open, after: close, onError: close };
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
    responseForm: !fromAlb ? 'apiGateway' : isJsonObject(multiValueHeaders) ? 'albMultiValue' : 'alb',
  };
}

/** API Gateway takes 10 KB of headers, ALB 64 KB. Headers after so many are not read. */
const MAX_HEADERS = 1_000;

/** Header names are case-insensitive (RFC 9110 section 5.1). */
function headerMap(...sources: unknown[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const source of sources) {
    if (!isJsonObject(source)) continue;
    for (const name of Object.keys(source).slice(0, MAX_HEADERS)) {
      const value = source[name];
      const last = Array.isArray(value) ? value.at(-1) : value;
      if (typeof last === 'string') map.set(name.toLowerCase(), last);
    }
  }
  return map;
}

function httpResponse({ responseForm }: HttpRequest, statusCode: number, body: string) {
  const response = { statusCode, body, isBase64Encoded: false };
  if (responseForm === 'apiGateway') return { ...response, headers: { ...HEADERS } };
  const statusDescription = `${statusCode} ${REASON_PHRASES[statusCode] ?? ''}`.trimEnd();
  if (responseForm === 'alb') return { ...response, statusDescription, headers: { ...HEADERS } };
  const multiValueHeaders = Object.fromEntries(
    Object.entries(HEADERS).map(([name, value]) => [name, [value]]),
  );
  return { ...response, statusDescription, multiValueHeaders };
}
