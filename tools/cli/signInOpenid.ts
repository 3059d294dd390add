/** A sign-in at an OpenID provider from the command line: the browser comes back to one address of this machine. */
import type { Captured } from '../capture/captured.ts';
import { addressOf, OPENID_CALLBACK } from '../signIn/addresses.ts';
import { type OpenIdOptions, OpenIdSignIns } from '../signIn/openid.ts';
import type { OpenIdClient } from '../signIn/openidProvider.ts';
import { registrationOpenIdAt } from '../signIn/registrationOpenid.ts';
import { type WaitOptions, waitForSignIn } from './signInWait.ts';

export interface OpenIdCommand extends OpenIdClient, WaitOptions {
  /** Requests to the provider. Default: Node's own. */
  fetch?: NonNullable<OpenIdOptions['fetch']>;
  environment: OpenIdOptions['environment'];
}

/**
 * @throws {UnusableInput} where the port is taken, the provider refuses ({@link SignInRefused}), or nobody signs in
 */
export async function signInByOpenid({
  port,
  print,
  waitMs,
  fetch,
  environment,
  ...asked
}: OpenIdCommand): Promise<Captured> {
  const redirectUri = addressOf(port, OPENID_CALLBACK);
  const openid = new OpenIdSignIns({ redirectUri, environment, ...(fetch && { fetch }) });
  return waitForSignIn(
    {
      registration: registrationOpenIdAt(asked.issuer, redirectUri),
      start: () => openid.start(asked),
      routes(app, finished) {
        app.get(OPENID_CALLBACK, (context) => {
          const { searchParams } = new URL(context.req.url);
          return finished(
            context,
            openid.finish(searchParams).then(({ captured }) => captured),
          );
        });
      },
    },
    { port, ...(print && { print }), ...(waitMs !== undefined && { waitMs }) },
  );
}
