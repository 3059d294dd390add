import * as v from 'valibot';
import { LoginError } from '../reasons.ts';
import { problemsOf } from '../schema.ts';
import type { Settings } from '../settings.ts';
import type { ExternalId, Middleware } from './login.ts';

interface ParsedKind<TEvent> {
  model: v.GenericSchema<unknown, TEvent>;
  issuerOf(event: TEvent): string;
  read(event: TEvent): { preferredLanguage: string | null };
  /** Null where the setting is off. */
  externalIdOf(event: TEvent, settings: Settings): ExternalId | null;
  transientIdOf(event: TEvent): string | null;
}

/**
 * Turns the event's wire form into the model that handlers get, and notes in the login its issuer, the person's language and
 * identifiers: a handler may change the event.
 *
 * @throws {LoginError} `event_invalid`
 */
export function parseEvent<TEvent>(
  { model, issuerOf, read, externalIdOf, transientIdOf }: ParsedKind<TEvent>,
  settings: Settings,
): Middleware {
  return {
    before(request) {
      const result = v.safeParse(model, request.event);
      if (!result.success) throw new LoginError('event_invalid', { problems: problemsOf(result.issues) });
      const { login } = request.context;
      request.event = result.output;
      login.issuer = issuerOf(result.output);
      login.preferredLanguage = read(result.output).preferredLanguage;
      login.externalId = externalIdOf(result.output, settings);
      login.transientId = transientIdOf(result.output);
    },
  };
}
