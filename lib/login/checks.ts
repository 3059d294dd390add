/**
 * The checks that settings turn on. A factory loads its check's code during the init phase, and returns no middleware where
 * the check is off.
 */
import { withinDeadline } from '../deadline.ts';
import { LoginError, SecretFailed } from '../errors.ts';
import type { OpenIdUserLoggedInEvent } from '../openid/model.ts';
import type { SamlUserLoggedInEvent } from '../saml/model.ts';
import type { Settings } from '../settings.ts';
import type { LoginRequest, Middleware } from './login.ts';

/**
 * Refuses an HTTP request that the service did not sign, where `CALLER_CHECK` is `signature`. Where it is `iam`, the route
 * has refused every caller without the right to call. IAM alone guards direct invocations.
 *
 * @throws {LoginError} `signature_…`, at each login
 * @throws {SecretFailed}
 */
export async function verifyWebhookSignature(settings: Settings): Promise<Middleware[]> {
  if (settings.callerCheck === 'iam') return [];
  const { loadSecretSource, requireSignature } = await import('../webhook/standardWebhooks.ts');
  await loadSecretSource();
  const secretId = settings.signingSecretId ?? '';

  async function verify({ context: { login } }: LoginRequest): Promise<undefined> {
    const { http, invocation } = login;
    if (!http) return;
    const timedOut = () => new SecretFailed('secret_timed_out', secretId);
    await withinDeadline(invocation, () => requireSignature(http, secretId), timedOut);
  }

  return [{ before: verify }];
}

/**
 * Refuses a login whose ID token is not what the event says, where `OPENID_TOKEN_CHECK` is on.
 *
 * @throws {LoginError} `token_…` or `keys_unavailable`, at each login
 */
export async function checkIdToken(settings: Settings): Promise<Middleware[]> {
  if (settings.openidTokenCheck === 'off') return [];
  const { verifyIdToken } = await import('../openid/idTokenCheck.ts');

  async function check({ event, context: { login } }: LoginRequest): Promise<undefined> {
    const timedOut = () => new LoginError('keys_unavailable', { cause: 'deadline' });
    const verify = () => verifyIdToken(event as OpenIdUserLoggedInEvent, settings);
    await withinDeadline(login.invocation, verify, timedOut);
  }

  return [{ before: check }];
}

/**
 * Refuses a login whose assertion is not for this service, or not for now, where `SAML_ASSERTION_CHECK` is on.
 *
 * @throws {LoginError} `assertion_…`, at each login
 */
export async function checkAssertion(settings: Settings): Promise<Middleware[]> {
  if (settings.samlAssertionCheck === 'off') return [];
  const { verifyAssertion } = await import('../saml/assertionCheck.ts');

  function check({ event }: LoginRequest): undefined {
    verifyAssertion((event as SamlUserLoggedInEvent).assertion, settings, Date.now());
  }

  return [{ before: check }];
}
