import type { SamlUserLoggedInEvent } from '../saml/model.ts';
import { type Check, isOn, type LoginFunction } from './coldStart.ts';
import type { LoginRequest, Step } from './step.ts';

const load = () => import('../saml/assertionCheck.ts');

export const ASSERTION_CHECK: Check = {
  setting: 'samlAssertionCheck',
  off: 'off',
  issuers: 'samlIssuers',
  load,
};

/** Refuses a login whose assertion is not for this service, or not for now, where `SAML_ASSERTION_CHECK` is on. */
export function checkAssertion({ settings }: LoginFunction): Step {
  async function check({ event }: LoginRequest): Promise<void> {
    const { verifyAssertion } = await load();
    verifyAssertion((event as SamlUserLoggedInEvent).assertion, settings, Date.now());
  }

  return {
    before(request) {
      return isOn(ASSERTION_CHECK, settings) ? check(request) : undefined;
    },
  };
}
