import type { SamlUserLoggedInEvent } from '../automation/saml/model.ts';
import type { LoginFunction } from '../runtime/coldStart.ts';
import type { LoginRequest, Step } from '../runtime/step.ts';

/** Refuses a login whose assertion is not for this service, or not for now, where `SAML_ASSERTION_CHECK` is on. */
export function checkAssertion({ settings }: LoginFunction): Step {
  async function check({ event }: LoginRequest): Promise<void> {
    const { verifyAssertion } = await import('./lazy/assertion.ts');
    verifyAssertion((event as SamlUserLoggedInEvent).assertion, settings, Date.now());
  }

  return {
    before(request) {
      return settings.samlAssertionCheck === 'on' ? check(request) : undefined;
    },
  };
}
