/** The claims of UserInfo beside those of the ID token (OpenID Connect Core 5.3). */
import * as client from 'openid-client';
import type { Finding } from '../capture/findings.ts';
import { note, problem, quoted, warning } from '../capture/findings.ts';
import { parseJson } from '../capture/json.ts';
import { oauthErrorIn, objectionIn, refusedIn } from './openidRefusals.ts';
import { responseOf } from './openidResponses.ts';

export interface UserInfoRead {
  /** Null where there are none. */
  userInfo: Record<string, unknown> | null;
  findings: Finding[];
}

/** A login without UserInfo is a login: what stands in the way is a finding. */
export async function askUserInfo(
  configuration: client.Configuration,
  accessToken: string,
  { sub = '' }: { readonly sub?: string },
): Promise<UserInfoRead> {
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
  if (endpoint === undefined) return none(missing());
  const response = responseOf(configuration, endpoint);
  const isSigned = () => /^application\/jwt\b/i.test(response()?.headers.get('content-type') ?? '');
  try {
    const userInfo = await client.fetchUserInfo(configuration, accessToken, sub);
    refuseDeep(userInfo);
    return { userInfo, findings: isSigned() ? [signed()] : [] };
  } catch (error) {
    return none(isSigned() && !isOfAnother(error) ? signed() : await failed(error));
  }
}

/**
 * What reads claims may be recursive.
 *
 * @throws {Error} for claims that are nested deeper than real ones are
 */
export function refuseDeep(claims: unknown): void {
  try {
    parseJson(JSON.stringify(claims ?? null));
  } catch {
    throw new Error('its claims are nested too deeply');
  }
}

function none(finding: Finding): UserInfoRead {
  return { userInfo: null, findings: [finding] };
}

function missing(): Finding {
  return note('userinfo_missing', 'The provider has no UserInfo: all claims are in the ID token.');
}

/** Openid-client may read it; a look-up does not. */
function signed(): Finding {
  return warning(
    'userinfo_signed',
    'UserInfo is signed or encrypted (application/jwt). Handlers and mappings that ask UserInfo read JSON, and refuse such a login.',
    'Have the provider send UserInfo to this client as JSON, without userinfo_signed_response_alg (Keycloak: client, "Advanced", "User info signed response algorithm": unsigned).',
  );
}

async function failed(error: unknown): Promise<Finding> {
  if (isOfAnother(error)) {
    return problem(
      'userinfo_subject_differs',
      'UserInfo is about another subject (sub) than the ID token and must not be used (OpenID Connect Core 5.3.2).',
      'Report it to the people who run the provider.',
    );
  }
  const theirs = await oauthErrorIn(error);
  const why = theirs
    ? `the provider says ${quoted(theirs.error)}`
    : (refusedIn(error)?.ours ?? objectionIn(error));
  return warning(
    'userinfo_failed',
    `UserInfo cannot be read: ${why.replace(/\.$/, '')}.`,
    'A handler that asks UserInfo fails as well: see the log of the provider (Keycloak: client, "Advanced", "Always use lightweight access token" off).',
  );
}

function isOfAnother(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { cause?: { attribute?: string } } };
  return code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && cause?.cause?.attribute === 'sub';
}
