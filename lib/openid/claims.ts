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
import { showableNames } from '../text.ts';
import { type Claims, collectDoubts, type Doubt, denialKey, isNo, proves } from './addressProof.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

export const CLAIM_NAMES = {
  email: namesOf('email'),
  first_name: namesOf('given_name'),
  // ProConnect, France's federation of civil servants, has no `family_name`.
  last_name: namesOf('family_name', 'usual_name'),
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
  same: (name) => [name],
};

/** An object whose keys are the roles of the person. No other object is a list of groups. */
const ROLES_OF_ZITADEL = /^urn:zitadel:iam:org:project:(?:[^:]+:)?roles$/;

/** The claims for which the event has fields of its own. The service may repeat them among the other claims or not. */
export const OWN_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'] as const;

export function isOwnClaim(name: string): name is (typeof OWN_CLAIMS)[number] {
  return OWN_CLAIMS.some((own) => own === name);
}

/** Beside the claims of an event, those of UserInfo. */
const beside = new WeakMap<Claims, Claims>();

/** Lets a rule that denies look at more than the claims of an event. They grant nothing. */
export function denyBeside(claims: Claims, more: Claims): void {
  beside.set(claims, more);
}

type Origin = 'userinfo' | 'graph';

/** Of the claims of an event, those that another system sent. */
const origins = new WeakMap<Claims, Map<string, Origin>>();

/** Has the explanation say that these claims of an event come from another system. */
export function noteOrigin(claims: Claims, names: readonly string[], origin: Origin): void {
  origins.set(
    claims,
    new Map([...(origins.get(claims) ?? []), ...names.map((name) => [name, origin] as const)]),
  );
}

/** A claim, or all that stands at a path in the items of a list. */
interface Claim extends PlacedValue {
  /** Where each member of the value stands, for members of several items. */
  memberPaths?: readonly string[];
}

/**
 * A name is a claim's own name, or a path into nested claims where no claim has the whole name:
 * `realm_access.roles`. A path goes into the items of a list. Claim names are case-sensitive (RFC 7519 section 4).
 */
export class ClaimsReader implements Reader {
  readonly nameId = null;
  readonly emailNameId = null;
  readonly #token: OpenIdUserLoggedInEvent['id_token'];
  readonly #claims: Claims;
  readonly #beside: Claims;
  readonly #origins: ReadonlyMap<string, Origin>;
  /** Made on first use: the claims may be many, and so may the addresses. */
  #doubts: Map<string, Doubt> | undefined;

  constructor({ id_token }: OpenIdUserLoggedInEvent) {
    this.#token = id_token;
    this.#claims = id_token.other_claims;
    this.#beside = beside.get(this.#claims) ?? {};
    this.#origins = origins.get(this.#claims) ?? new Map();
  }

  get issuer(): string {
    return this.#token.iss;
  }

