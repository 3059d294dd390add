/** What runs for OpenID logins, and for no others. */
import { type Invocation, withinDeadline } from '../invocation.ts';
import { decideLogin, eventKind } from '../profile/decide.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import type { Sources } from '../profile/sources.ts';
import { LoginError } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import { identifierIn } from '../text.ts';
import { ClaimsReader, OPENID_NAMES } from './claims.ts';
import { OpenIdUserLoggedInEvent } from './model.ts';

export const OPENID = {
  ...eventKind(OPENID_NAMES, (event: OpenIdUserLoggedInEvent) => new ClaimsReader(event)),
  model: OpenIdUserLoggedInEvent,
  defaultHandler: handleOpenIdUserLoggedIn,
  issuerOf: (event: OpenIdUserLoggedInEvent) => event.id_token.iss,
  externalIdOf,
  transientIdOf: () => null,
  loadCheck,
  ask,
};

/**
 * The default handler of OpenID logins. It authorizes everybody whose ID token gives an e-mail address that the provider does
 * not call unverified, a first name and a last name. Otherwise the response is an `ErrorResponse` that says which part is
 * missing or refused.
 */
export function handleOpenIdUserLoggedIn(event: OpenIdUserLoggedInEvent): UserLoginResponse {
  return decideLogin(OPENID.read(event), OPENID.defaultPolicy);
}

/** What asks is loaded when it is needed. It throws `lookup_…` or `secret_…`. */
async function ask(event: OpenIdUserLoggedInEvent, { issuer, userinfo, graph }: Sources): Promise<void> {
  if (userinfo) await (await import('./userInfo.ts')).userInfo(event, { issuers: [issuer] });
  if (graph) await (await import('./graph.ts')).completeGroups(event, graph);
}

/** The `sub` claim (OpenID Connect Core 2): lasting, and never given to another person of the same issuer. */
function externalIdOf({ id_token: { sub } }: OpenIdUserLoggedInEvent, { openidExternalId }: Settings) {
  if (openidExternalId === 'off') return null;
  return { source: openidExternalId, value: identifierIn(sub) };
}

/** The check that `OPENID_TOKEN_CHECK` turns on: that the ID token is what the event says. It throws `token_…` or `keys_unavailable`. */
async function loadCheck(settings: Settings) {
  if (settings.openidTokenCheck === 'off') return null;
  const { verifyIdToken } = await import('./idTokenCheck.ts');
  return (event: OpenIdUserLoggedInEvent, invocation: Invocation) => {
    const timedOut = () => new LoginError('keys_unavailable', { cause: 'deadline' });
    return withinDeadline(invocation, () => verifyIdToken(event, settings), timedOut);
  };
}
