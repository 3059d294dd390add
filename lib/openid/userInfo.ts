/** The claims of UserInfo (OpenID Connect Core 5.3), merged into the event. */
import { isLoopbackHttp } from '../issuers.ts';
import { LookUpFailed } from '../reasons.ts';
import { freeForm, isJsonObject } from '../schema.ts';
import { lookUp } from '../toolkit/lookUp.ts';
import {
  addressKeys,
  addressNames,
  type Claims,
  type Doubt,
  doubtsIn,
  isAbsent,
  isDenial,
  isNo,
  onlyAddress,
  statementsOn,
} from './addressProof.ts';
import { noteElsewhere } from './claims.ts';
import { discover } from './discovery.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

export interface UserInfoOptions {
  /** The issuers whose UserInfo endpoint may be used, each spelled as in its ID tokens. */
  issuers: readonly string[];
}

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
  { issuers }: UserInfoOptions,
): Promise<OpenIdUserLoggedInEvent> {
  const { id_token, access_token } = event;
  const { iss: issuer } = id_token;
  if (!issuers.includes(issuer)) {
    throw new LookUpFailed('lookup_url_refused', 'unknown', null, ['expected a configured issuer']);
  }
  const address = await discover(issuer, 'userinfo_endpoint');
  const headers = { authorization: `Bearer ${access_token}` };
  const allowHttp = isLoopbackHttp(address.href);
  const { sub, ...claims } = await lookUp(address, freeForm, { headers, allowHttp });
  if (sub !== id_token.sub) {
    const expected = typeof sub === 'string' ? 'expected the sub of the ID token' : 'expected a text';
    throw new LookUpFailed('lookup_unexpected', address.host, 200, [`userinfo.sub: ${expected}`]);
  }
  const ofThePerson = Object.fromEntries(Object.entries(claims).filter(([name]) => !OF_THE_TOKEN.test(name)));
  const own = present(id_token.other_claims);
  id_token.other_claims = merged(own, ofThePerson);
  const added = Object.keys(ofThePerson).filter((name) => !Object.hasOwn(own, name));
  const origins = Object.fromEntries(added.map((name) => [name, 'userinfo' as const]));
  noteElsewhere(id_token.other_claims, { userInfo: ofThePerson, token: own, origins });
  return event;
}

/**
 * The ID token's claims win, objects claim by claim; a null claim is absent. An e-mail address and the statements about it
 * come from the same source. What either source says against somebody stays: that an address is not verified, wherever the
 * source says so, and that there are more groups.
 */
export function merged(own: Claims, more: Claims): Claims {
  const denied = doubtsIn([own, more]);
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
  for (const address of addressNames(claims)) {
    for (const statement of statementsOn(address)) {
      const sources = [own, more].filter((source) => source[statement] !== undefined);
      // A "no" that names no address is about whichever there is.
      const source =
        sources.find((one) => one[address] === undefined && isDenial(one[statement])) ??
        sources.find((one) => isSameAddress(one[address], claims[address]));
      claims[statement] = source?.[statement];
    }
  }
  return present(claims);
}

/** A text and a list of one are the same address. */
function isSameAddress(one: unknown, other: unknown): boolean {
  return one === other || (onlyAddress(one) !== null && onlyAddress(one) === onlyAddress(other));
}

/** Denies, throughout the claims, each address that is denied anywhere. */
function withDenials(claims: Claims, denied: ReadonlyMap<string, Doubt>): Claims {
  const below = Object.entries(claims).map(
    ([name, value]) => [name, isJsonObject(value) ? withDenials(value, denied) : value] as const,
  );
  const denials = addressNames(claims)
    .filter((name) => addressKeys(claims[name]).some((key) => denied.has(key)))
    .filter((name) => !statementsOn(name).some((statement) => isDenial(claims[statement])))
    .map((name) => [`${name}_verified`, false] as const);
  return Object.fromEntries([...below, ...denials]);
}

function present(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => !isAbsent(value)));
}
