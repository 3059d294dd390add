import { isJsonObject } from '../../lib/schema.ts';
import { eventInside } from './httpEvent.ts';

/**
 * When a stored event is from, in milliseconds since 1970: `assertionIssued` of a SAML event, `idToken.iat` of an OpenID
 * event, inside its HTTP envelope where it has one. Null where it says neither.
 */
export function momentOf(event: unknown): number | null {
  const inside = eventInside(event);
  if (!isJsonObject(inside)) return null;
  const { assertion, idToken } = inside;
  const moment = isJsonObject(assertion)
    ? Date.parse(String(assertion.assertionIssued))
    : Number(isJsonObject(idToken) ? idToken.iat : Number.NaN) * 1_000;
  return Number.isFinite(moment) ? moment : null;
}
