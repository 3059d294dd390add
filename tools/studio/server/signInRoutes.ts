/** Sign-ins: starting one and its result, with the token; and the two callbacks, which have states of their own. */
import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import { UnusableInput } from '../../shared/commandLine.ts';
import {
  formFields,
  MAX_FORM,
  OPENID_CALLBACK,
  SAML_CALLBACK,
  SAML_METADATA,
} from '../../signIn/callback.ts';
import { SignInRefused } from '../../signIn/refusals.ts';
import type { Registration, SignInResult, SignInStarted } from '../api.ts';
import { bodyOf, limit, problem, type StudioEnv } from './request.ts';
import type { SignIns } from './signIns.ts';

const text = v.string();
const OpenId = v.object({
  issuer: text,
  clientId: text,
  clientSecret: v.exactOptional(text),
  secretName: v.exactOptional(text),
  scopes: v.exactOptional(text),
  somebodyElse: v.exactOptional(v.boolean()),
});
const Saml = v.object({
  metadata: v.exactOptional(text),
  metadataUrl: v.exactOptional(text),
  entityId: v.exactOptional(text),
  somebodyElse: v.exactOptional(v.boolean()),
});

export function signInRoutes(signIns: SignIns): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
  app.get('/sign-in', (context) =>
    orRefused(context, async () => context.json<Registration>(await signIns.registration())),
  );
  app.post('/sign-in/openid', async (context) => {
    const client = await bodyOf(context, OpenId);
    return orRefused(context, async () => context.json<SignInStarted>(await signIns.startOpenId(client)));
  });
  app.post('/sign-in/saml', async (context) => {
    const provider = await bodyOf(context, Saml);
    return orRefused(context, async () => context.json<SignInStarted>(await signIns.startSaml(provider)));
  });
  app.get('/sign-ins/:id', (context) => {
    const result = signIns.result(context.req.param('id'));
    return result
      ? context.json<SignInResult>(result)
      : problem(context, 404, 'there is no such sign-in any more: start it again');
  });
  return app;
}

/**
 * What providers and browsers reach without a token: our metadata, which is public, and the callbacks. The state of a callback
 * says which sign-in it belongs to. It leads to the shell, which holds no data.
 */
export function callbackRoutes(signIns: SignIns): Hono {
  const app = new Hono();
  app.get(SAML_METADATA, (context) =>
    orRefused(context, async () => {
      const headers = { 'content-type': 'application/samlmetadata+xml' };
      return context.body(await signIns.metadata(), 200, headers);
    }),
  );
  app.use(SAML_CALLBACK, limit(MAX_FORM));
  const leadBack = (context: Context, id: string) => context.redirect(`/#/sign-in/${id}`, 303);
  app.get(OPENID_CALLBACK, async (context) => {
    return leadBack(context, await signIns.finishOpenId(new URL(context.req.url).searchParams));
  });
  // Providers send logouts here too, mostly by redirect, and some send responses so.
  app.get(SAML_CALLBACK, (context) => context.text(BY_POST_ALONE, 405, { allow: 'POST' }));
  app.post(SAML_CALLBACK, async (context) => {
    const form = formFields(await context.req.text(), ['SAMLResponse', 'RelayState']);
    return leadBack(context, await signIns.finishSaml(form));
  });
  return app;
}

const BY_POST_ALONE =
  'This is where sign-ins by SAML come back, by POST. A logout changes nothing here: close this window, or go back to the studio. If you signed in, have the provider send its response by the HTTP-POST binding.';

async function orRefused(context: Context, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SignInRefused)
      return context.json({ message: error.fix, theirs: error.providerMessage }, 422);
    if (error instanceof UnusableInput) return problem(context, 422, error.message);
    throw error;
  }
}
