/**
 * The studio on this machine's loopback. All data is below `/api/`; the shell has none, and callbacks have states. What keeps web
 * pages elsewhere and other servers of this machine out is the name in `Host`, and a token that no browser sends by itself: no
 * cookie, which other ports of this machine would get too, and no CORS header.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { getMimeType } from 'hono/utils/mime';
import { formFields } from '../capture/browserText.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { listenOnLoopback, requireHost } from '../shared/loopback.ts';
import type { Stage } from '../shared/stage.ts';
import { MAX_FORM, OPENID_CALLBACK, SAML_CALLBACK, SAML_METADATA } from '../signIn/callback.ts';
import { actionRoutes, type StudioEnv } from './actions.tsx';
import { streamPage } from './page.tsx';
import { SignIns } from './signIns.ts';
import type { StudioState } from './studio.ts';

/** In bytes. */
const MAX_BODY = 10_000_000;
const TOKEN_BYTES = 32;

interface StudioOptions {
  port: number;
  /** Requests that come early wait for this. */
  studio: Promise<StudioState>;
  stage: Stage;
}

/** @throws {UnusableInput} where the port is not available */
export async function listenStudio(options: StudioOptions) {
  const { port } = options;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const close = await listenOnLoopback(studioApp(token, options), { port, option: '--studio-port' });
  /** With the token in its fragment, which no server is sent. */
  const address = `http://localhost:${port}/#token=${token}`;
  return { address, close };
}

const SHELL: Readonly<Record<string, string>> = {
  '/': import.meta.resolve('./shell.html'),
  '/client.js': import.meta.resolve('./client.js'),
  '/idiomorph.js': import.meta.resolve('idiomorph/dist/idiomorph.min.js'),
  '/studio.css': import.meta.resolve('./studio.css'),
  '/icon.svg': import.meta.resolve('./icon.svg'),
};

function studioApp(token: string, { port, stage, studio }: StudioOptions): Hono {
  const app = new Hono();
  app.use(...keptToOneself, requireHost(port));
  app.get('/', async (context, next) => {
    // Providers lead back to this name, and what a browser keeps is of one name.
    if (context.req.header('host') === `127.0.0.1:${port}`)
      return context.redirect(`http://localhost:${port}/`);
    return next();
  });
  for (const [path, file] of Object.entries(SHELL)) {
    const headers = { 'content-type': getMimeType(file) ?? '' };
    app.get(path, async (context) => context.body(await readFile(new URL(file), 'utf8'), 200, headers));
  }
  app.use('/api/*', requireToken(token), limit(MAX_BODY));
  const signIns = new SignIns(port, stage, async () => (await studio).logins);
  const api = new Hono<StudioEnv>();
  api.use(async (context, next) => {
    context.set('studio', await studio);
    await next();
  });
  api.get('/page', (context) => streamPage(context, context.var.studio, signIns));
  api.route('/', actionRoutes(signIns));
  app.route('/', callbackRoutes(signIns));
  app.route('/api', api);
  app.notFound((context) => context.json({ message: 'there is nothing here' }, 404));
  app.onError((error, context) => {
    if (error instanceof HTTPException)
      return error.res ?? context.json({ message: error.message }, error.status);
    if (error instanceof UnusableInput) return context.json({ message: error.message }, 422);
    // The sender went away.
    if (context.req.raw.signal.aborted) return context.body(null, 400);
    console.error(error);
    return context.json({ message: 'the studio has a bug: its terminal says more' }, 500);
  });
  return app;
}

/** On every response. The shell loads only its own files, is in no frame, sends nothing elsewhere, and takes HTML from one policy. */
const keptToOneself: readonly MiddlewareHandler[] = [
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
function requireToken(token: string): MiddlewareHandler {
  const problem = { message: 'expected the token of the address that npm start prints' };
  const refused = { message: () => Response.json(problem, { status: 401 }) };
  return bearerAuth({
    token,
    noAuthenticationHeader: refused,
    invalidAuthenticationHeader: refused,
    invalidToken: refused,
  });
}

/** @param maxSize of a body, in bytes */
function limit(maxSize: number) {
  const message = `expected at most ${maxSize} bytes`;
  return bodyLimit({ maxSize, onError: (context) => context.json({ message }, 413) });
}

const ONLY_BY_POST =
  'This is where sign-ins by SAML come back, by POST. A logout changes nothing here: close this window, or go back to the studio. If you signed in, have the provider send its response by the HTTP-POST binding.';

/**
 * What providers and browsers reach without a token: our metadata, which is public, and the callbacks. The state of a callback
 * says which sign-in it belongs to. It leads to the shell, which holds no data.
 */
function callbackRoutes(signIns: SignIns): Hono {
  const app = new Hono();
  app.get(SAML_METADATA, async (context) => {
    return context.body(await signIns.metadata(), 200, { 'content-type': 'application/samlmetadata+xml' });
  });
  app.use(SAML_CALLBACK, limit(MAX_FORM));
  const leadBack = (context: Context, address: string) => context.redirect(`/${address}`, 303);
  app.get(OPENID_CALLBACK, async (context) =>
    leadBack(context, await signIns.finishOpenId(new URL(context.req.url).searchParams)),
  );
  // Providers send logouts here too, mostly by redirect, and some send responses so.
  app.get(SAML_CALLBACK, (context) => context.text(ONLY_BY_POST, 405, { allow: 'POST' }));
  app.post(SAML_CALLBACK, async (context) => {
    const form = formFields(await context.req.text(), ['SAMLResponse', 'RelayState']);
    return leadBack(context, await signIns.finishSaml(form));
  });
  return app;
}
