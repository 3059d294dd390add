import { withinDeadline } from '../deadline.ts';
import { LoginError } from '../errors.ts';
import type { OpenIdUserLoggedInEvent } from '../openid/model.ts';
import { type Check, isOn, type LoginFunction } from './coldStart.ts';
import type { LoginRequest, Step } from './step.ts';

const load = () => import('../openid/idTokenCheck.ts');

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
    await withinDeadline(
      internal.invocation,
      verify,
      () => new LoginError('keys_unavailable', { cause: 'deadline' }),
    );
  }

  return {
    before(request) {
      return isOn(ID_TOKEN_CHECK, settings) ? check(request) : undefined;
    },
  };
}
