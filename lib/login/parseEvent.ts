import * as v from 'valibot';
import { LoginError } from '../errors.ts';
import { problemsOf } from '../schema.ts';
import type { ExternalId, Middleware } from './login.ts';

interface ParseOptions<TEvent> {
  issuerOf: (event: TEvent) => string;
  /** Null where the setting is off. */
  externalIdOf: (event: TEvent) => ExternalId | null;
}

/**
 * Turns the event's wire form into the model that handlers get, and notes its issuer and permanent identifier in the login: a
 * handler may change the event.
 *
 * @throws {LoginError} `event_invalid`
 */
export function parseEvent<TSchema extends v.GenericSchema>(
  schema: TSchema,
  { issuerOf, externalIdOf }: ParseOptions<v.InferOutput<TSchema>>,
): Middleware {
  return {
    before(request) {
      const result = v.safeParse(schema, request.event);
      if (!result.success) throw new LoginError('event_invalid', { problems: problemsOf(result.issues) });
      const { login } = request.context;
      request.event = result.output;
      login.issuer = issuerOf(result.output);
      login.externalId = externalIdOf(result.output);
    },
  };
}
