/** OpenID providers: what they publish against what the stage lists and the mapping asks for. */
import { createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose';
import * as v from 'valibot';
import { isDiscoverable, isLoopbackHttp } from '../../lib/issuers.ts';
import { KeySet } from '../../lib/openid/issuerKeys.ts';
import { ALGORITHMS } from '../../lib/openid/signedToken.ts';
import { LookUpFailed } from '../../lib/reasons.ts';
import { lookUp } from '../../lib/toolkit/lookUp.ts';
import { endpoint, LookUpUrl, url } from '../../lib/toolkit/url.ts';
import { listed, quoted } from '../capture/findings.ts';
import { error, type Finding, note } from '../shared/finding.ts';
import { isPublishable } from '../signIn/openidProvider.ts';
import { inconclusive, isInconclusive } from './findings.ts';
import type { ListedIssuer } from './issuers.ts';
import { tlsFindings } from './tls.ts';

/** OpenID Connect Discovery 1.0 section 3. */
const Discovery = v.object({
  issuer: v.string(),
  jwks_uri: v.optional(v.string(), ''),
  userinfo_endpoint: v.optional(v.string(), ''),
  id_token_signing_alg_values_supported: v.optional(v.array(v.string()), [...ALGORITHMS]),
});

/** Of a key of RSA, in bits: jose verifies with no smaller one (RFC 7518 section 3.3). */
const MIN_RSA_BITS = 2_048;

/** @param nowMs milliseconds since 1970 */
export async function openIdFindings(issuers: readonly ListedIssuer[], nowMs: number): Promise<Finding[]> {
  const found = await Promise.all(issuers.map((issuer) => findingsOf(issuer, nowMs)));
  return found.flat();
}

/** Thrown where no more can be found out about an issuer. */
class Stopped extends Error {
  readonly findings: readonly Finding[];

  constructor(...findings: Finding[]) {
    super();
    this.findings = findings;
  }
}

async function findingsOf(listedIssuer: ListedIssuer, nowMs: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    for await (const finding of examine(listedIssuer, nowMs)) findings.push(finding);
    return findings;
  } catch (stopped) {
    if (!(stopped instanceof Stopped)) throw stopped;
    // Where a request fails too, its failure says what the connection's did.
    return [...findings.filter((one) => !isInconclusive(one)), ...stopped.findings];
  }
}

/** @throws {Stopped} */
async function* examine({ issuer, jwksUri, userinfo }: ListedIssuer, nowMs: number): AsyncGenerator<Finding> {
  let address = jwksUri;
  let algorithms: readonly string[] = ALGORITHMS;
  if (address === undefined || userinfo) {
    if (!isDiscoverable(issuer)) throw new Stopped(withoutAddress(issuer));
    yield* connectable(issuer, nowMs);
    const document = await discovered(issuer);
    const { userinfo_endpoint, jwks_uri } = document;
    algorithms = document.id_token_signing_alg_values_supported;
    if (userinfo && !isPublishable(userinfo_endpoint, issuer)) {
      const change =
        'remove userinfo from the mapping, and have the provider put the claims into the ID token';
      yield missing('userinfo_missing', issuer, 'userinfo_endpoint', change);
    } else if (userinfo) yield* connectable(userinfo_endpoint, nowMs);
    if (address === undefined && !isPublishable(jwks_uri, issuer)) {
      const change = 'set jwks_uri in OPENID_ISSUERS, or have the provider publish it';
      throw new Stopped(missing('key_set_unusable', issuer, 'jwks_uri', change));
    }
    address ??= jwks_uri;
  }
  yield* connectable(address, nowMs);
  yield* await unusableKeys(issuer, await keysAt(address, issuer), algorithms);
}

/** A mapping may list any text, such as the `accounts.google.com` of old tokens. */
function withoutAddress(issuer: string): Finding {
  const message = 'the issuer is no https address without query: its provider cannot be asked';
  const change = 'list the issuer as its discovery document has it, unless tokens have this one too';
  return note('issuer_without_address', issuer, message, change);
}

function missing(code: string, issuer: string, name: string, change: string): Finding {
  const message = `the discovery document has no ${name} with an https address, so logins end with an error`;
  return error(code, issuer, message, change);
}

