/**
 * What a SAML provider says to an AuthnRequest before it asks anybody to sign in. Where it does not know us, or our address or
 * key is another one, it sends no response (SAML Profiles 4.1.4.2), and its words would be seen in its own page alone.
 */
import { quoted } from '../capture/findings.ts';
import { jsonIn } from '../capture/json.ts';
import { providerWords } from '../capture/providerWords.ts';
import { oauthErrorOf } from '../capture/refusalCures.ts';
import { forProvider } from '../shared/providers.ts';
import type { Requests } from './openidProvider.ts';
import { pageWords, requestWithoutPerson, unlessInBrowser } from './probe.ts';
import { SignInRefused } from './refused.ts';
import type { SamlIdentity } from './samlIdentity.ts';
import type { SamlProvider } from './samlProviderMetadata.ts';

/** What providers say of a service that is registered otherwise or not at all, and what to change. */
const CURES: readonly (readonly [page: RegExp, cure: (identity: SamlIdentity) => string])[] = [
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
 * @returns what the provider's page says where it is no page to sign in; null where nothing is wrong, or nothing can be said
 * @throws {SignInRefused} where the page says what is registered otherwise
 */
export async function probeSaml(
  url: string,
  provider: SamlProvider,
  identity: SamlIdentity,
  requests: Requests,
): Promise<string | null> {
  const answer = await requestWithoutPerson(url, requests);
  if (answer === null || answer.status < 400) return null;
  // Keycloak answers in JSON where that is accepted, in the same words.
  const error = oauthErrorOf(jsonIn(answer.text));
  const page = error ? quoted(providerWords(error.error)) : pageWords(answer.text, []);
  const [, cure] = CURES.find(([pattern]) => pattern.test(page)) ?? [];
  if (cure !== undefined)
    throw new SignInRefused({ theirs: page, ours: forProvider(cure(identity), provider.entityId) });
  return unlessInBrowser(answer.status, page, register(identity));
}
