/**
 * The checks that settings turn on. Each factory loads its check's code during the init phase, when Lambda gives a whole
 * processor, and returns no middleware where the check is off.
 */
import { type Invocation, withinDeadline } from '../invocation.ts';
import { SecretFailed } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import type { LoginRequest, Middleware } from './login.ts';

/**
 * Refuses an HTTP request that the service did not sign, where `CALLER_CHECK` is `signature`. Where it is `iam`, the route
 * has refused every caller without the right to call. IAM alone guards direct invocations.
 *
 * @throws {LoginError} `signature_…`, at each login
 * @throws {SecretFailed}
 */
export async function checkCaller(settings: Settings): Promise<Middleware[]> {
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

export interface CheckedKind<TEvent> {
  /** Null where a setting turns the check off. What it loads throws, at each login that it refuses. */
  loadCheck(settings: Settings): Promise<Check<TEvent> | null>;
}

type Check<TEvent> = (event: TEvent, invocation: Invocation) => void | Promise<void>;

/** Refuses a login that does not pass the check of its kind. */
export async function checkLogin<TEvent>(
  { loadCheck }: CheckedKind<TEvent>,
  settings: Settings,
): Promise<Middleware[]> {
  const check = await loadCheck(settings);
  if (!check) return [];
  const refuse = async ({ event, context: { login } }: LoginRequest): Promise<undefined> => {
    await check(event as TEvent, login.invocation);
  };

  return [{ before: refuse }];
}
