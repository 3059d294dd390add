import type { LoginRow } from '../../../tools/studio/api.ts';

/** A login of the list, authorized and as expected but for what is given. */
export function loginRow(given: Partial<LoginRow>): LoginRow {
  return {
    id: given.name ?? 'id',
    origin: 'sample',
    functionName: 'openidLoggedIn',
    name: 'name',
    person: null,
    issuer: null,
    isShipped: false,
    type: 'AuthorizedUserResponse',
    reason: 'authorized',
    cameAs: null,
    handler: 'default',
    sentence: 'Authorized as Ada Lovelace',
    isWronglyIn: false,
    verdict: 'expected',
    changes: [],
    at: null,
    ...given,
  };
}
