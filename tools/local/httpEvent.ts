/** Login events in the envelope of an HTTP request. */
import { httpRequestIn } from '../../lib/login/http.ts';
import { isJsonObject } from '../../lib/schema.ts';

export function isInEnvelope(event: unknown): boolean {
  return httpRequestIn(event) !== null;
}

/** The login event in an HTTP envelope; any other event as it is; undefined where the body is no JSON. */
export function eventInside(event: unknown): unknown {
  const request = httpRequestIn(event);
  if (request === null) return event;
  const { body, isBase64Encoded } = request;
  if (body === null) return undefined;
  try {
    return JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  } catch {
    return undefined;
  }
}

/**
 * When a stored event is from, in milliseconds since 1970: `assertionIssued` of a SAML event, `idToken.iat` of an OpenID
 * event, inside its HTTP envelope where it has one. Null where it says neither.
 */
export function frozenTimeOf(event: unknown): number | null {
  const inside = eventInside(event);
  if (!isJsonObject(inside)) return null;
  const { assertion, idToken } = inside;
  const time = isJsonObject(assertion)
    ? Date.parse(String(assertion.assertionIssued))
    : Number(isJsonObject(idToken) ? idToken.iat : Number.NaN) * 1_000;
  return Number.isFinite(time) ? time : null;
}

/** Whether a value of JSON is nested deeper. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  // Level by level: a recursion would end where the stack does.
  let level = [value];
  for (let left = depth; left > 0 && level.length > 0; left--) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}
