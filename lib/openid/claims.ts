/** The claims of an ID token: the names that identity providers use, and how one is looked up. */

import type { EmailStanding, Received } from '../profile/reader.ts';
import { type DefaultNames, namesOf } from '../profile/reader.ts';
import { isJsonObject } from '../schema.ts';
import { asciiLowerCase, onlyText, trimmedAll } from '../text.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

export const OPENID_NAMES: DefaultNames = {
  kind: 'OpenID',
  email: namesOf('email'),
  emailNameId: false,
  first_name: namesOf('given_name'),
  last_name: namesOf('family_name'),
  full_name: namesOf('name'),
  image_url: namesOf('picture'),
  affiliation: namesOf('schac_home_organization'),
  external_id: [],
  external_label: [],
  groups: namesOf('groups', 'roles', 'cognito:groups', 'realm_access.roles', 'eduperson_entitlement'),
  scoped_affiliation: namesOf('eduperson_scoped_affiliation', 'voperson_external_affiliation'),
  expand: (name) => [name],
};

/** How providers write "yes". Whatever else they say is a "no". */
export function isYes(value: unknown): boolean {
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
    has: ({ name }) => claimsAt(claims, name).length > 0,
    all: (names) => names.flatMap(({ name }) => trimmedAll(textsOf(claimAt(claims, name)))),
    everywhere: (names) =>
      names.flatMap(({ name }) =>
        claimsAt(claims, name).flatMap((value) =>
          trimmedAll(textsOf(value)).map((text) => ({ text, mayBeJoined: typeof value === 'string' })),
        ),
      ),
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
    only: (names) => onlyText(names.flatMap(({ name }) => trimmedAll(textsOf(claimAt(claims, name))))),
    emailStanding: (name, address) => emailStanding(claims, name, address),
    isWithheld: ({ name }) => isWithheld(claims, name),
  };
}

/**
 * `email_verified` (OpenID Connect Core 5.1), or Entra's `xms_edov`; both vouch for `email` alone. A "no" that is said of the
 * same address, or beside another claim of one (`profile.email_verified` beside `profile.email`), counts for that claim too.
 */
function emailStanding(claims: Record<string, unknown>, name: string, address: string): EmailStanding {
  const ofEmail = standingOf([claims.email_verified, claims.xms_edov]);
  if (name === 'email') return ofEmail;
  const beside = name.endsWith('email') ? standingOf([claimAt(claims, `${name}_verified`)]) : 'unproven';
  const isSame =
    typeof claims.email === 'string' && asciiLowerCase(claims.email.trim()) === asciiLowerCase(address);
  return beside === 'unverified' || (isSame && ofEmail === 'unverified') ? 'unverified' : 'unproven';
}

/** A provider that says nothing leaves its addresses unproven. */
function standingOf(statements: unknown[]): EmailStanding {
  const said = statements.filter((value) => value !== undefined && value !== null);
  if (said.length === 0) return 'unproven';
  return said.every(isYes) ? 'verified' : 'unverified';
}

/** How providers write "no". Whatever else they send where groups are cut short is a sign of it. */
export function isNo(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^(0|false)$/i.test(value));
}

/**
 * Aggregated and distributed claims (OpenID Connect Core 5.6.2), Entra's sign of too many groups, a claim that is
 * neither text nor a list of texts, and a path through something that is not an object.
 */
function isWithheld(claims: Record<string, unknown>, name: string): boolean {
  if (name === 'groups' && !isNo(claims.hasgroups ?? false)) return true;
  return isElsewhere(claims._claim_names ?? {}, name) || !isReadable(claims, name);
}

function isElsewhere(claimNames: unknown, name: string): boolean {
  if (!isJsonObject(claimNames)) return true;
  return [name, ...parentsOf(name)].some((claim) => Object.hasOwn(claimNames, claim));
}

/** Whether each value under this name is text or a list of texts, and each parent of one an object. */
function isReadable(claims: Record<string, unknown>, name: string): boolean {
  const own = ownClaim(claims, name) ?? [];
  if (typeof own !== 'string' && !(Array.isArray(own) && own.every((item) => typeof item === 'string'))) {
    return false;
  }
  return parentsOf(name).every((parent) => {
    const nested = ownClaim(claims, parent) ?? {};
    return isJsonObject(nested) && isReadable(nested, name.slice(parent.length + 1));
  });
}

/** `a.b.c` is below `a` and below `a.b`. */
function parentsOf(name: string): string[] {
  return Array.from(name.matchAll(/\./g), ({ index }) => name.slice(0, index));
}

/** What a name means where only one value counts: the claim of the whole name goes before nested ones. */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  return claimsAt(claims, name)[0];
}

/** Every value under a name. Null is absent. */
function claimsAt(claims: Record<string, unknown>, name: string): unknown[] {
  const own = ownClaim(claims, name);
  const below = parentsOf(name).flatMap((parent) => {
    const nested = ownClaim(claims, parent);
    return isJsonObject(nested) ? claimsAt(nested, name.slice(parent.length + 1)) : [];
  });
  return own === null ? below : [own, ...below];
}

/** Own entries only: a claim named `constructor` that nobody sent is not there. */
function ownClaim(claims: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(claims, name) ? (claims[name] ?? null) : null;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