/** @throws {Stopped} where the functions would not connect */
async function* connectable(address: string, nowMs: number): AsyncGenerator<Finding> {
  const findings = await tlsFindings(address, nowMs);
  if (findings.some(({ level }) => level === 'error')) throw new Stopped(...findings);
  // Behind a proxy, requests may go where no connection does.
  yield* findings;
}

/** @throws {Stopped} */
async function discovered(issuer: string): Promise<v.InferOutput<typeof Discovery>> {
  const address = url`${endpoint(issuer)}/.well-known/openid-configuration`;
  const document = await askProvider(issuer, address, Discovery, 'discovery_unusable');
  if (document.issuer === issuer) return document;
  const isOfTenants = document.issuer.includes('{tenantid}');
  const message = `the discovery document is of the issuer ${quoted(document.issuer)}: the functions refuse its keys, and tokens with another iss`;
  const change = isOfTenants
    ? 'list the issuer of your tenant: https://login.microsoftonline.com/<tenant id>/v2.0'
    : 'list exactly the iss of ID tokens, or have the provider correct the name of its issuer';
  throw new Stopped(error('discovery_issuer_differs', issuer, message, change));
}

/** Those that may sign: a missing `use` is normal (RFC 7517 section 4.2). @throws {Stopped} */
async function keysAt(address: string, issuer: string): Promise<JWK[]> {
  const keySet = await askProvider(issuer, new LookUpUrl(address), KeySet, 'key_set_unusable');
  return (keySet as JSONWebKeySet).keys.filter(({ use }) => use !== 'enc');
}

/** What the provider would send to each function too. */
const UNUSABLE: readonly string[] = [
  ...['lookup_redirected', 'lookup_too_large', 'lookup_not_json', 'lookup_unexpected'],
  'lookup_url_refused',
];
const NOT_THERE = [404, 410];

/** Asks as the functions do. @throws {Stopped} */
async function askProvider<TSchema extends v.GenericSchema>(
  issuer: string,
  address: LookUpUrl,
  schema: TSchema,
  code: string,
): Promise<v.InferOutput<TSchema>> {
  try {
    return await lookUp(address, schema, { allowHttp: isLoopbackHttp(address.href), retries: 1 });
  } catch (failure) {
    if (!(failure instanceof LookUpFailed)) throw failure;
    const { status, details } = failure;
    const { problems = [] } = details as { problems?: string[] };
    const reason = problems[0] ?? (status === null ? failure.code : `status ${status}`);
    const message = `${address.href} does not send what the functions ask for: ${reason}`;
    if (!UNUSABLE.includes(failure.code) && !NOT_THERE.includes(status ?? 0))
      throw new Stopped(inconclusive(issuer, message));
    const change =
      'check that OPENID_ISSUERS and the mapping have exactly the iss of ID tokens, and jwks_uri';
    throw new Stopped(error(code, issuer, message, change));
  }
}

/** @param offered the algorithms that the provider signs with */
async function unusableKeys(
  issuer: string,
  keys: readonly JWK[],
  offered: readonly string[],
): Promise<Finding[]> {
  const accepted = ALGORITHMS.filter((name) => offered.includes(name));
  if (accepted.length === 0) {
    const message = `the provider signs ID tokens only with ${listed(offered)}, which the functions refuse`;
    const change = `have it sign with RS256 or ES256; accepted are ${ALGORITHMS.join(', ')}`;
    return [error('algorithms_refused', issuer, message, change)];
  }
  const usable = await Promise.all(keys.map((key) => isUsable(key, accepted)));
  if (usable.includes(true)) return [];
  const message = `of ${keys.length} keys for signing, the functions can use none with ${listed(accepted)}`;
  const change = `have the provider publish a public key for RS256 (at least ${MIN_RSA_BITS} bits) or ES256`;
  return [error('keys_unusable', issuer, message, change)];
}

/** As the check of ID tokens chooses a key. */
async function isUsable(key: JWK, algorithms: readonly string[]): Promise<boolean> {
  const keyFor = createLocalJWKSet({ keys: [key] });
  const tries = algorithms.map(async (alg) => {
    const { algorithm } = await keyFor({ alg });
    const { modulusLength = MIN_RSA_BITS } = algorithm as { modulusLength?: number };
    return modulusLength >= MIN_RSA_BITS;
  });
  return (await Promise.allSettled(tries)).some((one) => one.status === 'fulfilled' && one.value);
}
