import { LoginError } from '../errors.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import type { ExternalId, Step } from './step.ts';

/**
 * Takes the person's lasting identifier out of the event, before a handler may change the event.
 *
 * @param source the setting: the one source of it, or `off`. There is no fallback to another source, because it would make
 *   another person of somebody whose provider starts to send one attribute more
 * @param read the identifier, null where the event has none
 */
export function externalId<TEvent, TSource extends string>(
  source: TSource | 'off',
  read: (event: TEvent, source: TSource) => string | null,
): Step {
  return {
    before(request) {
      if (source === 'off') return;
      request.internal.externalId = { source, value: read(request.event as TEvent, source) };
    },
  };
}

/**
 * An authorized answer with the identifier. One that the handler gave stays.
 *
 * @throws {LoginError} `external_id_missing`
 */
export function withExternalId(
  response: UserLoginResponse,
  externalId: ExternalId | null,
): UserLoginResponse {
  if (response.type !== 'AuthorizedUserResponse' || response.external_id !== undefined) return response;
  if (externalId === null) return response;
  if (externalId.value === null) throw new LoginError('external_id_missing', { source: externalId.source });
  return { ...response, external_id: externalId.value };
}
