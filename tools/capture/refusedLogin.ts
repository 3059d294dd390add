/** The log record of a login that was refused for what its event lacks. */
import * as v from 'valibot';
import { object } from '../../lib/schema.ts';
import { ALL_FUNCTION_NAMES } from '../shared/functions.ts';

/** The reasons that follow from names and from what is missing. */
export const REASONS = ['profile_incomplete', 'email_unverified', 'issuer_not_listed'] as const;

const Names = v.array(v.string('expected a text'), 'expected names');
const Field = object({
  tried: Names,
  found: v.nullable(v.string('expected a text')),
  note: v.exactOptional(v.string('expected a text')),
  hint: v.exactOptional(v.string('expected a text')),
});
export const Refused = object({
  function: v.picklist(ALL_FUNCTION_NAMES, 'expected the name of a function'),
  reason: v.picklist(REASONS, 'expected one of the reasons'),
  issuer: v.optional(v.string('expected a text'), 'https://issuer.example'),
  trace: object({
    fields: v.record(v.string('expected a text'), Field, 'expected fields'),
    received: object({ names: Names, others: v.number('expected a number') }),
  }),
});

export type RefusedLogin = v.InferOutput<typeof Refused>;
