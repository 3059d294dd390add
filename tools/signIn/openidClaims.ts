/** Which claims the ID token has and which UserInfo has, by name and without values. */
import { isDeepStrictEqual } from 'node:util';
import { CLAIM_NAMES } from '../../lib/openid/claims.ts';
import type { Finding } from '../capture/findings.ts';
import { listed, note, warning } from '../capture/findings.ts';

/** Where a claim is from. */
export interface ClaimSource {
  name: string;
  idToken: boolean;
  userInfo: boolean;
  /** Whether both have it with the same value. */
  isSame: boolean;
}

type Claims = Readonly<Record<string, unknown>>;

/** @returns by name: first those of the ID token, then those that UserInfo alone has */
export function sourcesOf(idToken: Claims, userInfo: Claims | null): ClaimSource[] {
  const other = userInfo ?? {};
  const names = new Set([...Object.keys(idToken), ...Object.keys(other)]);
  return [...names].map((name) => {
    const [isInToken, isInUserInfo] = [Object.hasOwn(idToken, name), Object.hasOwn(other, name)];
    const isSame = isInToken && isInUserInfo && isDeepStrictEqual(idToken[name], other[name]);
    return { name, idToken: isInToken, userInfo: isInUserInfo, isSame };
  });
}

export function claimFindings(sources: readonly ClaimSource[]): Finding[] {
  const missing = sources.filter(({ idToken }) => !idToken).map(({ name }) => name);
  const differing = sources.filter(({ idToken, userInfo, isSame }) => idToken && userInfo && !isSame);
  return [
    ...(missing.length > 0 ? [inUserInfoOnly(missing)] : []),
    ...(differing.length > 0 ? [differ(differing.map(({ name }) => name))] : []),
  ];
}

/** What logins are decided by: paths into nested claims begin with the claim. */
const DECIDING = new Set(
  Object.values(CLAIM_NAMES)
    .flat()
    .flatMap(({ name }) => [name, name.split('.')[0] ?? name]),
);

/** The event of the service has the ID token's claims alone. */
function inUserInfoOnly(names: readonly string[]): Finding {
  const report = names.some((name) => DECIDING.has(name)) ? warning : note;
  return report(
    'claims_in_userinfo_only',
    `These claims are in UserInfo only, so the event does not have them: ${listed(names)}.`,
    'Have the provider put them into the ID token (Keycloak: "Add to ID token" of each mapper; Entra: "Token configuration", "Add optional claim", type ID; Okta: a claim for the ID token, "Always"), or have the handler ask UserInfo: userInfo, docs/look-ups.md.',
  );
}

function differ(names: readonly string[]): Finding {
  return note(
    'claims_differ',
    `The ID token and UserInfo have different values for: ${listed(names)}. The event has those of the ID token.`,
  );
}
