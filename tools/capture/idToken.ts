/** An ID token, alone or in a token response, or the claims of one: its event, and what is wrong with it. */
import { decodeProtectedHeader, type JWTPayload } from 'jose';
import { KINDS } from '../../lib/kinds.ts';
import { ID_TOKEN_CHECKS, judgedToken } from '../../lib/openid/idTokenCheck.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import type { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import type { SignedToken } from '../../lib/openid/signedToken.ts';
import type { TokenCode } from '../../lib/reasons.ts';
import { isJsonObject } from '../../lib/schema.ts';
import type { Finding } from '../shared/finding.ts';
import type { Captured, Found, FoundTokens } from './captured.ts';
import { jsonIn } from './encoded.ts';
import { error, findingsFor, found, listed, note, warning } from './findings.ts';
import { expired, failedChecks, failedFinding, type Judging, judgingOf } from './judging.ts';
import { groupFindings } from './profileFindings.ts';
import { serviceEvents, type TokenResponse } from './serviceEvent.ts';

/** In characters: the function takes no longer one either. */
const MAX_TOKEN_LENGTH = 65_536;

const ENCRYPTED = warning(
  'token_encrypted',
  'This ID token is encrypted for the service and cannot be decrypted here.',
  'Turn encryption of ID tokens off for this client while you look (Keycloak: client, "Advanced", "ID token encryption key management algorithm"), or take the event of the service.',
);
const MALFORMED = error(
  'token_malformed',
  `This looks like a token, but its parts are not JSON in base64url, or it is longer than ${MAX_TOKEN_LENGTH} characters.`,
  'Copy all of it.',
);
const UNPROVEN = warning(
  'claims_unproven',
  'Nothing of these claims is proven: anybody can write them. The token that the provider signed is not here.',
  'To see what the service gets, paste the ID token as it was sent, of three parts with dots between them.',
);
const NOT_CHECKED = note(
  'signature_not_checked',
  'The signature is not checked, because the keys of the issuer are not fetched here.',
);
/** Nothing can be said of these without the token. */
const OF_TOKEN = ['token_algorithm_refused', 'signature_not_checked'];

export function readToken(
  { kind, tokens, sentAt = null }: Found & FoundTokens,
  env: NodeJS.ProcessEnv,
): Omit<Captured, 'where'> {
  const { id_token: idToken = '' } = tokens;
  const { functionName } = KINDS.OpenID;
  const unread = (finding: Finding) => ({ kind, functionName, events: null, findings: [finding] });
  if (idToken.split('.').length === 5) return unread(ENCRYPTED);
  const decoded = decodedToken(idToken);
  if (decoded === null) return unread(MALFORMED);
  const { events, problems } = serviceEvents({ tokens, claims: decoded.payload });
  const event = eventOf(tokens, decoded.payload);
  const judging = judgingOf('OpenID', env, sentAt);
  const isProven = kind !== 'claims of an ID token';
  // The event was made of the token.
  const untold = ['token_claims_differ', ...(isProven ? [] : OF_TOKEN)];
  const ofToken = tokenFindings({ ...decoded, event }, judging).filter(({ code }) => !untold.includes(code));
  const findings = [
    ...found([
      !isProven && UNPROVEN,
      events === null &&
        error(
          'event_invalid',
          `No event can be made of this token: ${problems.join('; ')}.`,
          'Report it to the people who run the provider: OpenID Connect Core 2 says what an ID token has.',
        ),
    ]),
    ...judging.findings,
    ...ofToken,
    ...groupFindings(OPENID, event),
  ];
  return { kind, functionName, events, findings: findingsFor(event.id_token.iss, findings) };
}

/** Null where the text is not a token of three parts with JSON in the first two. */
export function decodedToken(idToken: string): SignedToken | null {
  if (idToken.length > MAX_TOKEN_LENGTH) return null;
  try {
    const protectedHeader = decodeProtectedHeader(idToken);
    const [, payload = ''] = idToken.split('.');
    const claims = jsonIn(Buffer.from(payload, 'base64url').toString());
    if (!isJsonObject(claims)) return null;
    return { protectedHeader: { ...protectedHeader, alg: String(protectedHeader.alg) }, payload: claims };
  } catch {
    return null;
  }
}

/** What the checks look at, also of a token that no event can express. */
function eventOf(tokens: TokenResponse, claims: JWTPayload): OpenIdUserLoggedInEvent {
  const { iss, sub, aud, exp, iat, nonce, ...other_claims } = claims;
  const { id_token: id_token_jwt = '', access_token } = tokens;
  const id_token = {
    iss: String(iss),
    sub: String(sub),
    aud: aud === undefined ? [] : [aud].flat().map(String),
    exp: Number(exp),
    iat: Number(iat),
    nonce: typeof nonce === 'string' ? nonce : null,
    other_claims,
  };
  const others = { token_type: 'Bearer', expires_in: 0, refresh_token: null };
  return { id_token, id_token_jwt, access_token, ...others };
}

interface ReadToken extends SignedToken {
  event: OpenIdUserLoggedInEvent;
}

/** They say the same as `token_issuer_refused` where the issuer is not listed. */
const OF_ISSUER: readonly TokenCode[] = ['token_audience_refused', 'token_azp_refused'];
const OF_TIME: readonly TokenCode[] = ['token_not_yet_valid', 'token_expired'];
const TIMES = ['iat', 'exp', 'nbf', 'auth_time'];
/** In seconds it is the year 5138, in milliseconds 1973. */
const TOO_LATE = 100_000_000_000;

/** @returns a finding for each check that does not hold, and what could not be checked here */
export function tokenFindings(token: ReadToken, judging: Judging): Finding[] {
  const { event, payload } = token;
  const isListed = judging.settings.openidIssuers.has(event.id_token.iss);
  const inMilliseconds = TIMES.filter((name) => Number(payload[name]) > TOO_LATE);
  const judged = judgedToken(token, event, judging.settings, judging.atMs);
  const failed = failedChecks(ID_TOKEN_CHECKS, judged).filter(({ code }) => {
    if (OF_TIME.includes(code)) return inMilliseconds.length === 0;
    if (code === 'token_issuer_refused') return judging.hasIssuers;
    if (code === 'token_access_token_differs') return event.access_token !== '';
    return isListed || !OF_ISSUER.includes(code);
  });
  return [
    ...found([inMilliseconds.length > 0 && timesInMilliseconds(inMilliseconds)]),
    ...failed.map((one) => checkFinding(one, token, judging)),
    NOT_CHECKED,
  ];
}

function timesInMilliseconds(names: readonly string[]): Finding {
  return error(
    'token_times_in_milliseconds',
    `Times of the token are in milliseconds: ${listed(names)}. They count seconds since 1970, so they are far in the future.`,
    'Have the provider write them in seconds (RFC 7519, NumericDate).',
  );
}

/** The algorithm of a token stands beside the claims that the checks look at. */
function checkFinding(
  { code, details }: ReturnType<typeof failedChecks<unknown, TokenCode>>[number],
  { event, protectedHeader }: ReadToken,
  judging: Judging,
): Finding {
  const { iss, exp } = event.id_token;
  if (code === 'token_expired' && !judging.isSentAt) return expired('token', judging.atMs - exp * 1_000);
  const isOfAlgorithm = code === 'token_algorithm_refused';
  const problems = isOfAlgorithm ? [`alg is ${protectedHeader.alg}`] : details.problems;
  return failedFinding({ code, details: { ...details, problems } }, event, iss, judging);
}
