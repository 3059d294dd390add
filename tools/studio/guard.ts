/**
 * What keeps web pages elsewhere and other servers of this machine out, with the name in `Host`: a token that no browser
 * sends by itself. No cookie, which other ports of this machine would get too, and no CORS header.
 */
import type { MiddlewareHandler } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { secureHeaders } from 'hono/secure-headers';

/** On every response. The shell loads only its own files, is in no frame, sends nothing elsewhere, and takes HTML from one policy. */
export const keptToOneself: readonly MiddlewareHandler[] = [
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['studio'],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // Loopback has no TLS.
    strictTransportSecurity: false,
  }),
  async (context, next) => {
    await next();
    context.header('cache-control', 'no-store');
  },
];

/** Answers 401 where `Authorization` has another token. */
export function requireToken(token: string): MiddlewareHandler {
  const problem = { message: 'expected the token of the address that npm start prints' };
  const refused = { message: () => Response.json(problem, { status: 401 }) };
  return bearerAuth({
    token,
    noAuthenticationHeader: refused,
    invalidAuthenticationHeader: refused,
    invalidToken: refused,
  });
}
