/** The claims of UserInfo (OpenID Connect Core 5.3), merged into the event. */
import * as v from 'valibot';
import { LookUpFailed } from '../errors.ts';
import { freeForm, isJsonObject } from '../schema.ts';
import { lookUp } from '../toolkit/lookUp.ts';
import { LookUpUrl } from '../toolkit/url.ts';
import { isNo, isYes } from './claims.ts';
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

/** Claims about the token, not about the person. */
const OF_THE_TOKEN = ['iss', 'aud', 'exp', 'iat', 'nonce'];

/**
 * Adds the claims of UserInfo to the event's other claims. Where both sources have a claim, the ID token's counts.
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
    throw new LookUpFailed('lookup_url_refused', 'unknown', null, ['expected an issuer that is configured']);
  }
  const { userinfo_endpoint } = await discover(issuer, Metadata, { allowHttp });
  const address = new LookUpUrl(userinfo_endpoint);
  const headers = { authorization: `Bearer ${access_token}` };
  const { sub, ...claims } = await lookUp(address, Claims, { headers, allowHttp });
  if (sub !== id_token.sub) {
    throw new LookUpFailed('lookup_unexpected', address.host, 200, ['sub: expected the one of the ID token']);
  }
  const ofThePerson = Object.entries(claims).filter(([name]) => !OF_THE_TOKEN.includes(name));
  id_token.other_claims = merged(id_token.other_claims, Object.fromEntries(ofThePerson));
  return event;
}

const STATEMENTS = ['email_verified', 'xms_edov'];
const OF_THE_EMAIL = ['email', ...STATEMENTS];

/**
 * The ID token's claims win, objects claim by claim; a null claim is absent. An e-mail address and the statements about it
 * come from the same source. What either source says against somebody stays: that the address is not verified, and that
 * there are more groups.
 */
export function merged(own: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  const claims = byPrecedence(withoutNull(own), withoutNull(more));
  const overage = [own.hasgroups, more.hasgroups].find((said) => !isAbsent(said) && !isNo(said));
  // One of another form does not tell which claims it means.
  const elsewhere = [own._claim_names, more._claim_names].find(
    (names) => !isAbsent(names) && !isJsonObject(names),
  );
  return {
    ...claims,
    ...denials(more, claims.email),
    ...denials(own, claims.email),
    ...(overage !== undefined && { hasgroups: overage }),
    ...(elsewhere !== undefined && { _claim_names: elsewhere }),
  };
}

function byPrecedence(own: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  if (own.email === undefined) return joined(without(own, OF_THE_EMAIL), more);
  if (own.email === more.email) return joined(own, more);
  return joined(own, without(more, OF_THE_EMAIL));
}

/** The claims of both sources. Where both have a claim, the first source's counts; objects are joined in the same way. */
function joined(own: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  const both = Object.entries(withoutNull(own)).map(([name, value]) => {
    const other = more[name];
    return [name, isJsonObject(value) && isJsonObject(other) ? joined(value, other) : value] as const;
  });
  return { ...more, ...Object.fromEntries(both) };
}

function withoutNull(claims: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}

/** The statements of a source that deny this address: its own, in any case, or any where it names none. */
function denials(claims: Record<string, unknown>, email: unknown): Record<string, unknown> {
  if (!isAbsent(claims.email) && inLowerCase(claims.email) !== inLowerCase(email)) return {};
  const said = STATEMENTS.map((name) => [name, claims[name]] as const);
  return Object.fromEntries(said.filter(([, value]) => isDenial(value)));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function inLowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}

/** Anything but an absent claim or a yes. */
function isDenial(value: unknown): boolean {
  return !isAbsent(value) && !isYes(value);
}

function without(claims: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
}
