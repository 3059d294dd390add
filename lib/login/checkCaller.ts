import { withinDeadline } from '../deadline.ts';
import { SecretFailed } from '../errors.ts';
import { type Check, isOn, type LoginFunction } from './coldStart.ts';
import type { HttpRequest, LoginState, Step } from './step.ts';

const load = () => import('../webhook/standardWebhooks.ts');

export const CALLER_CHECK: Check = {
  setting: 'callerCheck',
  off: 'iam',
  load: async () => (await load()).loadSecretSource(),
};

/**
 * Refuses an HTTP request that the service did not sign, where `CALLER_CHECK` is `signature`. Where it is `iam`, the
 * route has refused every caller that is not allowed. Direct invocations are guarded by IAM alone.
 */
export function checkCaller({ settings }: LoginFunction): Step {
  async function check(http: HttpRequest, { invocation }: LoginState, secretId: string): Promise<void> {
    const { requireSignature } = await load();
    const expire = () => new SecretFailed('secret_timed_out', secretId);
    await withinDeadline(invocation, () => requireSignature(http, secretId), expire);
  }

  return {
    before({ internal }) {
      if (!isOn(CALLER_CHECK, settings) || !internal.http) return;
      return check(internal.http, internal, settings.signingSecretId ?? '');
    },
  };
}
