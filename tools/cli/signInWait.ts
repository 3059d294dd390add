/** A sign-in from the command line: prints what to register and the address to open, and waits for the one callback. */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Captured } from '../capture/captured.ts';
import { span } from '../capture/judging.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { listenOnLoopback, requireHost } from '../shared/loopback.ts';
import { MAX_FORM } from '../signIn/callbackForm.ts';
import type { Started } from '../signIn/probe.ts';
import { UnknownState } from '../signIn/refused.ts';
import { keptToOneself } from '../studio/server/guard.ts';

export interface WaitOptions {
  /** Where the browser comes back. */
  port: number;
  /** Default: to stderr. */
  print?: (line: string) => void;
  /** Default: ten minutes, as long as a sign-in is valid. In milliseconds. */
  waitMs?: number;
}

/** A sign-in of one protocol. */
export interface SignIn {
  registration: { provider: string; steps: string[] };
  start(): Promise<Started>;
  /** The routes of the callback and what else providers reach; `finished` answers the browser. */
  routes(app: Hono, finished: (context: Context, login: Promise<Captured>) => Promise<Response>): void;
}

const WAIT_MS = 600_000;
/** For the page that says that the sign-in is over, in milliseconds. */
const GRACE_MS = 1_000;

/**
 * @throws {UnusableInput} where the port is taken, the provider refuses ({@link SignInRefused}), or nobody signs in
 */
export async function waitForSignIn(
  { registration, start, routes }: SignIn,
  { port, print = console.error, waitMs = WAIT_MS }: WaitOptions,
): Promise<Captured> {
  const login = Promise.withResolvers<Captured>();
  // It may be refused before it is waited for.
  login.promise.catch(() => {});
  const app = callbackApp(port);
  routes(app, (context, finishing) => finished(context, finishing, login));
  const close = await listenOnLoopback(app, { port, option: '--port', graceMs: GRACE_MS });
  const late = setTimeout(() => login.reject(nobody(waitMs)), waitMs);
  try {
    print(`What to register first (${registration.provider}):`);
    for (const [index, step] of registration.steps.entries()) print(`  ${index + 1}. ${step}`);
    const { url, warning } = await start();
    if (warning !== null) print(`\n${warning}`);
    print(`\nOpen this address in a browser, and sign in; Ctrl-C ends the wait:\n\n${url}\n`);
    return await login.promise;
  } finally {
    clearTimeout(late);
    await close();
  }
}

function callbackApp(port: number): Hono {
  const app = new Hono();
  app.use(...keptToOneself, requireHost(port), async (context, next) => {
    await next();
    // So that the server can end as soon as this response is sent.
    context.header('connection', 'close');
  });
  app.use(bodyLimit({ maxSize: MAX_FORM, onError: (context) => context.text('too large', 413) }));
  app.notFound((context) => context.text('there is nothing here', 404));
  return app;
}

/** A callback that belongs to no sign-in leaves the one that waits alone. */
async function finished(
  context: Context,
  finishing: Promise<Captured>,
  login: PromiseWithResolvers<Captured>,
): Promise<Response> {
  try {
    login.resolve(await finishing);
    return context.html(page('Signed in'));
  } catch (error) {
    if (error instanceof UnknownState) return context.html(page('No sign-in is waiting for this'), 400);
    login.reject(error);
    return context.html(page('Not signed in'), 400);
  }
}

function nobody(waitMs: number): UnusableInput {
  return new UnusableInput(
    `nobody signed in within ${span(waitMs)}: run the command again for a new address`,
  );
}

/** Without data: it stays in the browser's history and on its screen. */
function page(title: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>The terminal says more. You can close this window.</p></html>`;
}
