/**
 * What a provider says to an authorization request before it asks anybody to sign in. Where the client or the redirect address
 * is wrong, it must not send the browser back (RFC 6749 section 4.1.2.1), and its words would be seen in its own page alone.
 */
import { quoted } from '../capture/findings.ts';
import { jsonIn } from '../capture/json.ts';
import { providerWords } from '../capture/providerWords.ts';
import { oauthErrorOf } from '../capture/refusalCures.ts';
import type { Requests } from './openidProvider.ts';
import { oauthRefusal, type Refused } from './openidRefusals.ts';
import { SignInRefused } from './refused.ts';

/** Without a person and cookies, these say nothing of the client. */
const OF_THE_PERSON = [
  ...['login_required', 'interaction_required', 'consent_required', 'account_selection_required'],
  ...['access_denied', 'server_error', 'temporarily_unavailable'],
];

/** Other statuses may mean this process and not the browser: that it sends too much, or is no person. */
const REFUSING = [400, 401];
/** A provider that is slow here keeps nobody from signing in. In milliseconds. */
const TIMEOUT_MS = 3_000;

/**
 * @returns what the provider's page says where it is no page to sign in; null where nothing is wrong, or nothing can be said
 * @throws {SignInRefused} where it refuses the client, the redirect address or the scopes
 */
export async function probe(
  url: string,
  refused: Refused,
  { fetch, timeoutMs }: Requests,
): Promise<string | null> {
  const response = await request(url, { fetch, timeoutMs });
  if (response === null) return null;
  const { status, headers } = response;
  const text = await response.text();
  const inBody = REFUSING.includes(status) ? oauthErrorOf(jsonIn(text)) : null;
  const error = inRedirect(headers.get('location'), refused) ?? inBody;
  if (error && !OF_THE_PERSON.includes(error.error)) throw oauthRefusal(error, refused);
  if (error || status < 400 || status >= 500) return null;
  const page = quoted(providerWords(visible(text), refused.secrets)) || 'an empty page';
  if (status === 400 && OF_THE_CLIENT.test(page))
    throw new SignInRefused({ theirs: page, ours: compare(refused) });
  return `The provider responds to the request to sign in with status ${status}: ${page}. If it does so in your browser too: ${compare(refused)}`;
}

/** Keycloak, Okta and others name one of these in a page that is no page to sign in. */
const OF_THE_CLIENT = /redirect[_ ]ur[il]|callback url|client[_ ]id|invalid_client|client not found/i;

function compare({ redirectUri }: Refused): string {
  return `Check the client id, and register exactly this redirect address for it: ${redirectUri}`;
}

/** Null where it cannot be sent from here: the browser may reach what this process does not. */
async function request(url: string, { fetch, timeoutMs }: Requests): Promise<Response | null> {
  try {
    return await fetch(url, {
      method: 'GET',
      headers: { accept: 'application/json, text/html;q=0.9' },
      redirect: 'manual',
      signal: AbortSignal.timeout(Math.min(timeoutMs, TIMEOUT_MS)),
      body: undefined,
    });
  } catch {
    return null;
  }
}

/** The error in an address that leads back to us. */
function inRedirect(location: string | null, { redirectUri }: Refused) {
  if (!location?.startsWith(`${redirectUri}?`)) return null;
  const { searchParams } = new URL(location);
  return oauthErrorOf(Object.fromEntries(searchParams));
}

/** In characters: what a page says comes early. */
const MAX_PAGE = 20_000;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of a page, in about one line. */
function visible(html: string): string {
  const text = shownPart(html.slice(0, MAX_PAGE))
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.replaceAll(/&(?:#(\d{1,5})|(amp|lt|gt|quot|apos));/g, (_, code, name = '') =>
    code ? String.fromCharCode(code) : (ENTITIES[name] ?? ''),
  );
}

/** Without the elements that show nothing. */
function shownPart(html: string): string {
  let hidden: string | null = null;
  let shown = '';
  for (const part of html.split(/(<\/?(?:script|style|head)\b[^<>]*>)/i)) {
    const [, slash, name = ''] = /^<(\/?)(script|style|head)\b/i.exec(part) ?? [];
    if (slash === undefined) shown += hidden === null ? part : ' ';
    else if (slash === '' && hidden === null) hidden = name.toLowerCase();
    else if (slash !== '' && hidden === name.toLowerCase()) hidden = null;
  }
  return shown;
}
