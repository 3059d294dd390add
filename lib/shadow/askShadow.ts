/** Asks the shadow about a login whose response is fixed. */
import { Invocation, nowMs } from '../deadline.ts';
import type { LoginFunction } from '../login/coldStart.ts';
import type { LoginHandler } from '../login/handlerModule.ts';
import { type Answer, readResponse, withExternalId } from '../login/handlerResponse.ts';
import type { Login, LoginContext, LoginRequest } from '../login/login.ts';
import { callInTime } from '../login/runHandler.ts';
import type { OpenIdUserLoggedInEvent } from '../openid/model.ts';
import { responseSchema } from '../profile/response.ts';
import { asLoginError } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import type { Decided } from './difference.ts';
import { Rest } from './pause.ts';
import { type SkipCause, shadowLog } from './records.ts';
import { isOver, type Shadow } from './shadow.ts';

/** With less, the login's time is over: a timer may end it up to two milliseconds early. */
const MIN_LEFT_MS = 2;

export function askShadow(
  fn: LoginFunction,
  { source, handler }: { source: string; handler: LoginHandler },
): Shadow {
  const { settings } = fn;
  const log = shadowLog(fn, source);
  const rest = new Rest();
  const schema = responseSchema(settings.requiredFields);

  /** Why the shadow is not asked now; null where it may be. */
  function obstacle(): SkipCause | null {
    if (rest.isResting()) return 'resting';
    return null;
  }

  /** In the login's own time: nothing is copied for a shadow that is not asked. */
  function copyEvent({ event, context: { login } }: LoginRequest): undefined {
    if (isOver(settings) || Math.random() * 100 >= settings.shadowPercent) return;
    const cause = obstacle();
    if (cause !== null) {
      log.skipped(login, cause);
      return;
    }
    try {
      login.shadowEvent = copyOf(event, settings);
    } catch {
      log.skipped(login, 'event_not_copied');
    }
  }

  /** Ordinary Lambda freezes the process after the answer, so that the answer waits for the shadow there. */
  async function compare({ context }: LoginRequest): Promise<void> {
    const { login } = context;
    if (login.shadowEvent === null) return;
    // Others may have come between: the handler took its time.
    const cause = obstacle();
    if (cause !== null) return log.skipped(login, cause);
    return ask(context);
  }

  /** Never rejects. */
  async function ask(context: LoginContext): Promise<void> {
    const { login } = context;
    const leftMs = login.invocation.remainingMs();
    if (leftMs < MIN_LEFT_MS) return log.skipped(login, 'no_time');
    const timeoutMs = Math.min(leftMs, settings.shadowTimeoutMs);
    const invocation = new Invocation(context, timeoutMs, { isShadow: true });
    const startedAt = nowMs();
    try {
      const answered = await callInTime(handler, login.shadowEvent, invocation);
      const decided = decidedBy(readResponse(answered, schema), login, invocation);
      rest.answered();
      log.compared(login, decided, nowMs() - startedAt);
    } catch (thrown) {
      if (asLoginError(thrown).code === 'handler_timed_out') rest.timedOut();
      else rest.answered();
      log.failed(login, thrown);
    } finally {
      invocation.isOver = true;
    }
  }

  return { copyEvent: [{ before: copyEvent }], compare: [{ after: compare, onError: compare }] };
}

function decidedBy({ response, reason, trace }: Answer, login: Login, invocation: Invocation): Decided {
  try {
    return { response: withExternalId(response, login, invocation), type: response.type, reason, trace };
  } catch {
    // It is the event that has no identifier: no failure of the handler.
    return { response: null, type: 'ErrorResponse', reason: 'external_id_missing', trace };
  }
}

/** A deep copy, without what opens other systems in the person's name. */
function copyOf(event: unknown, { openidShadowAccessToken }: Settings): unknown {
  const copy = structuredClone(event) as object;
  if (!('access_token' in copy)) return copy;
  const { access_token, ...others } = copy as OpenIdUserLoggedInEvent;
  const given = openidShadowAccessToken === 'on' ? access_token : '';
  return { ...others, access_token: given, refresh_token: null } satisfies OpenIdUserLoggedInEvent;
}
