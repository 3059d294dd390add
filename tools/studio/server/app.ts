/** The studio's routes. All data is below `/api/`, which wants the token; the shell has none, and callbacks have states. */
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { requireHost, STUDIO_HEADER } from '../../shared/loopback.ts';
import type { Stage } from '../../shared/stage.ts';
import type { PageFiles } from '../pageBundle.ts';
import { keptToOneself, requireToken } from './guard.ts';
import { keepRoutes } from './keepRoutes.ts';
import { loginRoutes } from './loginRoutes.ts';
import { pasteRoutes } from './pasteRoutes.ts';
import { limit, type StudioEnv, type StudioState } from './request.ts';
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
  stage: Stage;
}

const SHELL = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/studio.js': { name: 'studio.js', type: 'text/javascript; charset=utf-8' },
  '/studio.css': { name: 'studio.css', type: 'text/css; charset=utf-8' },
} as const;

export function studioApp({ port, token, page, stage, studio }: AppOptions): Hono {
  const app = new Hono();
  app.use(...keptToOneself, requireHost(port));
  app.use('/', async (context, next) => {
    await next();
    context.header(STUDIO_HEADER, 'true');
  });
  for (const [path, { name, type }] of Object.entries(SHELL)) {
    app.get(path, async (context) => context.body((await page)[name], 200, { 'content-type': type }));
  }
  app.use('/api/*', requireToken(token), limit(MAX_BODY));
  const api = new Hono<StudioEnv>();
  api.use(async (context, next) => {
    context.set('studio', await studio);
    await next();
  });
  const signIns = new SignIns(port, stage, async () => (await studio).logins);
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
