/** The claims of UserInfo (OpenID Connect Core 5.3), merged into the event. */
import * as v from 'valibot';
import { LookUpFailed } from '../reasons.ts';
import { freeForm, isJsonObject } from '../schema.ts';
import { lookUp } from '../toolkit/lookUp.ts';
import { LookUpUrl } from '../toolkit/url.ts';
import { denyBeside, isNo, isYes, noteOrigin } from './claims.ts';
import { discover } from './discovery.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

export interface UserInfoOptions {
  /** The issuers whose UserInfo endpoint may be used, each spelled as in its ID tokens. */
  issuers: readonly string[];
  /** Whether `http:` is allowed: only for a provider on the same machine. Default: false. */
  allowHttp?: boolean;
}

const Metadata = v.object({ userinfo_endpoint: v.pipe(v.string(), v.url()) });
const Claims = v.pipe(freeForm, v.looseObject({ sub: v.string() }));

/** Claims about the token and how it was got, not about the person (OpenID Connect Core 2, and Entra's `acrs`). */
const OF_THE_TOKEN = /^(?:iss|aud|exp|iat|nonce|acrs?|amr|auth_time|azp|sid|nbf|jti|.*_hash)$/;

/**
 * Adds the claims of UserInfo to the event's other claims. Where both sources have a claim, the ID token's counts, and
 * a rule that denies looks at both.
 *
 * @returns the same event
 * @throws {LookUpFailed} also where the `sub` of UserInfo is not the ID token's (OpenID Connect Core 5.3.2)
 */
export async function userInfo(
  event: OpenIdUserLoggedInEvent,
  { issuers, allowHttp = false }: UserInfoOptions,
): Promise<OpenIdUserLoggedInEvent> {
  const { id_token, access_token } = event;
  const issuer = issuers.find((listed) => listed === id_token.iss);
  if (issuer === undefined) {
    throw new LookUpFailed('lookup_url_refused', 'unknown', null, ['expected a configured issuer']);
  }
  const { userinfo_endpoint } = await discover(issuer, Metadata, { allowHttp });
  const address = new LookUpUrl(userinfo_endpoint);
  const headers = { authorization: `Bearer ${access_token}` };
  const { sub, ...claims } = await lookUp(address, Claims, { headers, allowHttp });
  if (sub !== id_token.sub) {
    throw new LookUpFailed('lookup_unexpected', address.host, 200, ['sub: expected the sub of the ID token']);
  }
  const ofThePerson = Object.fromEntries(Object.entries(claims).filter(([name]) => !OF_THE_TOKEN.test(name)));
  const own = present(id_token.other_claims);
  id_token.other_claims = merged(own, ofThePerson);
  denyBeside(id_token.other_claims, ofThePerson);
  const added = Object.keys(ofThePerson).filter((name) => !Object.hasOwn(own, name));
  noteOrigin(id_token.other_claims, added, 'userinfo');
  return event;
}

type Claims = Record<string, unknown>;

/**
 * The ID token's claims win, objects claim by claim; a null claim is absent. An e-mail address and the statements about it
 * come from the same source. What either source says against somebody stays: that an address is not verified, wherever the
 * source says so, and that there are more groups.
 */
export function merged(own: Claims, more: Claims): Claims {
  const denied = new Set<unknown>();
  for (const source of [own, more]) collectDenied(source, denied);
  const overage = [own.hasgroups, more.hasgroups].find((said) => !isAbsent(said) && !isNo(said));
  // One of another form does not tell which claims it means.
  const elsewhere = [own._claim_names, more._claim_names].find(
    (names) => !isAbsent(names) && !isJsonObject(names),
  );
  return {
    ...withDenials(joined(own, more), denied),
    ...(overage !== undefined && { hasgroups: overage }),
    ...(elsewhere !== undefined && { _claim_names: elsewhere }),
  };
}

/** The claims of both sources. Where both have a claim, the first source's counts; objects are joined in the same way. */
function joined(given: Claims, givenMore: Claims): Claims {
  const [own, more] = [present(given), present(givenMore)];
  const claims: Claims = { ...more, ...own };
  for (const [name, value] of Object.entries(own)) {
    const other = more[name];
    if (isJsonObject(value) && isJsonObject(other)) claims[name] = joined(value, other);
  }
  for (const address of addressesIn(claims)) {
    for (const statement of statementsOn(address)) {
      const sources = [own, more].filter((source) => source[statement] !== undefined);
      // A "no" that names no address is about whichever there is.
      const source =
        sources.find((one) => one[address] === undefined && isDenial(one[statement])) ??
        sources.find((one) => one[address] === claims[address]);
      claims[statement] = source?.[statement];
    }
  }
  return present(claims);
}

/** Denies, throughout the claims, each address that is denied anywhere. */
function withDenials(claims: Claims, denied: ReadonlySet<unknown>): Claims {
  const below = Object.entries(claims).map(
    ([name, value]) => [name, isJsonObject(value) ? withDenials(value, denied) : value] as const,
  );
  const denials = addressesIn(claims)
    .filter((address) => denied.has(inLowerCase(claims[address])) && !isDenied(claims, address))
    .map((address) => [`${address}_verified`, false] as const);
  return Object.fromEntries([...below, ...denials]);
}

/** The addresses that are denied anywhere, in lists too, in lower case. */
function collectDenied(value: unknown, denied: Set<unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  const claims = value as Claims;
  for (const below of Object.values(claims)) collectDenied(below, denied);
  for (const address of addressesIn(claims)) {
    if (!isAbsent(claims[address]) && isDenied(claims, address)) denied.add(inLowerCase(claims[address]));
  }
}

/** The names under which an object has addresses, or statements about one: `email` of `email_verified`. */
function addressesIn(claims: Claims): string[] {
  const names = Object.keys(claims).map((name) =>
    name === 'xms_edov' ? 'email' : name.replace(/_verified$/, ''),
  );
  return [...new Set(names.filter((name) => name.endsWith('email')))];
}

/** As the claims' reader takes them: `xms_edov` is Entra's. */
function statementsOn(address: string): string[] {
  return address === 'email' ? ['email_verified', 'xms_edov'] : [`${address}_verified`];
}

function isDenied(claims: Claims, address: string): boolean {
  return statementsOn(address).some((statement) => isDenial(claims[statement]));
}

/** Anything but an absent claim or a yes. */
function isDenial(value: unknown): boolean {
  return !isAbsent(value) && !isYes(value);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function present(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => !isAbsent(value)));
}

function inLowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}
