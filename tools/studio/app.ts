/** The studio's routes. All data is below `/api/`, which wants the token; the shell has none, and callbacks have states. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { UnusableInput } from '../shared/commandLine.ts';
import { requireHost } from '../shared/loopback.ts';
import type { Stage } from '../shared/stage.ts';
import { formFields, MAX_FORM, OPENID_CALLBACK, SAML_CALLBACK, SAML_METADATA } from '../signIn/callback.ts';
import { actionRoutes, type StudioEnv } from './actions.tsx';
import { keptToOneself, requireToken } from './guard.ts';
import { SignIns } from './signIns.ts';
import { streamPage } from './stream.ts';
import type { StudioState } from './studio.ts';

/** In bytes. */
const MAX_BODY = 10_000_000;

export interface AppOptions {
  port: number;
  token: string;
  /** Requests that come early wait for this. */
  studio: Promise<StudioState>;
  stage: Stage;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const SHELL: Readonly<Record<string, { file: string; type: string }>> = {
  '/': { file: join(import.meta.dirname, 'shell.html'), type: 'text/html; charset=utf-8' },
  '/client.js': { file: join(import.meta.dirname, 'client.js'), type: SCRIPT },
  '/idiomorph.js': {
    file: fileURLToPath(import.meta.resolve('idiomorph/dist/idiomorph.min.js')),
    type: SCRIPT,
  },
  '/studio.css': { file: join(import.meta.dirname, 'studio.css'), type: 'text/css; charset=utf-8' },
  '/icon.svg': { file: join(import.meta.dirname, 'icon.svg'), type: 'image/svg+xml' },
};

export function studioApp({ port, token, stage, studio }: AppOptions): Hono {
  const app = new Hono();
  app.use(...keptToOneself, requireHost(port));
  app.get('/', async (context, next) => {
    // Providers lead back to this name, and what a browser keeps is of one name.
    if (context.req.header('host') === `127.0.0.1:${port}`)
      return context.redirect(`http://localhost:${port}/`);
    return next();
  });
  for (const [path, { file, type }] of Object.entries(SHELL)) {
    app.get(path, async (context) =>
      context.body(await readFile(file, 'utf8'), 200, { 'content-type': type }),
    );
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
    if (error instanceof HTTPException) return context.json({ message: error.message }, error.status);
    if (error instanceof UnusableInput) return context.json({ message: error.message }, 422);
    // The sender went away.
    if (context.req.raw.signal.aborted) return context.body(null, 400);
    console.error(error);
    return context.json({ message: 'the studio has a bug: its terminal says more' }, 500);
  });
  return app;
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
    try {
      const headers = { 'content-type': 'application/samlmetadata+xml' };
      return context.body(await signIns.metadata(), 200, headers);
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      return context.text(`There is no metadata: ${error.message}\n`, 503);
    }
  });
  app.use(SAML_CALLBACK, limit(MAX_FORM));
  const leadBack = (context: Context, address: string) => context.redirect(`/${address}`, 303);
  app.get(OPENID_CALLBACK, async (context) => {
    return leadBack(context, await signIns.finishOpenId(new URL(context.req.url).searchParams));
  });
  // Providers send logouts here too, mostly by redirect, and some send responses so.
  app.get(SAML_CALLBACK, (context) => context.text(ONLY_BY_POST, 405, { allow: 'POST' }));
  app.post(SAML_CALLBACK, async (context) => {
    const form = formFields(await context.req.text(), ['SAMLResponse', 'RelayState']);
    return leadBack(context, await signIns.finishSaml(form));
  });
  return app;
}
