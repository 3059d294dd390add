/** A sign-in at an OpenID provider from the command line: the browser comes back to one address of this machine. */
import { Hono } from 'hono';
import type { Captured } from '../capture/captured.ts';
import { span } from '../capture/judging.ts';
import { listenOnLoopback } from '../engine/loopback.ts';
import { type OpenIdOptions, OpenIdSignIns } from '../signIn/openid.ts';
import type { OpenIdClient } from '../signIn/openidProvider.ts';
import { UnknownState } from '../signIn/refused.ts';
import { registrationOpenIdAt } from '../signIn/registrationOpenid.ts';
import { requireHost, secureHeaders } from '../studio/server/guard.ts';
import { UnusableInput } from './commandLine.ts';

export interface OpenIdCommand extends OpenIdClient {
  /** The browser comes back to `http://localhost:PORT/callback/openid`. */
  port: number;
  /** Default: to stderr. */
  print?: (line: string) => void;
  /** Default: ten minutes, as long as a sign-in is valid. In milliseconds. */
  waitMs?: number;
  /** Requests to the provider. Default: Node's own. */
  fetch?: NonNullable<OpenIdOptions['fetch']>;
}

const CALLBACK = '/callback/openid';
const WAIT_MS = 600_000;
/** For the page that says that the sign-in is over, in milliseconds. */
const GRACE_MS = 1_000;

/**
 * Prints what to register and the address to open, and waits until somebody has signed in.
 *
 * @throws {UnusableInput} where the port is taken, the provider refuses ({@link SignInRefused}), or nobody signs in
 */
export async function signInByOpenid({
  port,
  print = console.error,
  waitMs = WAIT_MS,
  fetch,
  ...asked
}: OpenIdCommand): Promise<Captured> {
  const redirectUri = `http://localhost:${port}${CALLBACK}`;
  const openid = new OpenIdSignIns({ redirectUri, ...(fetch && { fetch }) });
  const login = Promise.withResolvers<Captured>();
  // It may be refused before it is waited for.
  login.promise.catch(() => {});
  const close = await listenOnLoopback(callbackApp(port, openid, login), {
    port,
    option: '--port',
    graceMs: GRACE_MS,
  });
  const late = setTimeout(() => login.reject(nobody(waitMs)), waitMs);
  try {
    for (const line of registrationLines(asked.issuer, redirectUri)) print(line);
    const { url, warning } = await openid.start(asked);
    if (warning !== null) print(`${warning}\n`);
    print(`Open this address in a browser, and sign in; Ctrl-C ends the wait:\n\n${url}\n`);
    return await login.promise;
  } finally {
    clearTimeout(late);
    await close();
  }
}

function registrationLines(issuer: string, redirectUri: string): string[] {
  const { provider, steps } = registrationOpenIdAt(issuer, redirectUri);
  return [
    `What to register first (${provider}):`,
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    '',
  ];
}

function nobody(waitMs: number): UnusableInput {
  return new UnusableInput(
    `nobody signed in within ${span(waitMs)}: run the command again for a new address`,
  );
}

function callbackApp(port: number, openid: OpenIdSignIns, login: PromiseWithResolvers<Captured>): Hono {
  const app = new Hono();
  app.use(secureHeaders(), requireHost(port));
  app.get(CALLBACK, async (context) => {
    // So that the server can end as soon as this response is sent.
    context.header('connection', 'close');
    try {
      const { captured } = await openid.finish(new URL(context.req.url).searchParams);
      login.resolve(captured);
      return context.html(page('Signed in'));
    } catch (error) {
      if (error instanceof UnknownState) return context.html(page('No sign-in waits for this'), 400);
      login.reject(error);
      return context.html(page('Not signed in'), 400);
    }
  });
  app.notFound((context) => context.text('there is nothing here', 404));
  return app;
}

/** Without data: it stays in the browser's history and on its screen. */
function page(title: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>The terminal says more. You can close this window.</p></html>`;
}
