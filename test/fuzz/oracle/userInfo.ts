/** Which address a login has whose claims come from an ID token and from UserInfo. */
import { isAddress } from './email.ts';
import { isText, type JsonObject } from './json.ts';

/**
 * Null where there is none that may be used. A "no" of either stays a "no": the ID token's whichever address it was about,
 * UserInfo's unless it is about another address.
 */
export function addressOf(own: JsonObject, more: JsonObject): string | null {
  if (isDenied(own)) return null;
  const isOwn = (own.email ?? null) !== null;
  const { email } = isOwn ? own : more;
  const isSameAddress = !isOwn || (more.email ?? own.email) === own.email;
  if (isSameAddress && isDenied(more) && !isProven(own)) return null;
  return isText(email) && isAddress(email.trim()) ? email.trim() : null;
}

/** What a provider says that is not a "yes" is a "no"; nothing, or null, is neither. */
export function isDenied({ email_verified, xms_edov }: JsonObject): boolean {
  return [email_verified, xms_edov].some((said) => said != null && !isYes(said));
}

function isProven({ email_verified, xms_edov }: JsonObject): boolean {
  return [email_verified, xms_edov].some((said) => said != null && isYes(said));
}

function isYes(said: unknown): boolean {
  return said === true || said === 1 || (isText(said) && /^(1|true)$/i.test(said));
}
