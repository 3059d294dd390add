/** The studio's routes. All data is below `/api/`, which wants the token; the shell has none, and callbacks have states. */
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { MAX_FORM } from '../../signIn/callbackForm.ts';
import type { Problem } from '../api.ts';
import type { PageFiles } from '../pageBundle.ts';
import { requireHost, requireToken, secureHeaders } from './guard.ts';
import { keepRoutes } from './keepRoutes.ts';
import { loginRoutes } from './loginRoutes.ts';
import { pasteRoutes } from './pasteRoutes.ts';
import type { StudioEnv, StudioState } from './request.ts';
import { callbackRoutes, signInRoutes } from './signInRoutes.ts';
import { SignIns } from './signIns.ts';

/** In bytes. */
const MAX_BODY = 10_000_000;

export interface AppOptions {
  port: number;
  token: string;
  /** Requests that come early wait for these. */
  page: Promise<PageFiles>;
  studio: Promise<StudioState>;
}

const SHELL = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/studio.js': { name: 'studio.js', type: 'text/javascript; charset=utf-8' },
  '/studio.css': { name: 'studio.css', type: 'text/css; charset=utf-8' },
} as const;

function limit(maxSize: number): MiddlewareHandler {
  const message = `expected at most ${maxSize} bytes`;
  return bodyLimit({ maxSize, onError: (context) => context.json<Problem, 413>({ message }, 413) });
}

export function studioApp({ port, token, page, studio }: AppOptions): Hono {
  const app = new Hono();
  app.use(secureHeaders(), requireHost(port));
  for (const [path, { name, type }] of Object.entries(SHELL)) {
    app.get(path, async (context) => context.body((await page)[name], 200, { 'content-type': type }));
  }
  app.use('/api/*', requireToken(token), limit(MAX_BODY));
  app.use('/callback/*', limit(MAX_FORM));
  const api = new Hono<StudioEnv>();
  api.use(async (context, next) => {
    context.set('studio', await studio);
    await next();
  });
  const signIns = new SignIns(port, async () => (await studio).logins);
  const routes = [loginRoutes(), pasteRoutes(), keepRoutes(), signInRoutes(signIns)];
  for (const one of routes) api.route('/', one);
  app.route('/', callbackRoutes(signIns));
  app.route('/api', api);
  app.notFound((context) => context.json({ message: 'there is nothing here' }, 404));
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    // The sender went away.
    if (context.req.raw.signal.aborted) return context.body(null, 400);
    console.error(error);
    return context.json({ message: 'the studio has a bug: its terminal says more' }, 500);
  });
  return app;
}
