/**
 * The schema parts that events, responses, mappings and settings share.
 *
 * Every message is an expectation ("expected an integer") and never holds what was received: Valibot's own
 * messages quote the value, and these messages appear in responses and logs.
 */
import * as v from 'valibot';
import { inWords } from './text.ts';

/** How many problems of one event are reported. More would cost more and help nobody. */
const MAX_PROBLEMS = 20;

/** How many items a list may have. Real lists, of groups at most, have hundreds. */
const MAX_ITEMS = 20_000;

/** How deep a free-form object may be nested: real claims use two or three levels. */
const MAX_JSON_DEPTH = 100;

export const string = v.string('expected a string');
export const stringOrNull = v.nullable(v.string('expected a string or null'));
export const integer = v.pipe(v.number('expected an integer'), v.integer('expected an integer'));
export const boolean = v.boolean('expected true or false');

/** What an operator writes as text: empty text is a mistake, and so is nothing but white space. */
export const text = v.pipe(
  v.string('expected a text'),
  v.check((value) => value.trim() !== '', 'expected a text that is not empty'),
);

/** In characters, of a text in a response. Lambda drops a response of more than 6 MB, and ALB one of more than 1 MB. */
export const MAX_TEXT = 10_000;

export function atMost(length: number) {
  return v.maxLength<string, number, string>(length, `expected at most ${length} characters`);
}

/** In lower case, as receivers compare it (RFC 9562 section 4). */
export const uuid = v.pipe(v.string('expected a UUID'), v.uuid('expected a UUID'), v.toLowerCase());

/** A string for which this holds. */
export function stringThat(holds: (value: string) => boolean, expected: string) {
  return v.pipe(v.string(expected), v.check(holds, expected));
}

/** One of these texts: `expected on or off`. */
export function oneOf<const TOptions extends readonly string[]>(options: TOptions) {
  return v.picklist(options, `expected ${inWords(options, 'or')}`);
}

/** The digits of a whole number within these bounds, as a number. */
export function wholeNumber(min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return v.pipe(
    v.string(),
    v.regex(/^(?:0|[1-9]\d{0,8})$/, expected),
    v.transform(Number),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

/** A list of at least one item, in what an operator writes. */
export function someOf<const TItem extends v.GenericSchema>(item: TItem) {
  return v.pipe(v.array(item, 'expected a list'), v.nonEmpty('expected at least one entry'));
}

/** An object with only these fields, in what an operator writes: a misspelled key must not be a rule that is missing. */
export function strict<const TEntries extends v.ObjectEntries>(entries: TEntries) {
  const known = `expected only ${Object.keys(entries).join(', ')}`;
  return v.pipe(
    v.custom<v.InferInput<v.StrictObjectSchema<TEntries, undefined>>>(isJsonObject, 'expected an object'),
    v.strictObject(entries, ({ expected, path }) => (expected === 'never' ? known : missing(entries, path))),
  );
}

/**
 * An object with exactly one of these keys, in what an operator writes. The key says what else it may have, so that a
 * mistake is told once, and not once for each alternative.
 *
 * @param beside what the keys stand beside, for the message
 */
export function oneKeyOf<const TSchemas extends Record<string, v.GenericSchema>>(
  schemas: TSchemas,
  beside = '',
) {
  const expected = `expected an object with exactly one of ${Object.keys(schemas).join(', ')}${beside}`;
  type Schema = TSchemas[keyof TSchemas];
  return v.pipe(
    v.custom<v.InferInput<Schema>>(isJsonObject, expected),
    v.lazy((input) => {
      const given = Object.keys(schemas).filter((key) => (input as typeof schemas)[key] !== undefined);
      const [key, ...others] = given;
      const isOne = key !== undefined && others.length === 0;
      return (isOne ? schemas[key] : v.custom(() => false, expected)) as Schema;
    }),
  );
}

/**
 * An object with these fields. Loose: unknown fields are dropped without complaint, because a service may
 * add fields before this bundle knows them. Valibot alone would let arrays and dates pass as objects.
 */
export function object<const TEntries extends v.ObjectEntries>(entries: TEntries) {
  return v.pipe(
    v.custom<v.InferInput<v.ObjectSchema<TEntries, undefined>>>(isJsonObject, 'expected an object'),
    fields(entries),
  );
}

/**
 * Such an object, whose fields have other names where they are read: by each name of the wire, the name and the schema.
 */
export function renamed<
  const TFields extends Record<string, readonly [name: string, schema: v.GenericSchema]>,
>(wire: TFields) {
  type Renamed = { -readonly [TKey in keyof TFields as TFields[TKey][0]]: v.InferOutput<TFields[TKey][1]> };
  const names = Object.entries(wire);
  const entries = Object.fromEntries(names.map(([key, [, schema]]) => [key, schema]));
  return v.pipe(
    object(entries as { -readonly [TKey in keyof TFields]: TFields[TKey][1] }),
    v.transform((fields): Renamed => {
      const values: Record<string, unknown> = fields;
      const renamed: Record<string, unknown> = {};
      // A loop, because it runs in every login.
      for (const [key, [name]] of names) renamed[name] = values[key];
      return renamed as Renamed;
    }),
  );
}

/** The fields of an object, where something else has made sure that it is one. */
export function fields<const TEntries extends v.ObjectEntries>(entries: TEntries) {
  return v.object(entries, ({ path }) => missing(entries, path));
}

/**
 * An array of such items. Stops at `MAX_PROBLEMS` problems: `v.array` would collect one issue an item, and
 * fifty thousand wrong items would cost as many.
 */
export function list<const TItem extends v.GenericSchema>(item: TItem) {
  return v.pipe(
    v.custom<v.InferInput<TItem>[]>((input) => Array.isArray(input), 'expected an array'),
    v.maxLength(MAX_ITEMS, `expected at most ${MAX_ITEMS} items`),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const items: v.InferOutput<TItem>[] = [];
      let problems = 0;
      for (const [key, value] of dataset.value.entries()) {
        const result = v.safeParse(item, value);
        if (result.success) {
          items.push(result.output);
          continue;
        }
        for (const issue of result.issues) {
          addIssue({
            message: issue.message,
            path: [arrayItem(dataset.value, key, value), ...pathOf(issue)],
          });
        }
        problems += result.issues.length;
        if (problems >= MAX_PROBLEMS) return NEVER;
      }
      return items;
    }),
  );
}

