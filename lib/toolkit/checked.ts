import * as v from 'valibot';
import { MAX_PROBLEMS } from '../schema.ts';

/**
 * What a schema makes of JSON from outside.
 *
 * The problems say what was expected and not where: in a record, or where a key is one too many, the path is made of
 * what was received. What a schema of the operator's throws may hold it too, and goes no further.
 *
 * @throws what `failure` makes of the problems
 */
export function checked<TSchema extends v.GenericSchema>(
  schema: TSchema,
  json: unknown,
  failure: (problems: string[]) => Error,
): v.InferOutput<TSchema> {
  let result: v.SafeParseResult<TSchema>;
  try {
    // An answer may hold a hundred thousand wrong items: one problem is enough.
    result = v.safeParse(schema, json, { abortEarly: true });
  } catch {
    throw failure(['expected what the schema can read: it threw']);
  }
  if (result.success) return result.output;
  const types = new Set(result.issues.map(({ type }) => `expected a valid ${type}`));
  throw failure([...types].slice(0, MAX_PROBLEMS));
}
