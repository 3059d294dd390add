/** The claims of UserInfo beside those of the ID token (OpenID Connect Core 5.3). */
import { isDeepStrictEqual } from 'node:util';
import * as client from 'openid-client';
import { CLAIM_NAMES } from '../../lib/openid/claims.ts';
import { isTooDeep } from '../capture/encoded.ts';
import { error, found, listed, note, quoted, warning } from '../capture/findings.ts';
import type { Finding } from '../shared/finding.ts';
import { oauthErrorIn, objectionIn, refusedIn } from './refusals.ts';

type Claims = Readonly<Record<string, unknown>>;

const MISSING = note('userinfo_missing', 'The provider has no UserInfo: all claims are in the ID token.');
const OF_ANOTHER = error(
  'userinfo_subject_differs',
  'UserInfo is about another subject (sub) than the ID token and must not be used (OpenID Connect Core 5.3.2).',
  'Report it to the people who run the provider.',
);

/** A login without UserInfo is a login: what stands in the way is a finding, and then there are no claims of it. */
export async function askUserInfo(
  configuration: client.Configuration,
  accessToken: string,
  { sub = '' }: { readonly sub?: string },
): Promise<{ userInfo: Claims | null; findings: Finding[] }> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) {
    return { userInfo: null, findings: [MISSING] };
  }
  try {
    const userInfo = await client.fetchUserInfo(configuration, accessToken, sub);
    refuseDeep(userInfo);
    return { userInfo, findings: [] };
  } catch (failure) {
    return { userInfo: null, findings: [isOfAnother(failure) ? OF_ANOTHER : await failed(failure)] };
  }
}

function isOfAnother(failure: unknown): boolean {
  const { code, cause } = failure as { code?: string; cause?: { cause?: { attribute?: string } } };
  return code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && cause?.cause?.attribute === 'sub';
}

async function failed(failure: unknown): Promise<Finding> {
  const ofProvider = await oauthErrorIn(failure);
  const why = ofProvider
    ? `the provider says ${quoted(ofProvider.error)}`
    : (refusedIn(failure)?.fix ?? objectionIn(failure));
  return warning(
    'userinfo_failed',
    `UserInfo cannot be read: ${why.replace(/\.$/, '')}.`,
    'A handler that asks UserInfo fails as well: see the log of the provider (Keycloak: client, "Advanced", "Always use lightweight access token" off).',
  );
}

/**
 * What reads claims may be recursive.
 *
 * @throws {Error} for claims that are nested deeper than real ones are
 */
export function refuseDeep(claims: unknown): void {
  if (isTooDeep(claims)) throw new Error('its claims are nested too deeply');
}

type ClaimSource = ReturnType<typeof sourcesOf>[number];

/**
 * @returns by name and without values: first those of the ID token, then those that only UserInfo has. `isSame`: both have it
 *   with the same value
 */
export function sourcesOf(idToken: Claims, userInfo: Claims | null) {
  const other = userInfo ?? {};
  const names = new Set([...Object.keys(idToken), ...Object.keys(other)]);
  return [...names].map((name) => {
    const isInToken = Object.hasOwn(idToken, name);
    const isInUserInfo = Object.hasOwn(other, name);
    const isSame = isInToken && isInUserInfo && isDeepStrictEqual(idToken[name], other[name]);
    return { name, idToken: isInToken, userInfo: isInUserInfo, isSame };
  });
}

/** What logins are decided by: paths into nested claims begin with the claim. */
const DECIDING = new Set(
  Object.values(CLAIM_NAMES)
    .flat()
    .flatMap(({ name }) => [name, name.split('.')[0] ?? name]),
);

/** The event of the service has only the ID token's claims. */
export function claimFindings(sources: readonly ClaimSource[]): Finding[] {
  const missing = sources.filter(({ idToken }) => !idToken).map(({ name }) => name);
  const differing = sources.filter(({ idToken, userInfo, isSame }) => idToken && userInfo && !isSame);
  const report = missing.some((name) => DECIDING.has(name)) ? warning : note;
  return found([
    missing.length > 0 &&
      report(
        'claims_in_userinfo_only',
        `These claims are in UserInfo only, so the event does not have them: ${listed(missing)}.`,
        'Have the provider put them into the ID token (Keycloak: "Add to ID token" of each mapper; Entra: "Token configuration", "Add optional claim", type ID; Okta: a claim for the ID token, "Always"), or have the handler ask UserInfo: userInfo, docs/look-ups.md.',
      ),
    differing.length > 0 &&
      note(
        'claims_differ',
        `The ID token and UserInfo have different values for: ${listed(differing.map(({ name }) => name))}. The event has those of the ID token.`,
      ),
  ]);
}