/** A free-form object, without a key named `__proto__`. Such a key further down is a key like others, as JSON has it. */
export const freeForm = v.pipe(
  v.custom<Record<string, unknown>>(isJsonObject, 'expected an object'),
  v.check(
    (value) => hasAtMost(MAX_JSON_DEPTH, value),
    `expected at most ${MAX_JSON_DEPTH} levels of nesting`,
  ),
  v.transform((value) => {
    const claims = { ...value };
    // biome-ignore lint/suspicious/noProto: an own property of that name is what is removed here
    delete claims.__proto__;
    return claims;
  }),
);

/** Whether a value has at most so many levels of objects and lists: what reads all of them must not run out of stack. */
function hasAtMost(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((entry) => hasAtMost(levels - 1, entry));
}

/** Puts issues into words: `["idToken.exp: expected an integer"]`, at most `MAX_PROBLEMS`, never a value. */
export function problemsOf(issues: readonly v.BaseIssue<unknown>[]): string[] {
  return issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const path = pathOf(issue).reduce(
      (text, { key }) =>
        typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`,
      '',
    );
    return path ? `${path}: ${issue.message}` : issue.message;
  });
}

/**
 * What a schema makes of JSON text from another system.
 *
 * The problems say what was expected and not where: in a record, or at a key that is not expected, the path holds what
 * was received. The text of an error that an operator's schema throws may hold it too, and is dropped.
 *
 * @throws what `failure` makes of the problems; they are null where the text is not JSON
 */
export function parseJson<TSchema extends v.GenericSchema>(
  schema: TSchema,
  text: string,
  failure: (problems: string[] | null) => Error,
): v.InferOutput<TSchema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw failure(null);
  }
  let result: v.SafeParseResult<TSchema>;
  try {
    // A response may hold a hundred thousand wrong items: one problem is enough.
    result = v.safeParse(schema, json, { abortEarly: true });
  } catch {
    throw failure(['expected a value that the schema can read, but it threw']);
  }
  if (result.success) return result.output;
  const types = new Set(result.issues.map(({ type }) => `expected a valid ${type}`));
  throw failure([...types]);
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The message for a missing field: what its schema says of `undefined` is what it expects. */
function missing(entries: v.ObjectEntries, path: v.BaseIssue<unknown>['path']): string {
  const schema = entries[String(path?.[0].key)];
  const result = schema && v.safeParse(schema as v.GenericSchema, undefined);
  // Stryker disable next-line OptionalChaining,StringLiteral: a field that may be missing is not asked for.
  return `${result?.issues?.[0].message ?? 'expected a value'} (missing)`;
}

function pathOf(issue: v.BaseIssue<unknown>): v.IssuePathItem[] {
  return issue.path ?? [];
}

function arrayItem(input: unknown[], key: number, value: unknown): v.ArrayPathItem {
  // Stryker disable next-line StringLiteral: Valibot wants them, and nobody reads them
  return { type: 'array', origin: 'value', input, key, value };
}
