/** Handlers that wait, each as its own event says: for a timer, for a look-up that others share, or for nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  authorizedUser,
  endpoint,
  forbidden,
  handleOpenIdUserLoggedIn,
  handleSamlUserLoggedIn,
  lookUp,
  type OpenIdHandler,
  type SamlHandler,
  type UserLoginResponse,
  url,
} from 'login-hooks';
import * as v from 'valibot';
import type { Instructions } from '../arbitraries/instructions.ts';

const GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

const Shared = v.object({ key: v.string() });

export const waitingOpenId: OpenIdHandler = async (event) => {
  const instructions = event.id_token.nonce;
  // The event is the handler's own: what it changes here, no other handler sees.
  event.id_token.nonce = null;
  const answer = await answerBy(JSON.parse(instructions ?? ''), event.id_token.sub);
  return answer ?? withGroup(handleOpenIdUserLoggedIn(event));
};

export const waitingSaml: SamlHandler = async (event) => {
  const { id, authn_statement } = event.assertion;
  const instructions = authn_statement.locality;
  authn_statement.locality = '';
  return (await answerBy(JSON.parse(instructions), id)) ?? withGroup(handleSamlUserLoggedIn(event));
};

/** The list is the response's own: what is added to it must show in no other response. */
function withGroup(response: UserLoginResponse): UserLoginResponse {
  if (response.type === 'AuthorizedUserResponse') response.user_group_uuids.push(GROUP);
  return response;
}

/** Null for what the default handler decides. */
async function answerBy({ waitMs, shared, outcome }: Instructions, person: string) {
  if (waitMs > 0) await wait(waitMs);
  const last_name = shared === null ? '-' : await lookUpShared(shared);
  if (outcome === 'stray') void Promise.reject(new Error('expected to be floating'));
  if (outcome === 'throws') throw new Error('expected to be thrown');
  if (outcome === 'forbids') return forbidden(`Not you, ${person}.`);
  if (outcome === 'default') return null;
  return authorizedUser({ first_name: person, last_name, email: `${person}@example.org` });
}

async function lookUpShared(key: string): Promise<string> {
  const outside = endpoint(process.env.FUZZ_OUTSIDE_URL ?? '');
  const { key: found } = await lookUp(url`${outside}/shared/${key}`, Shared, { cacheSeconds: 1 });
  return found;
}
