/**
 * What a provider says to an authorization request before it asks anybody to sign in. Where the client or the redirect address
 * is wrong, it must not send the browser back (RFC 6749 section 4.1.2.1), and its words would be seen in its own page alone.
 */
import { jsonIn } from '../capture/json.ts';
import { oauthErrorOf } from '../capture/refusalCures.ts';
import type { Requests } from './openidProvider.ts';
import { oauthRefusal, type Refused } from './openidRefusals.ts';
import { pageWords, requestWithoutPerson, unlessInBrowser } from './probe.ts';
import { SignInRefused } from './refused.ts';

/** Without a person and cookies, these say nothing of the client. */
const OF_THE_PERSON = [
  ...['login_required', 'interaction_required', 'consent_required', 'account_selection_required'],
  ...['access_denied', 'server_error', 'temporarily_unavailable'],
];

/** Other statuses may mean this process and not the browser: that it sends too much, or is no person. */
const REFUSING = [400, 401];

/**
 * @returns what the provider's page says where it is no page to sign in; null where nothing is wrong, or nothing can be said
 * @throws {SignInRefused} where it refuses the client, the redirect address or the scopes
 */
export async function probeOpenId(url: string, refused: Refused, requests: Requests): Promise<string | null> {
  const response = await requestWithoutPerson(url, requests);
  if (response === null) return null;
  const { status, location, text } = response;
  const inBody = REFUSING.includes(status) ? oauthErrorOf(jsonIn(text)) : null;
  const error = inRedirect(location, refused) ?? inBody;
  if (error && !OF_THE_PERSON.includes(error.error)) throw oauthRefusal(error, refused);
  if (error || status < 400 || status >= 500) return null;
  const page = pageWords(text, refused.secrets);
  if (status === 400 && OF_THE_CLIENT.test(page))
    throw new SignInRefused({ theirs: page, ours: compare(refused) });
  return unlessInBrowser(status, page, compare(refused));
}

/** Keycloak, Okta and others name one of these in a page that is no page to sign in. */
const OF_THE_CLIENT = /redirect[_ ]ur[il]|callback url|client[_ ]id|invalid_client|client not found/i;

function compare({ redirectUri }: Refused): string {
  return `Check the client id, and register exactly this redirect address for it: ${redirectUri}`;
}

/** The error in an address that leads back to us. */
function inRedirect(location: string | null, { redirectUri }: Refused) {
  if (!location?.startsWith(`${redirectUri}?`)) return null;
  const { searchParams } = new URL(location);
  return oauthErrorOf(Object.fromEntries(searchParams));
}
