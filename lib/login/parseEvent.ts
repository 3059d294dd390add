import * as v from 'valibot';
import { LoginError } from '../errors.ts';
import { problemsOf } from '../schema.ts';
import type { Step } from './step.ts';

/** Turns the event's wire form into the model that handlers get, and refuses what is not one. */
export function parseEvent<TSchema extends v.GenericSchema>(
  schema: TSchema,
  issuerOf: (event: v.InferOutput<TSchema>) => string,
): Step {
  return {
    before(request) {
      const result = v.safeParse(schema, request.event);
      if (!result.success) throw new LoginError('event_invalid', { problems: problemsOf(result.issues) });
      request.event = result.output;
      request.internal.issuer = issuerOf(result.output);
    },
  };
}
