/** A sign-in at a SAML provider from the command line: the browser posts the response to one address of this machine. */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Captured } from '../capture/captured.ts';
import { span } from '../capture/judging.ts';
import { listenOnLoopback } from '../engine/loopback.ts';
import { UnknownState } from '../signIn/refused.ts';
import { registrationSamlAt } from '../signIn/registrationSaml.ts';
import { SamlSignIns } from '../signIn/saml.ts';
import { ourMetadata, type SamlIdentity, samlIdentity } from '../signIn/samlIdentity.ts';
import { type SamlProvider, samlMetadataOf, samlProviderIn } from '../signIn/samlProviderMetadata.ts';
import { requireHost, secureHeaders } from '../studio/server/guard.ts';
import { UnusableInput } from './commandLine.ts';

export interface SamlCommand {
  /** The provider's metadata: an address or a file. */
  metadata: string;
  /** Of the provider, where its metadata has several. */
  entityId?: string | undefined;
  /** The browser posts to `http://localhost:PORT/callback/saml`. */
  port: number;
  /** Default: to stderr. */
  print?: (line: string) => void;
  /** Default: ten minutes, as long as a sign-in is valid. In milliseconds. */
  waitMs?: number;
  /** The folder with `.studio/`. Default: the project's. */
  project?: string;
}

const CALLBACK = '/callback/saml';
const METADATA = '/saml/metadata';
const WAIT_MS = 600_000;
/** For the page that says that the sign-in is over, in milliseconds. */
const GRACE_MS = 1_000;
/** In bytes. */
const MAX_BODY = 10_000_000;

/**
 * Prints what to register and the address to open, and waits until somebody has signed in.
 *
 * @throws {EntityIdNeeded} where the metadata has several providers and none is chosen
 * @throws {UnusableInput} where the metadata or the port cannot be used, the provider's response is refused
 *   ({@link SignInRefused}, mostly {@link SamlRefused} with all findings), or nobody signs in
 */
export async function signInBySaml({
  metadata,
  entityId,
  port,
  print = console.error,
  waitMs = WAIT_MS,
  project,
}: SamlCommand): Promise<Captured> {
  const provider = samlProviderIn(await samlMetadataOf(metadata), { entityId });
  const identity = await samlIdentity(port, project);
  const saml = new SamlSignIns({ identity });
  const login = Promise.withResolvers<Captured>();
  // It may be refused before it is waited for.
  login.promise.catch(() => {});
  const close = await listenOnLoopback(callbackApp(port, identity, saml, login), {
    port,
    option: '--port',
    graceMs: GRACE_MS,
  });
  const late = setTimeout(() => login.reject(nobody(waitMs)), waitMs);
  try {
    for (const line of registrationLines(provider, identity)) print(line);
    const { url } = await saml.start(provider);
    print(`Open this address in a browser, and sign in; Ctrl-C ends the wait:\n\n${url}\n`);
    return await login.promise;
  } finally {
    clearTimeout(late);
    await close();
  }
}

function registrationLines(of: SamlProvider, identity: SamlIdentity): string[] {
  const { provider, steps } = registrationSamlAt(of, identity);
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

function callbackApp(
  port: number,
  identity: SamlIdentity,
  saml: SamlSignIns,
  login: PromiseWithResolvers<Captured>,
): Hono {
  const app = new Hono();
  app.use(secureHeaders(), requireHost(port), async (context, next) => {
    await next();
    // So that the server can end as soon as this response is sent.
    context.header('connection', 'close');
  });
  app.get(METADATA, (context) =>
    context.body(ourMetadata(identity), 200, { 'content-type': 'application/samlmetadata+xml' }),
  );
  app.post(
    CALLBACK,
    bodyLimit({ maxSize: MAX_BODY, onError: (context) => context.text('too large', 413) }),
    async (context) => {
      try {
        login.resolve(await saml.finish(await context.req.parseBody()));
        return context.html(page('Signed in'));
      } catch (error) {
        if (error instanceof UnknownState) return context.html(page('No sign-in waits for this'), 400);
        login.reject(error);
        return context.html(page('Not signed in'), 400);
      }
    },
  );
  app.notFound((context) => context.text('there is nothing here', 404));
  return app;
}

/** Without data: it stays in the browser's history and on its screen. */
function page(title: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>The terminal says more. You can close this window.</p></html>`;
}
