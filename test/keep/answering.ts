/** Handlers that answer in this process, by what is recorded of other systems. */
import * as v from 'valibot';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { type Mapping, parseMapping } from '../../lib/profile/mappingSchema.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { mappingTexts } from '../../tools/keep/mappingTexts.ts';
import type { Ask } from '../../tools/keep/proof.ts';
import type { Known } from '../../tools/keep/staying.ts';
import type { Answered } from '../../tools/local/answered.ts';
import type { Exchange } from '../../tools/local/process/local.ts';
import { openIdEvent } from '../support/wire.ts';

export type Event = ReturnType<typeof openIdEvent>;
/** Null: the function does not answer. */
export type Respond = (
  event: OpenIdUserLoggedInEvent,
  outside: readonly Exchange[],
) => Record<string, unknown> | Requested | null;

/** A request that the handler makes, and that is not recorded. */
export class Requested {
  readonly request: string;
  constructor(request: string) {
    this.request = request;
  }
}

export const byDefault: Respond = (event) => ({ ...mapOpenIdLogin({})(event) });

export function eventOf(otherClaims: Record<string, unknown>): Event {
  const event = openIdEvent();
  Object.assign(event.idToken, { otherClaims, sub: 'xq-7711' });
  return event;
}

export const ADA = { email: 'adaq@quxen.example', given_name: 'Adaq', family_name: 'Lovelaqe' };

export function claimsOf(event: OpenIdUserLoggedInEvent): Record<string, string> {
  return event.id_token.other_claims as Record<string, string>;
}

export function exchange(request: string, json: unknown = {}): Exchange {
  return { request, status: 200, headers: { 'content-type': 'application/json' }, json };
}

export function knownOf(event: Event, mapping: Mapping | null = null): Known {
  return { issuer: event.idToken.iss, mapping: mappingTexts(mapping && parseMapping(mapping), OPENID_NAMES) };
}

export function asking(respond: Respond): Ask {
  return async (event, exchanges) => {
    const made = respond(v.parse(OpenIdUserLoggedInEvent, event), exchanges);
    if (made instanceof Requested) return answered({ type: 'ErrorResponse' }, { unanswered: [made.request] });
    return answered(made, { served: exchanges.map((_, index) => index) });
  };
}

function answered(response: Record<string, unknown> | null, asked: Partial<Answered['asked']>): Answered {
  const failed = response === null ? 'exited: it ended' : null;
  return {
    ...{ result: response, response, status: 200, reason: failed === null ? 'authorized' : 'exited', failed },
    ...{ unavailable: null, thrown: null, handler: '', droppedFields: [], ms: 1, records: [], output: '' },
    asked: { exchanges: [], unanswered: [], served: [], ...asked },
  };
}
