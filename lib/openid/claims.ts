/** The claims of an ID token: the names that identity providers use, and how a claim is looked up. */
import {
  comparable,
  type DefaultNames,
  type Name,
  type NameLists,
  namesOf,
  type Place,
  type PlacedValue,
  type Rank,
  type Reader,
  type VerificationStatus,
} from '../profile/reader.ts';
import { isJsonObject } from '../schema.ts';
import { asciiLowerCase } from '../text.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

export const CLAIM_NAMES = {
  email: namesOf('email'),
  first_name: namesOf('given_name'),
  last_name: namesOf('family_name'),
  full_name: namesOf('name'),
  image_url: namesOf('picture'),
  affiliation: namesOf('schac_home_organization'),
  groups: namesOf('groups', 'roles', 'cognito:groups', 'realm_access.roles', 'eduperson_entitlement'),
  scoped_affiliation: namesOf('eduperson_scoped_affiliation', 'voperson_external_affiliation'),
  assurance: namesOf('eduperson_assurance'),
} satisfies NameLists;

export const OPENID_NAMES: DefaultNames & typeof CLAIM_NAMES = {
  ...CLAIM_NAMES,
  kind: 'OpenID',
  emailNameId: false,
  expand: (name) => [name],
  same: (name) => [name],
};

/** An object whose keys are the roles of the person. No other object is a list of groups. */
const ROLES_OF_ZITADEL = /^urn:zitadel:iam:org:project:(?:[^:]+:)?roles$/;

/** The claims for which the event has fields of its own. The service may repeat them among the other claims or not. */
export const OWN_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'] as const;
const IS_OWN_CLAIM = new Set<string>(OWN_CLAIMS);

type Claims = Record<string, unknown>;

/** Beside the claims of an event, those of UserInfo. */
const beside = new WeakMap<Claims, Claims>();

/** Lets a rule that denies look at more than the claims of an event. They grant nothing. */
export function denyBeside(claims: Claims, more: Claims): void {
  beside.set(claims, more);
}

type Origin = 'userinfo' | 'graph';

/** Of the claims of an event, those that another system sent. */
const origins = new WeakMap<Claims, Map<string, Origin>>();

/** Has the trace say that these claims of an event come from another system. */
export function noteOrigin(claims: Claims, names: readonly string[], origin: Origin): void {
  origins.set(
    claims,
    new Map([...(origins.get(claims) ?? []), ...names.map((name) => [name, origin] as const)]),
  );
}

/**
 * A name is a claim's own name, or a path into nested claims where no claim has the whole name:
 * `realm_access.roles`. Claim names are case-sensitive (RFC 7519 section 4).
 */
export class ClaimsReader implements Reader {
  readonly issuer: string;
  readonly nameId = null;
  readonly emailNameId = null;
  readonly #token: OpenIdUserLoggedInEvent['id_token'];
  readonly #claims: Claims;
  readonly #beside: Claims;
  readonly #origins: ReadonlyMap<string, Origin>;
  #email: string | null = null;

  constructor({ id_token }: OpenIdUserLoggedInEvent) {
    this.issuer = id_token.iss;
    this.#token = id_token;
    this.#claims = id_token.other_claims;
    this.#beside = beside.get(this.#claims) ?? {};
    this.#origins = origins.get(this.#claims) ?? new Map();
  }

  #claimsAt(name: string): PlacedValue[] {
    if (IS_OWN_CLAIM.has(name)) {
      const value = this.#token[name as (typeof OWN_CLAIMS)[number]];
      return value === null ? [] : [{ path: name, value }];
    }
    return claimsAt(this.#claims, name, (claim) => this.#origins.get(claim) ?? 'other_claims');
  }

  /** OpenID Connect Core 5.1. */
  get preferredLanguage(): string | null {
    const { locale } = this.#claims;
    return typeof locale === 'string' ? locale : null;
  }

