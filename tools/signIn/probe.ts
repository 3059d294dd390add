/**
 * A request to sign in that is sent once without a person, before the browser leaves. Where the client, the redirect address or
 * our registration is wrong, the provider must not send the browser back (RFC 6749 section 4.1.2.1, SAML Profiles 4.1.4.2), and
 * its words would be seen in its own page only.
 */
import type { OAuthError } from '../capture/captured.ts';
import { jsonIn } from '../capture/encoded.ts';
import { quoted } from '../capture/findings.ts';
import { oauthErrorOf, providerWords } from '../capture/refusals.ts';
import { forProvider } from '../shared/providers.ts';
import type { SamlIdentity } from './identity.ts';
import type { SamlProvider } from './metadata.ts';
import { oauthRefusal, type Refused, SignInRefused } from './refusals.ts';
import { boundedFetch } from './requests.ts';

export interface Started {
  /** To open in a browser. It is of use once, for ten minutes. */
  url: string;
  /** What the provider seems to object to, in a sentence; null for nothing. The sign-in may work all the same. */
  warning: string | null;
}

/** A provider that is slow here keeps nobody from signing in. In milliseconds. */
const TIMEOUT_MS = 5_000;

/** @returns null where it cannot be sent from here: the browser may reach what this process does not */
async function requestWithoutPerson(url: string, timeoutMs: number) {
  try {
    const response = await boundedFetch(url, {
      method: 'GET',
      headers: { accept: 'application/json, text/html;q=0.9' },
      redirect: 'manual',
      signal: AbortSignal.timeout(Math.min(timeoutMs, TIMEOUT_MS)),
      body: undefined,
    });
    const text = await response.text();
    const { status, headers } = response;
    return {
      status,
      /** Where it redirects to, which is not followed; null for nowhere. */
      location: headers.get('location'),
      text,
      /** In JSON, where the provider writes it: Keycloak does where that is accepted, in the words of its page. */
      error: oauthErrorOf(jsonIn(text)),
    };
  } catch {
    return null;
  }
}

/** Without a person and cookies, these say nothing of the client. */
const OF_THE_PERSON = [
  ...['login_required', 'interaction_required', 'consent_required', 'account_selection_required'],
  ...['access_denied', 'server_error', 'temporarily_unavailable'],
];
/** Other statuses may mean this process and not the browser: that it sends too much, or is no person. */
const REFUSING = [400, 401];
/** Keycloak, Okta and others name one of these in a page that is no page to sign in. */
const OF_THE_CLIENT = /redirect[_ ]ur[il]|callback url|client[_ ]id|invalid_client|client not found/i;

/**
 * @returns what the provider's page says where it is no page to sign in; null where nothing is wrong, or nothing can be said
 * @throws {SignInRefused} where it refuses the client, the redirect address or the scopes
 */
export async function probeOpenId(url: string, refused: Refused, timeoutMs: number): Promise<string | null> {
  const probed = await requestWithoutPerson(url, timeoutMs);
  if (probed === null) return null;
  const { status, location, text } = probed;
  const error = inRedirect(location, refused) ?? (REFUSING.includes(status) ? probed.error : null);
  if (error && !OF_THE_PERSON.includes(error.error)) throw oauthRefusal(error, refused);
  if (error || status < 400 || status >= 500) return null;
  const page = pageWords(text, refused.secrets);
  const fix = `Check the client id, and register exactly this redirect address for it: ${refused.redirectUri}`;
  if (status === 400 && OF_THE_CLIENT.test(page)) throw new SignInRefused(fix, page);
  return unlessInBrowser(status, page, fix);
}

/** The error in an address that leads back to us. */
function inRedirect(location: string | null, { redirectUri }: Refused): OAuthError | null {
  if (!location?.startsWith(`${redirectUri}?`)) return null;
  return oauthErrorOf(Object.fromEntries(new URL(location).searchParams));
}

/** What providers say of a service that is registered otherwise or not at all, and what to change. */
const FIXES: readonly (readonly [page: RegExp, fix: (identity: SamlIdentity) => string])[] = [
  [
    /(?:requester|client|application) (?:is )?(?:not enabled|disabled)/i,
    ({ entityId }) => `Turn the client ${entityId} on at the provider (Keycloak: "Enabled").`,
  ],
  [
    /redirect[_ ]ur[il]|assertion ?consumer|reply (?:url|address)/i,
    ({ acsUrl }) => `Register exactly this ACS URL at the provider: ${acsUrl}`,
  ],
  [
    /invalid requester|invalid signature|signature verification/i,
    () =>
      'The provider has another certificate of ours for signing: register our metadata again, or have it accept requests without a signature (Keycloak: "Keys", "Client signature required" off).',
  ],
  [
    /invalid request\b|not registered|unknown (?:service|requester|client|application)|client not found|metadata ?not ?found|AADSTS700016/i,
    register,
  ],
];

function register({ entityId, acsUrl }: SamlIdentity): string {
  return `Register this machine at the provider: entity ID ${entityId}, ACS URL ${acsUrl}`;
}

/**
 * @param url of an AuthnRequest by redirect
 * @returns and throws as `probeOpenId` does
 */
export async function probeSaml(
  url: string,
  provider: SamlProvider,
  identity: SamlIdentity,
  timeoutMs: number,
): Promise<string | null> {
  const probed = await requestWithoutPerson(url, timeoutMs);
  if (probed === null || probed.status < 400) return null;
  const { status, text, error } = probed;
  const page = error ? quoted(providerWords(error.error)) : pageWords(text, []);
  const [, fix] = FIXES.find(([pattern]) => pattern.test(page)) ?? [];
  if (fix) throw new SignInRefused(forProvider(fix(identity), provider.entityId), page);
  return unlessInBrowser(status, page, register(identity));
}

/** For a page that may be meant for this process only, which sends no cookies. */
function unlessInBrowser(status: number, page: string, fix: string): string {
  return `The provider responds to the request to sign in with status ${status}: ${page}. If it does so in your browser too: ${fix}`;
}

/** @param secrets texts that the page may repeat, and that are shown nowhere */
function pageWords(html: string, secrets: readonly string[]): string {
  return quoted(providerWords(visible(html), secrets)) || 'an empty page';
}

/** In characters: what a page says comes early. */
const MAX_PAGE = 20_000;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Tags, and elements that show nothing. One without an end hides the rest, which is read only once. */
const UNSEEN = /<(script|style|head)\b[^<>]*>.*?(?:<\/\1\b[^<>]*>|$)|<[^<>]*>/gis;

/** The text of a page, in about one line. */
function visible(html: string): string {
  const text = html.slice(0, MAX_PAGE).replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim();
  return text.replaceAll(/&(?:#(\d{1,5})|(amp|lt|gt|quot|apos));/g, (_, code, name = '') =>
    code ? String.fromCharCode(code) : (ENTITIES[name] ?? ''),
  );
}
