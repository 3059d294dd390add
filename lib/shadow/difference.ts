/** In what the shadow's decision differs from the one that left. It names fields, and never holds a value. */

import type { Trace } from '../profile/decision.ts';
import { FIELD_NAMES } from '../profile/fields.ts';
import type { AuthorizedUserResponse, UserLoginResponse } from '../profile/response.ts';
import type { ReasonCode } from '../reasons.ts';

export interface Decided {
  type: UserLoginResponse['type'];
  reason: ReasonCode;
  /** Null where an error took the place of the handler's response. */
  response: UserLoginResponse | null;
  /** How a default handler or a mapping decided; null where neither did. */
  trace: (() => Trace) | null;
}

export interface Difference {
  effect: 'would_admit' | 'would_refuse' | 'profile_differs' | 'refusal_differs';
  /** The names of the fields that differ, those of groups too; none where only type or reason do. */
  fields: string[];
  /** Of groups as sets: how many the shadow gives that did not leave, and the other way round. */
  groups?: { more: number; fewer: number };
}

/** Null where both decide the same. */
export function differenceOf(real: Decided, shadow: Decided): Difference | null {
  const before = asAuthorized(real);
  const after = asAuthorized(shadow);
  if (before && after) return profileDifference(before, after);
  if (after) return { effect: 'would_admit', fields: [] };
  if (before) return { effect: 'would_refuse', fields: [] };
  const fields = messageOf(real) === messageOf(shadow) ? [] : ['message'];
  const isSame = real.type === shadow.type && real.reason === shadow.reason && fields.length === 0;
  return isSame ? null : { effect: 'refusal_differs', fields };
}

function asAuthorized({ response }: Decided): AuthorizedUserResponse | null {
  return response?.type === 'AuthorizedUserResponse' ? response : null;
}

function profileDifference(before: AuthorizedUserResponse, after: AuthorizedUserResponse): Difference | null {
  const differing: string[] = FIELD_NAMES.filter(
    (field) => (before[field] ?? null) !== (after[field] ?? null),
  );
  const old = groupsOf(before);
  const now = groupsOf(after);
  const groups = { more: now.difference(old).size, fewer: old.difference(now).size };
  const isSameGroups = groups.more === 0 && groups.fewer === 0;
  if (isSameGroups) {
    return differing.length === 0 ? null : { effect: 'profile_differs', fields: differing };
  }
  return { effect: 'profile_differs', fields: [...differing, 'user_group_uuids'], groups };
}

/** The case of a UUID says nothing (RFC 9562 section 4). */
function groupsOf({ user_group_uuids }: AuthorizedUserResponse): Set<string> {
  return new Set(user_group_uuids.map((uuid) => uuid.toLowerCase()));
}

function messageOf({ response }: Decided): string | null {
  return response && 'message' in response ? response.message : null;
}
