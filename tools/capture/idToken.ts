/** An ID token, alone or in a token response. */
import { decodeProtectedHeader, type JWTPayload } from 'jose';
import * as v from 'valibot';
import { OPENID } from '../../lib/openid/kind.ts';
import { type IdToken, OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { isJsonObject } from '../../lib/schema.ts';
import type { Captured, FoundToken } from './captured.ts';
import type { Finding } from './findings.ts';
import { problem, warning } from './findings.ts';
import { parseJson } from './json.ts';
import { judgingOf } from './judging.ts';
import { groupFindings } from './profileFindings.ts';
import { curedFor } from './providers.ts';
import { type OpenIdLogin, serviceEvents } from './serviceEvent.ts';
import { tokenFindings } from './tokenFindings.ts';

const FUNCTION_NAME = 'openidLoggedIn';

export function readToken(found: FoundToken, env: NodeJS.ProcessEnv): Omit<Captured, 'where'> {
  const { kind, idToken, sentAt } = found;
  const base = { kind, functionName: FUNCTION_NAME };
  if (idToken.split('.').length === 5) return { ...base, events: null, findings: [encrypted()] };
  const decoded = decodedToken(idToken);
  if (decoded === null) return { ...base, events: null, findings: [malformed()] };
  const judging = judgingOf('OpenID', env, sentAt);
  const { events, reason } = serviceEvents(loginOf(found, decoded.payload));
  const event = events
    ? v.parse(OpenIdUserLoggedInEvent, events.plain)
    : lenientEvent(found, decoded.payload);
  const token = { ...decoded, event, hasAccessToken: found.accessToken !== null };
  return {
    ...base,
    events,
    findings: curedFor(event.id_token.iss, [
      ...(reason === null ? [] : [inexpressible(reason)]),
      ...judging.findings,
      // The event was made of the token.
      ...tokenFindings(token, judging).filter(({ code }) => code !== 'token_claims_differ'),
      ...groupFindings(OPENID, event),
    ]),
  };
}

/** In characters: the function takes no longer one either. */
const MAX_TOKEN_LENGTH = 65_536;

/** Null where the text is not a token of three parts with JSON in the first two. */
export function decodedToken(
  idToken: string,
): { protectedHeader: { alg: string }; payload: JWTPayload } | null {
  if (idToken.length > MAX_TOKEN_LENGTH) return null;
  try {
    const protectedHeader = decodeProtectedHeader(idToken);
    const [, payload = ''] = idToken.split('.');
    const claims = parseJson(Buffer.from(payload, 'base64url').toString());
    if (!isJsonObject(claims)) return null;
    return { protectedHeader: { ...protectedHeader, alg: String(protectedHeader.alg) }, payload: claims };
  } catch {
    return null;
  }
}

function loginOf(
  { idToken, accessToken, tokenType, expiresIn, refreshToken }: FoundToken,
  claims: JWTPayload,
): OpenIdLogin {
  const tokens = {
    access_token: accessToken ?? '',
    token_type: tokenType ?? 'Bearer',
    id_token: idToken,
    expires_in: expiresIn ?? undefined,
    refresh_token: refreshToken ?? undefined,
  };
  return { tokens, claims };
}

function inexpressible(reason: string): Finding {
  return problem('event_invalid', `No event can be made of this token: ${reason}.`, MENDED_AT_PROVIDER);
}

const MENDED_AT_PROVIDER =
  'Report it to the people who run the provider: OpenID Connect Core 2 says what an ID token has.';

/** What the checks look at, for a token that no event can express. */
function lenientEvent({ idToken, accessToken }: FoundToken, claims: JWTPayload): OpenIdUserLoggedInEvent {
  const { iss, sub, aud, exp, iat, nonce, ...others } = claims;
  const id_token: IdToken = {
    iss: String(iss),
    sub: String(sub),
    aud: [aud].flat().map(String),
    exp: Number(exp),
    iat: Number(iat),
    nonce: typeof nonce === 'string' ? nonce : null,
    other_claims: others,
  };
  return {
    ...{ id_token, id_token_jwt: idToken, access_token: accessToken ?? '', token_type: 'Bearer' },
    ...{ expires_in: 0, refresh_token: null },
  };
}

function encrypted(): Finding {
  return warning(
    'token_encrypted',
    'This ID token is encrypted for the service and cannot be decrypted here.',
    'Turn encryption of ID tokens off for this client while you look (Keycloak: client, "Advanced", "ID token encryption key management algorithm"), or take the event of the service.',
  );
}

function malformed(): Finding {
  return problem(
    'token_malformed',
    `This looks like a token, but its parts are not JSON in base64url, or it is longer than ${MAX_TOKEN_LENGTH} characters.`,
    'Copy all of it.',
  );
}
