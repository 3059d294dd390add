import type { OpenIdUserLoggedInEvent } from '../automation/openid/model.ts';
import { type Check, isOn, type LoginFunction } from '../runtime/coldStart.ts';
import { withinDeadline } from '../runtime/invocation.ts';
import type { LoginRequest, Step } from '../runtime/step.ts';
import { KeysUnavailable } from './errors.ts';

const load = () => import('./lazy/idToken.ts');

export const ID_TOKEN_CHECK: Check = {
  setting: 'openidTokenCheck',
  off: 'off',
  issuers: 'openidIssuers',
  load,
};

/** Refuses a login whose ID token is not what the event says, where `OPENID_TOKEN_CHECK` is on. */
export function checkIdToken({ settings }: LoginFunction): Step {
  async function check({ event, internal }: LoginRequest): Promise<void> {
    const { verifyIdToken } = await load();
    const verify = () => verifyIdToken(event as OpenIdUserLoggedInEvent, settings);
    await withinDeadline(internal.invocation, verify, () => new KeysUnavailable('deadline'));
  }

  return {
    before(request) {
      return isOn(ID_TOKEN_CHECK, settings) ? check(request) : undefined;
    },
  };
}
