/** Which address a login has whose claims come from an ID token and from UserInfo. */
import { isAddress } from './email.ts';
import { own as claimOf, isObject, isText, type JsonObject } from './json.ts';

/**
 * Null where there is none that may be used. A "no" of either stays a "no": the ID token's whichever address it was about,
 * UserInfo's unless it is about another address. A claim that is null is none.
 */
export function addressOf(own: JsonObject, more: JsonObject): string | null {
  const email = own.email ?? more.email;
  const isSameAddress = lower(more.email ?? email) === lower(email);
  if (isDenied(own) || (isSameAddress && isDenied(more))) return null;
  return isText(email) && isAddress(email.trim()) ? email.trim() : null;
}

/**
 * The claims of both, but for the address and what is said of it: the ID token's go before, a null is nothing, and of two
 * objects there are the claims of both. A sign of more groups counts of either.
 */
export function mergedClaims(own: JsonObject, more: JsonObject): JsonObject {
  const claims = merged(own, more);
  return isSign(more.hasgroups) && !isSign(own.hasgroups) ? { ...claims, hasgroups: more.hasgroups } : claims;
}

function merged(own: JsonObject, more: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(more), ...Object.keys(own)])];
  return Object.fromEntries(
    names.map((name) => {
      const [first, second] = [claimOf(own, name) ?? null, claimOf(more, name) ?? null];
      return [name, isObject(first) && isObject(second) ? merged(first, second) : (first ?? second)];
    }),
  );
}

function isSign(hasgroups: unknown): boolean {
  return (
    hasgroups != null && hasgroups !== false && hasgroups !== 0 && !/^(0|false)$/i.test(String(hasgroups))
  );
}

/** What a provider says that is not a "yes" is a "no"; nothing, or null, is neither. */
function isDenied({ email_verified, xms_edov }: JsonObject): boolean {
  return [email_verified, xms_edov].some((said) => said != null && !isYes(said));
}

function lower(email: unknown): unknown {
  return isText(email) ? email.trim().toLowerCase() : email;
}

function isYes(said: unknown): boolean {
  return said === true || said === 1 || (isText(said) && /^(1|true)$/i.test(said));
}
