/** What runs for OpenID logins, and for no others. */
import { withinDeadline } from '../invocation.ts';
import { decideByDefault } from '../profile/decide.ts';
import type { Kind } from '../profile/kind.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import { LoginError } from '../reasons.ts';
import { identifierIn } from '../text.ts';
import { ClaimsReader, OPENID_NAMES } from './claims.ts';
import { OpenIdUserLoggedInEvent } from './model.ts';

export const OPENID: Kind<OpenIdUserLoggedInEvent> = {
  names: OPENID_NAMES,
  model: OpenIdUserLoggedInEvent,
  read: (event) => new ClaimsReader(event),
  defaultHandler: handleOpenIdUserLoggedIn,

  issuerOf: ({ id_token }) => id_token.iss,

  /** OpenID Connect Core 5.1. */
  preferredLanguageOf({ id_token }) {
    const { locale } = id_token.other_claims;
    return typeof locale === 'string' ? locale : null;
  },

  /** The `sub` claim (OpenID Connect Core 2): lasting, and never given to another person of the same issuer. */
  identifiersOf({ id_token: { sub } }, { openidExternalId: source }) {
    const externalId = source === 'off' ? null : { source, value: identifierIn(sub) };
    return { externalId, transientId: null };
  },

  /** What asks is loaded when it is needed. It throws `lookup_…` or `secret_…`. */
  async ask(event, { issuer, userinfo, graph }) {
    if (userinfo) await (await import('./userInfo.ts')).userInfo(event, { issuers: [issuer] });
    if (graph) await (await import('./graph.ts')).completeGroups(event, graph);
  },

  /** The check that `OPENID_TOKEN_CHECK` turns on: that the ID token is what the event says. It throws `token_…` or `keys_unavailable`. */
  async loadCheck(settings) {
    if (settings.openidTokenCheck === 'off') return null;
    const { verifyIdToken } = await import('./idTokenCheck.ts');
    const timedOut = () => new LoginError('keys_unavailable', { cause: 'deadline' });
    return (event, invocation) => withinDeadline(invocation, () => verifyIdToken(event, settings), timedOut);
  },
};

/**
 * The default handler of OpenID logins. It authorizes everybody whose ID token gives an e-mail address that the provider does
 * not call unverified, a first name and a last name. Otherwise the response is an `ErrorResponse` that says which part is
 * missing or refused.
 */
export function handleOpenIdUserLoggedIn(event: OpenIdUserLoggedInEvent): UserLoginResponse {
  return decideByDefault(OPENID, event);
}
