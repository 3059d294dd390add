/** The claims of an ID token: the names that identity providers use, and how a claim is looked up. */
import {
  comparable,
  type DefaultNames,
  type Name,
  type NameLists,
  type NestedName,
  namesOf,
  type Occurrence,
  type OtherForm,
  type PlacedValue,
  type Reader,
  type Use,
  type VerificationStatus,
} from '../profile/fields/reader.ts';
import { isJsonObject } from '../schema.ts';
import { isVisible, showableNames } from '../text.ts';
import { type Claims, type Doubt, denialKey, doubtsIn, isNo, provenAddress } from './addressProof.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

export const CLAIM_NAMES = {
  email: namesOf('email'),
  first_name: namesOf('given_name'),
  // ProConnect, France's federation of civil servants, has no `family_name`.
  last_name: namesOf('family_name', 'usual_name'),
  full_name: namesOf('name'),
  image_url: namesOf('picture'),
  affiliation: namesOf('schac_home_organization'),
  groups: namesOf(
    ...['groups', 'roles', 'cognito:groups', 'realm_access.roles'],
    // RFC 9068 section 2.2.3.1, as AARC-G069 has it, and its older name.
    ...['entitlements', 'eduperson_entitlement'],
  ),
  scoped_affiliation: namesOf('eduperson_scoped_affiliation', 'voperson_external_affiliation'),
  assurance: namesOf('eduperson_assurance'),
} satisfies NameLists;

export const OPENID_NAMES: DefaultNames & typeof CLAIM_NAMES = {
  ...CLAIM_NAMES,
  kind: 'OpenID',
  emailNameId: false,
  scopedIds: new Set(),
  expand: (name) => [name],
  same: (name) => [name],
};

/** An object whose keys are the roles of the person. No other object is a list of groups. */
const ROLES_OF_ZITADEL = /^urn:zitadel:iam:org:project:(?:[^:]+:)?roles$/;

/** The claims for which the event has fields of its own. The service may repeat them among the other claims or not. */
export const OWN_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'] as const;

export function isOwnClaim(name: string): name is (typeof OWN_CLAIMS)[number] {
  return OWN_CLAIMS.some((own) => own === name);
}

/** What other systems said of a person, by the claims of the event. */
interface Elsewhere {
  /** Those of UserInfo, which a rule that denies looks at too. They grant nothing. */
  userInfo: Claims;
  /** Those of the ID token before others were added, which say whether the addresses beside them are verified. */
  token: Claims;
  /** Of the claims of the event, those that another system sent. */
  origins: Readonly<Record<string, 'userinfo' | 'graph'>>;
}

const elsewhere = new WeakMap<Claims, Elsewhere>();
const NOWHERE: Elsewhere = { userInfo: {}, token: {}, origins: {} };

/** Has rules look at what another system said beside the claims of an event, and the explanation name it. */
export function noteElsewhere(claims: Claims, { userInfo, token, origins }: Partial<Elsewhere>): void {
  const before = elsewhere.get(claims) ?? NOWHERE;
  elsewhere.set(claims, {
    userInfo: userInfo ?? before.userInfo,
    token: token ?? before.token,
    origins: { ...before.origins, ...origins },
  });
}

/** A claim, or all that stands at a path in the items of a list. */
interface Claim {
  /** `item`: it is a list. */
  shape: 'item' | 'single';
  /** The members of the list, or the value itself. */
  members: readonly Member[];
}

interface Member extends PlacedValue {
  /** The object in which it stands. */
  holder: Claims;
}

/**
 * A name is a claim's own name, or a path into nested claims where no claim has the whole name:
 * `realm_access.roles`. A path goes into the items of a list. Claim names are case-sensitive (RFC 7519 section 4).
 */
export class ClaimsReader implements Reader {
  readonly nameId = null;
  readonly emailNameId = null;
  readonly unspecifiedNameId = null;
  readonly #token: OpenIdUserLoggedInEvent['id_token'];
  readonly #claims: Claims;
  readonly #elsewhere: Elsewhere;
  /** Made on first use: the claims may be many, and so may the addresses. */
  #doubts: Map<string, Doubt> | undefined;
  /** By the name of a claim, the addresses that are proven beside it. */
  readonly #proven = new Map<string, ReadonlySet<string | null>>();

  constructor({ id_token }: OpenIdUserLoggedInEvent) {
    this.#token = id_token;
    this.#claims = id_token.other_claims;
    this.#elsewhere = elsewhere.get(this.#claims) ?? NOWHERE;
  }

