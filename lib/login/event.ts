/** From what arrived to the event that the handler gets. */
import * as v from 'valibot';
import { LoginError } from '../reasons.ts';
import { problemsOf } from '../schema.ts';
import { jsonIn } from './http.ts';
import type { Guard, Middleware, StartedFunction } from './login.ts';

/**
 * Turns the event's wire form into the model that handlers get, and notes in the login what the function itself needs of it: a
 * handler may change the event.
 *
 * @param guards what an HTTP request must pass before it is read, in this order
 * @throws {LoginError} of a guard; `body_missing`, `body_not_json`, `event_invalid`
 */
export function readEvent<TEvent>(
  { kind, settings }: StartedFunction<TEvent>,
  guards: readonly Guard[],
): Middleware {
  return {
    async before(request) {
      const { login } = request.context;
      const { http, invocation } = login;
      if (http) {
        for (const guard of guards) await guard(http, invocation);
        request.event = jsonIn(http);
      }
      const result = v.safeParse(kind.model, request.event);
      if (!result.success) throw new LoginError('event_invalid', { problems: problemsOf(result.issues) });
      const { output } = result;
      request.event = output;
      login.facts = {
        issuer: kind.issuerOf(output),
        preferredLanguage: kind.preferredLanguageOf(output),
        ...kind.identifiersOf(output, settings),
      };
    },
  };
}

/** Refuses a login that does not pass the check of its kind. */
export function checkLogin<TEvent>({ loginCheck }: StartedFunction<TEvent>): Middleware {
  return {
    // `readEvent` has made it an event of the kind.
    before: ({ event, context: { login } }) => loginCheck?.(event as TEvent, login.invocation),
  };
}
