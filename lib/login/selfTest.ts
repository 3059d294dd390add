/** What an operator wants to know after a deployment: what is in force, and whether all that is configured is within reach. */
import { type Invocation, withinDeadline } from '../invocation.ts';
import { keysOf } from '../openid/issuerKeys.ts';
import { asLoginError, LoginError } from '../reasons.ts';
import { storedSecret } from '../toolkit/secrets.ts';
import { signingKeys } from '../webhook/signature.ts';
import type { StartedFunction } from './login.ts';

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
export async function report<TEvent>(
  { name, settings, log, handlerSource, failure }: StartedFunction<TEvent>,
  invocation: Invocation,
): Promise<SelfTestReport> {
  const { callerCheck, signingSecretId, secretIds, openidTokenCheck, openidIssuers } = settings;
  const signing = callerCheck === 'signature' && signingSecretId ? [signingSecretId] : [];
  const issuers = openidTokenCheck === 'on' ? [...openidIssuers] : [];
  const reach = (asked: Asked[]) => outcomesOf(asked, invocation);
  const [stored, signed, keySets] = await Promise.all([
    reach(secretIds.map((id) => [id, () => storedSecret(id)])),
    reach(signing.map((id) => [id, () => signingKeys(settings)])),
    reach(issuers.map(([iss, issuer]) => [iss, () => keysOf(iss, issuer)])),
  ]);
  const secrets = { ...stored, ...signed };
  const reached = Object.values({ ...secrets, ...keySets });
  const ok = failure === null && reached.every((outcome) => outcome === 'ok');
  log('info', () => ({ event: 'self_test', requestId: invocation.requestId, function: name, ok }));
  return {
    version: LOGIN_HOOKS_VERSION,
    function: name,
    ok,
    handler: {
      source: handlerSource,
      loaded: failure === null,
      ...(failure && { reason: failure.code, ...failure.details }),
    },
    settings: Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, shown(value)])),
    secrets,
    keySets,
  };
}

type Asked = [name: string, ask: () => Promise<unknown>];

async function outcomesOf(asked: Asked[], invocation: Invocation): Promise<Record<string, string>> {
  const outcomes = asked.map(async ([name, ask]) => [name, await outcomeOf(ask, invocation)] as const);
  return Object.fromEntries(await Promise.all(outcomes));
}

async function outcomeOf(ask: () => Promise<unknown>, invocation: Invocation): Promise<string> {
  try {
    await withinDeadline(invocation, ask, () => new LoginError('handler_timed_out'));
    return 'ok';
  } catch (error) {
    const { code, details } = asLoginError(error);
    return code === 'keys_unavailable' ? String(details.cause) : code;
  }
}

function shown(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