  /** The first claim grants, the others only deny. */
  #lookUp(name: string): Found {
    if (isOwnClaim(name)) {
      const value = this.#token[name];
      return { claims: value === null ? [] : [claimOf(name, value, {})], form: null };
    }
    const { origins } = this.#elsewhere;
    const pathOf = (claim: string) => (Object.hasOwn(origins, claim) ? `${origins[claim]}` : 'other_claims');
    return lookUp(this.#claims, name, pathOf);
  }

  #lookUpInUserInfo(name: string): Found {
    return lookUp(this.#elsewhere.userInfo, name, () => 'userinfo');
  }

  allNames(): string[] {
    return Object.keys(this.#claims);
  }

  nestedNames(): NestedName[] {
    return Object.entries(this.#claims).flatMap(([parent, object]) => {
      const nested = isJsonObject(object) ? Object.entries(object) : [];
      return nested.map(([key, value]) => ({ name: `${parent}.${key}`, parent, key, value }));
    });
  }

  own(name: string): unknown {
    return ownClaim(this.#claims, name);
  }

  otherNames(): [] {
    return [];
  }

  has({ name }: Name): boolean {
    return this.#lookUp(name).claims.length > 0;
  }

  occurrences(names: readonly Name[]): Occurrence[] {
    return names.flatMap(({ name }) => {
      const [own] = this.#lookUp(name).claims;
      return own ? occurrencesOf(own, name, 'grant', asText) : [];
    });
  }

  occurrencesEverywhere(names: readonly Name[]): Occurrence[] {
    return names.flatMap(({ name }) => {
      const [own, ...nested] = this.#lookUp(name).claims;
      const granting = own ? occurrencesOf(own, name, 'grant', asGroup) : [];
      const others = [...nested, ...this.#lookUpInUserInfo(name).claims];
      return [...granting, ...others.flatMap((claim) => occurrencesOf(claim, name, 'deny-only', asGroup))];
    });
  }

  values(names: readonly Name[]): PlacedValue[] {
    return valuesOf(names.flatMap(({ name }) => this.#lookUp(name).claims.slice(0, 1)));
  }

  valuesEverywhere(names: readonly Name[]): PlacedValue[] {
    const found = names.flatMap(({ name }) => [this.#lookUp(name), this.#lookUpInUserInfo(name)]);
    return valuesOf(found.flatMap(({ claims }) => claims));
  }

  /** OpenID Connect Core 2. */
  get signedInAt(): PlacedValue | null {
    const { auth_time: value = null } = this.#claims;
    return value === null ? null : { path: 'other_claims.auth_time', value };
  }

  /** What is said against an address counts wherever it stands, at UserInfo too; a proof only beside the claim that is used. */
  emailStatus(name: string, address: string): VerificationStatus {
    const { userInfo, token } = this.#elsewhere;
    this.#doubts ??= doubtsIn([this.#claims, userInfo, token]);
    const doubt = this.#doubts.get(denialKey(address));
    if (doubt !== undefined) return doubt;
    const proven = this.#proven.get(name) ?? this.#provenBeside(name);
    this.#proven.set(name, proven);
    return proven.has(address) ? 'verified' : 'unknown';
  }

  #provenBeside(name: string): ReadonlySet<string | null> {
    const [own] = this.#lookUp(name).claims;
    return new Set(own?.members.map(({ holder }) => provenAddress(holder)));
  }

  /** Aggregated and distributed claims (OpenID Connect Core 5.6.2), and Entra's signs of too many groups. */
  hasOverage({ name }: Name): boolean {
    return isCutAt(this.#claims, name);
  }

  otherForm({ name }: Name): OtherForm | null {
    return this.#lookUp(name).form ?? this.#lookUpInUserInfo(name).form;
  }
}

/** Whether the claims say that what stands under this name, or above or below it, is not all. */
function isCutAt(claims: Claims, name: string): boolean {
  const below = pathsIn(claims, name);
  const names = [name, ...below.map(({ parent }) => parent)];
  const elsewhere = claims._claim_names ?? {};
  return (
    (names.includes('groups') && !isNo(claims.hasgroups ?? false)) ||
    !isJsonObject(elsewhere) ||
    names.some((one) => Object.hasOwn(claims, `${one}:src1`) || Object.hasOwn(elsewhere, one)) ||
    below.some(({ nested, rest }) => isJsonObject(nested) && isCutAt(nested, rest))
  );
}

/** What stands under a name. */
interface Found {
  /** Every one, that of the whole name before nested ones. Null is absent. */
  claims: Claim[];
  /** The first form that is neither a text nor a list of texts, or keeps the rest of a path from being read. */
  form: OtherForm | null;
}

const NOTHING: Found = { claims: [], form: null };

/** @param pathOf where a claim stands */
function lookUp(claims: Claims, name: string, pathOf: (claim: string) => string): Found {
  const own = ownClaim(claims, name);
  const below = pathsIn(claims, name).map(({ parent, nested, rest }): Found => {
    const path = pathTo(pathOf(parent), parent);
    if (Array.isArray(nested)) return lookUpInItems(nested, rest, path);
    if (isJsonObject(nested)) return lookUp(nested, rest, () => path);
    return nested === null ? NOTHING : { claims: [], form: { form: 'parent' } };
  });
  const claim = own === null ? [] : [claimOf(pathTo(pathOf(name), name), own, claims)];
  return {
    claims: [...claim, ...below.flatMap((found) => found.claims)],
    form: [otherFormOf(own), ...below.map(({ form }) => form)].find((form) => form !== null) ?? null,
  };
}

/** Of each item the first claim; together they are one list. Then what else stands there. */
function lookUpInItems(items: readonly unknown[], name: string, path: string): Found {
  const found = items.map((item, index) =>
    isJsonObject(item) ? lookUp(item, name, () => `${path}[${index}]`) : NOTHING,
  );
  const isRead = found.every(({ claims, form }) => claims.length > 0 && form === null);
  const form = isRead ? null : ({ form: 'items' } as const);
  if (items.length > 0 && found.every(({ claims }) => claims.length === 0)) return { claims: [], form };
  const members = found.flatMap(({ claims: [first] }) => first?.members ?? []);
  const others = found.flatMap(({ claims: [, ...others] }) => others);
  return { claims: [{ shape: 'item', members }, ...others], form };
}

function otherFormOf(value: unknown): OtherForm | null {
  if (value === null) return null;
  if (isJsonObject(value)) return { form: 'object' };
  const unread = (Array.isArray(value) ? value : [value]).filter((item) => asGroup(item) === null);
  const [first] = unread;
  if (unread.length === 0) return null;
  if (isJsonObject(first)) return { form: 'objects', key: keyOfText(first) };
  return { form: typeof first === 'number' ? 'number' : 'other' };
}

/** Where the name of a group is likely to stand in an object. */
function keyOfText(object: Claims): string {
  const { names } = showableNames(Object.keys(object).filter((key) => isVisible(asGroup(object[key]) ?? '')));
  return names.find((key) => /name|display/i.test(key)) ?? names[0] ?? 'name';
}

/** A longer name is that of a claim: the ways to read it as a path are too many. */
const MAX_PARTS = 10;

/** The ways to read a name as a path: `a.b.c` is `b.c` in `a`, and `c` in `a.b`. */
function pathsIn(claims: Claims, name: string): { parent: string; nested: unknown; rest: string }[] {
  // Stryker disable next-line ConditionalExpression,ArrayDeclaration,StringLiteral: what follows makes the same of it, and takes longer.
  if (!name.includes('.')) return [];
  const parts = name.split('.');
  const count = parts.length > MAX_PARTS ? 0 : parts.length - 1;
  return Array.from({ length: count }, (_, index) => {
    const parent = parts.slice(0, index + 1).join('.');
    return { parent, nested: ownClaim(claims, parent), rest: name.slice(parent.length + 1) };
  });
}

function claimOf(path: string, value: unknown, holder: Claims): Claim {
  if (!Array.isArray(value)) return { shape: 'single', members: [{ path, value, holder }] };
  const members = value.map((member, index) => ({ path: `${path}[${index}]`, value: member, holder }));
  return { shape: 'item', members };
}

/** As rules compare them. */
function valuesOf(claims: readonly Claim[]): PlacedValue[] {
  return claims.flatMap(({ members }) => members).map(comparable);
}

/** Null for what is not read as a text. */
type ReadText = (value: unknown) => string | null;

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Some providers name groups by number. Of others than safe integers, digits may be lost before they arrive here. */
function asGroup(value: unknown): string | null {
  return Number.isSafeInteger(value) ? String(value) : asText(value);
}

function occurrencesOf({ shape, members }: Claim, name: string, use: Use, read: ReadText): Occurrence[] {
  return members.flatMap(({ path, value }) => {
    const text = read(value);
    return text === null ? [] : [{ name, path, text, use, shape }];
  });
}

function pathTo(parent: string, claim: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(claim) ? `${parent}.${claim}` : `${parent}[${JSON.stringify(claim)}]`;
}

/** Own entries only: a claim named `constructor` that nobody sent is not there. */
function ownClaim(claims: Claims, name: string): unknown {
  const value = Object.hasOwn(claims, name) ? (claims[name] ?? null) : null;
  return ROLES_OF_ZITADEL.test(name) && isJsonObject(value) ? Object.keys(value) : value;
}