  allNames(): string[] {
    return Object.keys(this.#claims);
  }

  has({ name }: Name): boolean {
    return this.#claimsAt(name).length > 0;
  }

  *places(names: readonly Name[]): Generator<Place> {
    for (const { name } of names) {
      const [own, ...nested] = this.#claimsAt(name);
      if (own) yield* placesOf(own, name, 'used');
      for (const claim of [...nested, ...claimsAt(this.#beside, name, () => 'userinfo')])
        yield* placesOf(claim, name, 'hidden');
    }
  }

  values(names: readonly Name[]): PlacedValue[] {
    return names.flatMap(({ name }) => this.#claimsAt(name).slice(0, 1).flatMap(membersOf));
  }

  valuesEverywhere(names: readonly Name[]): PlacedValue[] {
    return names.flatMap(({ name }) => [
      ...this.#claimsAt(name).flatMap(membersOf),
      ...claimsAt(this.#beside, name, () => 'userinfo').flatMap(membersOf),
      ...(isElsewhere(this.#claims._claim_names ?? {}, name) ? [ELSEWHERE] : []),
    ]);
  }

  /** OpenID Connect Core 2. */
  get signedInAt(): PlacedValue | null {
    return this.#claimsAt('auth_time')[0] ?? null;
  }

  /**
   * `email_verified` (OpenID Connect Core 5.1) and Entra's `xms_edov` vouch for the claim `email` alone. For another claim,
   * a "no" counts where it is about the same address, or stands beside that claim: `profile.email_verified` beside
   * `profile.email`.
   */
  emailStatus(name: string, address: string): VerificationStatus {
    const claims = this.#claims;
    const ofEmail = statusOf([claims.email_verified, claims.xms_edov]);
    if (name === 'email') return ofEmail;
    const beside = name.endsWith('email') && statusOf([this.#claimsAt(`${name}_verified`)[0]?.value]);
    const isSame = asciiLowerCase(address) === this.#lowerCaseEmail();
    return beside === 'unverified' || (isSame && ofEmail === 'unverified') ? 'unverified' : 'unknown';
  }

  /** Made once: it may be long, and there may be many addresses to compare with it. */
  #lowerCaseEmail(): string | null {
    const { email } = this.#claims;
    if (typeof email === 'string') this.#email ??= asciiLowerCase(email.trim());
    return this.#email;
  }

  /**
   * Aggregated and distributed claims (OpenID Connect Core 5.6.2), Entra's sign of too many groups, a claim that is
   * neither text nor a list of texts, and a path through something that is not an object.
   */
  hasOverage({ name }: Name): boolean {
    const claims = this.#claims;
    if (name === 'groups' && !isNo(claims.hasgroups ?? false)) return true;
    if (isElsewhere(claims._claim_names ?? {}, name)) return true;
    return ![claims, this.#beside].every((source) => isReadable(source, name));
  }
}

function statusOf(statements: unknown[]): VerificationStatus {
  const said = statements.filter((value) => value !== undefined && value !== null);
  if (said.length === 0) return 'unknown';
  return said.every(isYes) ? 'verified' : 'unverified';
}

/** How providers write "yes". Any other value is a "no". */
export function isYes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(1|true)$/i.test(value));
}

/** How providers write "no". Where groups may be cut short, any other value says that they are. */
export function isNo(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^(0|false)$/i.test(value));
}

function isElsewhere(claimNames: unknown, name: string): boolean {
  if (!isJsonObject(claimNames)) return true;
  return [name, ...parentsOf(name)].some((claim) => Object.hasOwn(claimNames, claim));
}

/** Whether each value under this name is text or a list of texts, and each parent of one an object. */
function isReadable(claims: Claims, name: string): boolean {
  const own = ownClaim(claims, name);
  const isTexts = Array.isArray(own) && own.every((item) => typeof item === 'string');
  if (own !== null && typeof own !== 'string' && !isTexts) return false;
  return parentsOf(name).every((parent) => {
    const nested = ownClaim(claims, parent) ?? {};
    return isJsonObject(nested) && isReadable(nested, name.slice(parent.length + 1));
  });
}

/** `a.b.c` is below `a` and below `a.b`. */
function parentsOf(name: string): string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}

/** Every value under a name, and where it stands. Null is absent. The claim of the whole name goes before nested ones. */
function claimsAt(claims: Claims, name: string, pathOf: (claim: string) => string): PlacedValue[] {
  const own = ownClaim(claims, name);
  const below = parentsOf(name).flatMap((parent) => {
    const nested = ownClaim(claims, parent);
    const path = pathTo(pathOf(parent), parent);
    return isJsonObject(nested) ? claimsAt(nested, name.slice(parent.length + 1), () => path) : [];
  });
  return own === null ? below : [{ path: pathTo(pathOf(name), name), value: own }, ...below];
}

function placesOf({ path, value }: PlacedValue, name: string, rank: Rank): Place[] {
  if (typeof value === 'string') return [{ name, path, text: value, rank, form: 'alone' }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((text, index) =>
    typeof text === 'string' ? [{ name, path: `${path}[${index}]`, text, rank, form: 'value' }] : [],
  );
}

/** A claim that is stored elsewhere has a value that cannot be read here: an object is one that no rule can compare. */
const ELSEWHERE: PlacedValue = { path: 'other_claims._claim_names', value: {} };

/** The value, or each member of a list. */
function membersOf(claim: PlacedValue): PlacedValue[] {
  const { path, value } = claim;
  if (!Array.isArray(value)) return [comparable(claim)];
  return value.map((member, index) => comparable({ path: `${path}[${index}]`, value: member }));
}

function pathTo(parent: string, claim: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(claim) ? `${parent}.${claim}` : `${parent}[${JSON.stringify(claim)}]`;
}

/** Own entries only: a claim named `constructor` that nobody sent is not there. */
function ownClaim(claims: Claims, name: string): unknown {
  const value = Object.hasOwn(claims, name) ? (claims[name] ?? null) : null;
  return ROLES_OF_ZITADEL.test(name) && isJsonObject(value) ? Object.keys(value) : value;
}
