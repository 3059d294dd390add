import { isJsonObject } from '../schema.ts';
import type { HttpRequest, LoginRequest, Step } from './step.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/** The reason phrases of the statuses that a login can have (RFC 9110 section 15); ALB wants them. */
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
 * Takes an HTTP request out of its envelope, and puts the answer into the one that the sender reads: API
 * Gateway (REST and HTTP API), function URL or ALB. Whatever has no `requestContext` object is a direct event,
 * and its answer stays bare.
 */
export function httpEnvelope(): Step {
  function open(request: LoginRequest): void {
    const { event } = request;
    if (isJsonObject(event) && isJsonObject(event.requestContext)) request.internal.http = httpRequest(event);
  }

  function close(request: LoginRequest): void {
    const { http, outcome } = request.internal;
    if (!http || !outcome) return;
    request.response = httpResponse(http, outcome.statusCode, JSON.stringify(request.response));
  }

  return { before: open, after: close, onError: close };
}

function httpRequest(event: Record<string, unknown>): HttpRequest {
  const { requestContext, headers, multiValueHeaders, body, isBase64Encoded } = event;
  const fromAlb = isJsonObject(requestContext) && 'elb' in requestContext;
  return {
    headers: headerMap(multiValueHeaders, headers),
    body: typeof body === 'string' ? body : null,
    isBase64Encoded: isBase64Encoded === true,
    reply: !fromAlb ? 'apiGateway' : isJsonObject(multiValueHeaders) ? 'albMultiValue' : 'alb',
  };
}

/** API Gateway takes 10 KB of headers, ALB 64 KB. Those that come after so many are not looked at. */
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

function httpResponse({ reply }: HttpRequest, statusCode: number, body: string) {
  const response = { statusCode, body, isBase64Encoded: false };
  if (reply === 'apiGateway') return { ...response, headers: { ...HEADERS } };
  const statusDescription = `${statusCode} ${REASON_PHRASES[statusCode] ?? ''}`.trimEnd();
  if (reply === 'alb') return { ...response, statusDescription, headers: { ...HEADERS } };
  const multiValueHeaders = Object.fromEntries(
    Object.entries(HEADERS).map(([name, value]) => [name, [value]]),
  );
  return { ...response, statusDescription, multiValueHeaders };
}