  #claimsAt(name: string): Claim[] {
    if (isOwnClaim(name)) {
      const value = this.#token[name];
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

  nestedNames(): NestedName[] {
    return Object.entries(this.#claims).flatMap(([claim, value]) =>
      isJsonObject(value) ? Object.keys(value).map((key) => ({ name: `${claim}.${key}`, key })) : [],
    );
  }

  has({ name }: Name): boolean {
    return this.#claimsAt(name).length > 0;
  }

  *occurrences(names: readonly Name[]): Generator<Occurrence> {
    for (const { name } of names) {
      const [own] = this.#claimsAt(name);
      if (own) yield* occurrencesOf(own, name, 'grant', asText);
    }
  }

  *occurrencesEverywhere(names: readonly Name[]): Generator<Occurrence> {
    for (const { name } of names) {
      const [own, ...nested] = this.#claimsAt(name);
      if (own) yield* occurrencesOf(own, name, 'grant', asGroup);
      for (const claim of [...nested, ...claimsAt(this.#beside, name, () => 'userinfo')])
        yield* occurrencesOf(claim, name, 'deny-only', asGroup);
    }
  }

  values(names: readonly Name[]): PlacedValue[] {
    return names.flatMap(({ name }) => this.#claimsAt(name).slice(0, 1).flatMap(valuesOf));
  }

  valuesEverywhere(names: readonly Name[]): PlacedValue[] {
    return names.flatMap(({ name }) => [
      ...this.#claimsAt(name).flatMap(valuesOf),
      ...claimsAt(this.#beside, name, () => 'userinfo').flatMap(valuesOf),
    ]);
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
    const holders = holdersOf(this.#claims, name);
    return holders.some((holder) => proves(holder, address)) ? 'verified' : 'unknown';
  }

  /** Aggregated and distributed claims (OpenID Connect Core 5.6.2), and Entra's signs of too many groups. */
  hasOverage({ name }: Name): boolean {
    return isCutAt(this.#claims, name);
  }

  otherForm({ name }: Name): OtherForm | null {
    return otherFormAt(this.#claims, name) ?? otherFormAt(this.#beside, name);
  }
}

function doubtsIn(...sources: readonly Claims[]): Map<string, Doubt> {
  const doubts = new Map<string, Doubt>();
  for (const source of sources) collectDoubts(source, doubts);
  return doubts;
}

/** Whether the claims say that what stands under this name, or above or below it, is not all. */
function isCutAt(claims: Claims, name: string): boolean {
  const paths = [...parentsOf(name), name];
  if (paths.includes('groups') && !isNo(claims.hasgroups ?? false)) return true;
  if (paths.some((path) => Object.hasOwn(claims, `${path}:src1`))) return true;
  if (isElsewhere(claims._claim_names ?? {}, name)) return true;
  return parentsOf(name).some((parent) => {
    const nested = ownClaim(claims, parent);
    return isJsonObject(nested) && isCutAt(nested, name.slice(parent.length + 1));
  });
}

function isElsewhere(claimNames: unknown, name: string): boolean {
  if (!isJsonObject(claimNames)) return true;
  return [name, ...parentsOf(name)].some((claim) => Object.hasOwn(claimNames, claim));
}

/** The first form under this name that is neither a text nor a list of texts, or keeps the rest of a path from being read. */
function otherFormAt(claims: Claims, name: string): OtherForm | null {
  const own = otherFormOf(ownClaim(claims, name));
  if (own) return own;
  for (const parent of parentsOf(name)) {
    const nested = ownClaim(claims, parent) ?? {};
    const rest = name.slice(parent.length + 1);
    if (Array.isArray(nested)) {
      if (!nested.every((item) => isReadAt(item, rest))) return { form: 'items' };
    } else {
      const below = isJsonObject(nested) ? otherFormAt(nested, rest) : PARENT;
      if (below) return below;
    }
  }
  return null;
}

function isReadAt(item: unknown, name: string): boolean {
  if (!isJsonObject(item)) return false;
  // Stryker disable next-line ArrowFunction,StringLiteral: where it stands is not looked at.
  const claims = claimsAt(item, name, () => '');
  return claims.length > 0 && otherFormAt(item, name) === null;
}

const PARENT: OtherForm = { form: 'parent' };

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
  const { names } = showableNames(Object.keys(object).filter((key) => asGroup(object[key]) !== null));
  return names.find((key) => /name|display/i.test(key)) ?? names[0] ?? 'name';
}

/** A longer name is that of a claim: the ways to read it as a path are too many. */
const MAX_PARTS = 10;

/** `a.b.c` is below `a` and below `a.b`. */
function parentsOf(name: string): string[] {
  // Stryker disable next-line ConditionalExpression,ArrayDeclaration,StringLiteral: what follows makes the same of it, and takes longer.
  if (!name.includes('.')) return [];
  const parts = name.split('.');
  const count = parts.length > MAX_PARTS ? 0 : parts.length - 1;
  return Array.from({ length: count }, (_, index) => parts.slice(0, index + 1).join('.'));
}

/** Every value under a name, and where it stands. Null is absent. The claim of the whole name goes before nested ones. */
function claimsAt(claims: Claims, name: string, pathOf: (claim: string) => string): Claim[] {
  const own = ownClaim(claims, name);
  const below = parentsOf(name).flatMap((parent) => {
    const nested = ownClaim(claims, parent);
    const path = pathTo(pathOf(parent), parent);
    const rest = name.slice(parent.length + 1);
    if (Array.isArray(nested)) return claimsInItems(nested, rest, path);
    return isJsonObject(nested) ? claimsAt(nested, rest, () => path) : [];
  });
  return own === null ? below : [{ path: pathTo(pathOf(name), name), value: own }, ...below];
}

/** The objects in which the first values under a name stand. */
function holdersOf(claims: Claims, name: string): Claims[] {
  if (ownClaim(claims, name) !== null) return [claims];
  for (const parent of parentsOf(name)) {
    const items = [ownClaim(claims, parent)].flat().filter(isJsonObject);
    const holders = items.flatMap((item) => holdersOf(item, name.slice(parent.length + 1)));
    if (holders.length > 0) return holders;
  }
  return [];
}

/** Of each item the first claim; together they are one list. Then what else stands there. */
function claimsInItems(items: readonly unknown[], name: string, path: string): Claim[] {
  const found = items.map((item, index) =>
    isJsonObject(item) ? claimsAt(item, name, () => `${path}[${index}]`) : [],
  );
  if (items.length > 0 && found.every((claims) => claims.length === 0)) return [];
  const members = found.flatMap(([first]) => (first ? membersOf(first) : []));
  const list = {
    path,
    value: members.map(({ value }) => value),
    memberPaths: members.map((member) => member.path),
  };
  return [list, ...found.flatMap(([, ...others]) => others)];
}

/** The members of a list, or the value itself. */
function membersOf({ path, value, memberPaths }: Claim): PlacedValue[] {
  if (!Array.isArray(value)) return [{ path, value }];
  return value.map((member, index) => ({ path: memberPaths?.[index] ?? `${path}[${index}]`, value: member }));
}

/** The members of a list, or the value itself, as rules compare them. */
function valuesOf(claim: Claim): PlacedValue[] {
  return membersOf(claim).map(comparable);
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

function occurrencesOf(claim: Claim, name: string, use: Use, read: ReadText): Occurrence[] {
  const shape = Array.isArray(claim.value) ? 'item' : 'single';
  return membersOf(claim).flatMap(({ path, value }) => {
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
