import type { MadeDecision } from '../profile/decision.ts';
import { PROFILE_FIELDS } from '../profile/fields.ts';
import type { Login } from './login.ts';

/**
 * The profile fields that were looked for in this login and not found, the identifier that a setting names included; null
 * where nothing was looked for. Where the response has no decision, it is what the last mapping of the login did not find.
 */
export function missingIn(
  { invocation, externalId }: Login,
  decision: MadeDecision | undefined,
): readonly string[] | null {
  const missing = decision ? decision.missing : invocation.missing;
  if (externalId === null) return missing;
  if (externalId.value !== null) return missing ?? [];
  return PROFILE_FIELDS.filter((field) => field === 'external_id' || (missing?.includes(field) ?? false));
}
