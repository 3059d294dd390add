/** What is wrong with an ID token, as findings: every check of the function, with the solution. */

import { ID_TOKEN_CHECKS, judgedToken } from '../../lib/openid/idTokenCheck.ts';
import type { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import type { SignedToken } from '../../lib/openid/signedToken.ts';
import type { TokenCode } from '../../lib/reasons.ts';
import type { Finding } from './findings.ts';
import { listed, note, problem, quoted, warning } from './findings.ts';
import { failedChecks, type Judging, span } from './judging.ts';

export interface ReadToken extends SignedToken {
  event: OpenIdUserLoggedInEvent;
  /** Whether the access token is the one of the login. */
  hasAccessToken: boolean;
}

/** They say the same as `token_issuer_refused` where the issuer is not listed. */
const OF_ISSUER: readonly TokenCode[] = ['token_audience_refused', 'token_azp_refused'];

const OF_TIME: readonly TokenCode[] = ['token_not_yet_valid', 'token_expired'];
const TIMES = ['iat', 'exp', 'nbf', 'auth_time'];
/** In seconds it is the year 5138, in milliseconds 1973. */
const TOO_LATE = 100_000_000_000;

function timesInMilliseconds(payload: Readonly<Record<string, unknown>>): string[] {
  return TIMES.filter((name) => Number(payload[name]) > TOO_LATE);
}

function inMilliseconds(names: readonly string[]): Finding {
  return problem(
    'token_times_in_milliseconds',
    `Times of the token are in milliseconds: ${listed(names)}. They count seconds since 1970, so they are far in the future.`,
    'Have the provider write them in seconds (RFC 7519, NumericDate).',
  );
}

/** @returns a finding for each check that does not hold, and what could not be checked here */
export function tokenFindings(token: ReadToken, judging: Judging): Finding[] {
  const { event, hasAccessToken } = token;
  const isListed = judging.settings.openidIssuers.has(event.id_token.iss);
  const judged = judgedToken(token, event, judging.settings, judging.atMs);
  const milliseconds = timesInMilliseconds(token.payload);
  const failed = failedChecks(ID_TOKEN_CHECKS, judged).filter(({ code }) => {
    if (OF_TIME.includes(code)) return milliseconds.length === 0;
    if (code === 'token_issuer_refused') return judging.hasIssuers;
    if (code === 'token_access_token_differs') return hasAccessToken;
    return isListed || !OF_ISSUER.includes(code);
  });
  return [
    ...(milliseconds.length > 0 ? [inMilliseconds(milliseconds)] : []),
    ...failed.map(({ code, details }) => FINDINGS[code]?.(token, judging, details) ?? refused(code)),
    note(
      'signature_not_checked',
      'The signature is not checked, because the keys of the issuer are not fetched here.',
    ),
    ...(hasAccessToken ? [] : [noAccessToken()]),
  ];
}

function refused(code: string): Finding {
  return problem(code, 'The function refuses this token.', null);
}

function noAccessToken(): Finding {
  return note(
    'access_token_missing',
    'There is no access token: a handler that asks UserInfo fails with this event.',
    'Paste the whole token response.',
  );
}

type Finder = (token: ReadToken, judging: Judging, details: Readonly<Record<string, unknown>>) => Finding;

const FINDINGS: Partial<Record<TokenCode, Finder>> = {
  token_algorithm_refused: ({ protectedHeader: { alg } }) =>
    problem(
      'token_algorithm_refused',
      `The token is signed with ${/^[\w-]{1,20}$/.test(alg) ? alg : 'an unknown algorithm'}, which is not accepted: anyone who can check such a signature can make one.`,
      'Have the provider sign the ID tokens of this client with RS256 or ES256 (Keycloak: client, "Advanced", "ID token signature algorithm").',
    ),
  token_malformed: (_token, _judging, { claim, problems }) =>
    problem(
      'token_malformed',
      claim === undefined
        ? `The claims exceed a limit: ${listed(Array.isArray(problems) ? problems.map(String) : [])}.`
        : `The claim ${claim} is missing, or is not ${TIMES.includes(String(claim)) ? 'a number' : 'a text'}.`,
      'Report it to the people who run the provider: OpenID Connect Core 2 requires it.',
    ),
  token_issuer_refused: ({ event }, { settings }) =>
    problem(
      'token_issuer_refused',
      `The issuer ${quoted(event.id_token.iss)} is not listed: OPENID_ISSUERS has ${listed(settings.openidIssuers.keys())}.`,
      'Add exactly this issuer to OPENID_ISSUERS.',
    ),
  token_audience_refused: ({ event }, { settings }) =>
    problem(
      'token_audience_refused',
      `The token is meant for ${listed(event.id_token.aud)}; OPENID_ISSUERS has ${listed(settings.openidIssuers.get(event.id_token.iss)?.audiences ?? [])} for this issuer.`,
      'Use the client of the service at the provider, or add the client id to audiences in OPENID_ISSUERS.',
    ),
  token_azp_refused: () =>
    problem(
      'token_azp_refused',
      'The token was issued to another client (azp), or has several audiences and does not say to which.',
      'Have the provider issue it only to the client of the service, or add that client id to audiences in OPENID_ISSUERS.',
    ),
  token_expired: ({ event }, { atMs, isSentAt }) =>
    (isSentAt ? problem : warning)(
      'token_expired',
      isSentAt
        ? `The token had expired ${span(atMs - event.id_token.exp * 1_000)} before it was sent.`
        : `The token expired ${span(atMs - event.id_token.exp * 1_000)} ago.`,
      isSentAt
        ? 'Set the clocks of the provider and the service by NTP.'
        : 'Sign in again for a fresh one. For an older capture, this is normal.',
    ),
  token_not_yet_valid: ({ event }, { atMs }, { claim }) =>
    problem(
      'token_not_yet_valid',
      claim === 'nbf'
        ? 'The token is not valid yet (nbf).'
        : `The token is issued in the future, ${span(event.id_token.iat * 1_000 - atMs)} from now (iat).`,
      'Set the clocks of the provider and of this machine by NTP.',
    ),
  token_type_refused: () =>
    problem(
      'token_type_refused',
      'This is not an ID token but another kind, such as an access token or a logout token.',
      'Paste the value of id_token in the token response.',
    ),
  token_access_token_differs: () =>
    problem(
      'token_access_token_differs',
      'The access token does not belong to this ID token (at_hash).',
      'Take the access token and the ID token of the same login.',
    ),
  token_claims_differ: (_token, _judging, { claims }) =>
    problem(
      'token_claims_differ',
      `The event has claims that differ from its ID token: ${listed((claims as { names?: string[] })?.names ?? [])}.`,
      'Use an unchanged event of the service, with the token of the same login.',
    ),
};
