/** The claims of an ID token: the names that identity providers use, and how one is looked up. */
import { type DefaultNames, namesOf } from '../profile/names.ts';
import type { EmailStanding, Received } from '../profile/received.ts';
import { trimmedAll } from '../profile/text.ts';
import { isJsonObject } from '../schema.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

export const OPENID_NAMES: DefaultNames = {
  email: namesOf('email'),
  emailNameId: false,
  first_name: namesOf('given_name'),
  last_name: namesOf('family_name'),
  full_name: namesOf('name'),
  image_url: namesOf('picture'),
  affiliation: namesOf('schac_home_organization'),
  groups: namesOf('groups', 'roles', 'cognito:groups', 'realm_access.roles', 'eduperson_entitlement'),
  scoped_affiliation: namesOf('eduperson_scoped_affiliation', 'voperson_external_affiliation'),
};

/** How providers write "yes". Whatever else they say is a "no". */
function isYes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(1|true)$/i.test(value));
}

/**
 * A name is a claim's own name, or a path into nested claims where no claim has the whole name:
 * `realm_access.roles`. Claim names are case-sensitive (RFC 7519 section 4).
 */
export function receivedClaims({ id_token }: OpenIdUserLoggedInEvent): Received {
  const claims = id_token.other_claims;
  return {
    issuer: id_token.iss,
    allNames: () => Object.keys(claims),
    has: ({ name }) => (claimAt(claims, name) ?? null) !== null,
    all: (names) => names.flatMap(({ name }) => trimmedAll(textsOf(claimAt(claims, name)))),
    first(names, use) {
      for (const { name } of names) {
        for (const value of textsOf(claimAt(claims, name))) {
          const result = use(value, name);
          if (result !== null) return result;
        }
      }
      return null;
    },
    nameId: null,
    emailNameId: null,
    emailStanding: (name) => (name === 'email' ? emailStanding(claims) : 'unproven'),
    isWithheld: ({ name }) => isWithheld(claims, name),
  };
}

/**
 * `email_verified` (OpenID Connect Core 5.1), or Entra's `xms_edov`; both vouch for `email` alone. A provider that
 * says nothing leaves its addresses unproven.
 */
function emailStanding(claims: Record<string, unknown>): EmailStanding {
  const said = [claims.email_verified, claims.xms_edov].filter(
    (value) => value !== undefined && value !== null,
  );
  if (said.length === 0) return 'unproven';
  return said.every(isYes) ? 'verified' : 'unverified';
}

/**
 * Aggregated and distributed claims (OpenID Connect Core 5.6.2), Entra's sign of too many groups, and what is neither
 * text nor a list of texts.
 */
function isWithheld(claims: Record<string, unknown>, name: string): boolean {
  if (name === 'groups' && isYes(claims.hasgroups)) return true;
  const elsewhere = isJsonObject(claims._claim_names) ? Object.keys(claims._claim_names) : [];
  if (elsewhere.some((claim) => claim === name || name.startsWith(`${claim}.`))) return true;
  const value = claimAt(claims, name) ?? [];
  return (
    typeof value !== 'string' && !(Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}

/** Own entries only: a claim named `constructor` that nobody sent is not there. */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const parent = name.slice(0, dot);
    const nested = Object.hasOwn(claims, parent) ? claims[parent] : undefined;
    const found = isJsonObject(nested) ? claimAt(nested, name.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
