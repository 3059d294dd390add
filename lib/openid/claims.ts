/** The claims of an ID token: the names that identity providers use, and how a claim is looked up. */
import {
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
import type { OpenIdUserLoggedInEvent } from './model.ts';
import { type Claims, collectDoubts, type Doubt, denialKey, isNo, proves } from './verification.ts';

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
  scopedIds: new Set(),
  expand: (name) => [name],
};

/** An object whose keys are the roles of the person. No other object is a list of groups. */
const ROLES_OF_ZITADEL = /^urn:zitadel:iam:org:project:(?:[^:]+:)?roles$/;

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
  readonly #claims: Claims;
  readonly #beside: Claims;
  readonly #origins: ReadonlyMap<string, Origin>;
  /** Made on first use: the claims may be many, and so may the addresses. */
  #doubts: Map<string, Doubt> | undefined;

  constructor({ id_token }: OpenIdUserLoggedInEvent) {
    this.issuer = id_token.iss;
    this.#claims = id_token.other_claims;
    this.#beside = beside.get(this.#claims) ?? {};
    this.#origins = origins.get(this.#claims) ?? new Map();
  }

  #claimsAt(name: string): PlacedValue[] {
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
    return names.flatMap(({ name }) => {
      const [claim] = this.#claimsAt(name);
      if (!claim) return [];
      const { path, value } = claim;
      return Array.isArray(value)
        ? value.map((member, index) => ({ path: `${path}[${index}]`, value: member }))
        : [claim];
    });
  }

  /** OpenID Connect Core 2. */
  get signedInAt(): PlacedValue | null {
    return this.#claimsAt('auth_time')[0] ?? null;
  }

  /** What is said against an address counts wherever it stands, at UserInfo too; a proof only beside the claim that is used. */
  emailStatus(name: string, address: string): VerificationStatus {
    this.#doubts ??= doubtsIn(this.#claims, this.#beside);
    const doubt = this.#doubts.get(denialKey(address));
    if (doubt !== undefined) return doubt;
    const holder = holderOf(this.#claims, name);
    return holder !== null && proves(holder, address) ? 'verified' : 'unknown';
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

function doubtsIn(...sources: readonly Claims[]): Map<string, Doubt> {
  const doubts = new Map<string, Doubt>();
  for (const source of sources) collectDoubts(source, doubts);
  return doubts;
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

/** The object in which the first value under a name stands; null where there is none. */
function holderOf(claims: Claims, name: string): Claims | null {
  if (ownClaim(claims, name) !== null) return claims;
  for (const parent of parentsOf(name)) {
    const nested = ownClaim(claims, parent);
    const holder = isJsonObject(nested) ? holderOf(nested, name.slice(parent.length + 1)) : null;
    if (holder !== null) return holder;
  }
  return null;
}

function placesOf({ path, value }: PlacedValue, name: string, rank: Rank): Place[] {
  if (typeof value === 'string') return [{ name, path, text: value, rank, form: 'alone' }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((text, index) =>
    typeof text === 'string' ? [{ name, path: `${path}[${index}]`, text, rank, form: 'value' }] : [],
  );
}

function pathTo(parent: string, claim: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(claim) ? `${parent}.${claim}` : `${parent}[${JSON.stringify(claim)}]`;
}

/** Own entries only: a claim named `constructor` that nobody sent is not there. */
function ownClaim(claims: Claims, name: string): unknown {
  const value = Object.hasOwn(claims, name) ? (claims[name] ?? null) : null;
  return ROLES_OF_ZITADEL.test(name) && isJsonObject(value) ? Object.keys(value) : value;
}
