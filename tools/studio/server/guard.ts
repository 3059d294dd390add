/**
 * What keeps web pages elsewhere and other servers of this machine out: the name in `Host`, against DNS rebinding, and a token
 * that no browser sends by itself. No cookie, which other ports of this machine would get too, and no CORS header.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Problem } from '../api.ts';

/** On every response. The shell loads its own files alone, is in no frame, and sends nothing elsewhere. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    ...['script-src', 'style-src', 'img-src', 'connect-src'].map((directive) => `${directive} 'self'`),
    ...['frame-ancestors', 'base-uri', 'form-action'].map((directive) => `${directive} 'none'`),
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export function secureHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  };
}

/** Answers 421 where `Host` is another name than this machine's with this port. */
export function requireHost(port: number): MiddlewareHandler {
  const names = [`localhost:${port}`, `127.0.0.1:${port}`];
  const message = `expected a request to ${names[0]}`;
  return async (context, next) => {
    if (names.includes(context.req.header('host') ?? '')) return next();
    return context.json<Problem, 421>({ message }, 421);
  };
}

/** Answers 401 where `Authorization` has another token. */
export function requireToken(token: string): MiddlewareHandler {
  const expected = digest(`Bearer ${token}`);
  return async (context, next) => {
    if (timingSafeEqual(digest(context.req.header('authorization') ?? ''), expected)) return next();
    return context.json<Problem, 401>(
      { message: 'expected the token of the address that npm start prints' },
      401,
    );
  };
}

/** Of one length, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
