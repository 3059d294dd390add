import { type Invocation, withinDeadline } from '../invocation.ts';
import { asLoginError, LoginError } from '../reasons.ts';
import { storedSecret } from '../toolkit/secrets.ts';
import type { LoginFunction } from './start.ts';

/** Defined by the build. */
declare const LOGIN_HOOKS_VERSION: string;

export interface SelfTestReport {
  version: string;
  function: string;
  /** Whether logins can be answered: the settings usable, the handler loaded, all that is configured within reach. */
  ok: boolean;
  handler: { source: string; loaded: boolean; reason?: string } & Record<string, unknown>;
  /** The settings in force: ids of secrets, never what they hold. */
  settings: Record<string, unknown>;
  /** `ok`, or the code of what is in the way, by secret and by issuer. */
  secrets: Record<string, string>;
  keySets: Record<string, string>;
}

/** Never throws: the report names what is not available. */
export async function report(
  { name, settings, log, handler, handlerSource, failure }: LoginFunction,
  invocation: Invocation,
): Promise<SelfTestReport> {
  const reach = (run: () => Promise<unknown>) => reached(invocation, run);
  const { callerCheck, signingSecretId, secretIds, openidTokenCheck, openidIssuers } = settings;
  const [secrets, signing, keySets] = await Promise.all([
    each(secretIds, (id) => reach(() => storedSecret(id))),
    each(callerCheck === 'signature' && signingSecretId ? [signingSecretId] : [], (id) =>
      reach(async () => (await import('../webhook/signingKeys.ts')).signingKeys(id)),
    ),
    each(openidTokenCheck === 'on' ? openidIssuers.keys() : [], (iss) =>
      reach(async () => {
        const { keysOf } = await import('../openid/issuerKeys.ts');
        return keysOf(iss, openidIssuers.get(iss) ?? { audiences: [] });
      }),
    ),
  ]);
  const outcomes = Object.values({ ...secrets, ...signing, ...keySets });
  const ok = failure === null && outcomes.every((outcome) => outcome === 'ok');
  log.info({ event: 'self_test', requestId: invocation.requestId, function: name, ok });
  return {
    version: LOGIN_HOOKS_VERSION,
    function: name,
    ok,
    handler: {
      source: handlerSource,
      loaded: handler !== null,
      ...(failure && { reason: failure.code, ...failure.details }),
    },
    settings: Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, shown(value)])),
    secrets: { ...secrets, ...signing },
    keySets,
  };
}

async function each(
  names: Iterable<string>,
  outcomeOf: (name: string) => Promise<string>,
): Promise<Record<string, string>> {
  const outcomes = Array.from(names, async (name) => [name, await outcomeOf(name)] as const);
  return Object.fromEntries(await Promise.all(outcomes));
}

async function reached(invocation: Invocation, run: () => Promise<unknown>): Promise<string> {
  try {
    await withinDeadline(invocation, run, () => new LoginError('handler_timed_out'));
    return 'ok';
  } catch (error) {
    const { code, details } = asLoginError(error);
    return code === 'keys_unavailable' ? String(details.cause) : code;
  }
}

function shown(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
