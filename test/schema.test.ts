/** What all schemas share: what they say, and what they stop at; and where a text stops being JSON. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { jsonMistake } from '../lib/jsonMistake.ts';
import { boolean, fields, list, parseJson, problemsOf, someOf, strict, text } from '../lib/schema.ts';

const problems = (schema: v.GenericSchema, value: unknown) =>
  problemsOf(v.safeParse(schema, value).issues ?? []);

describe('JSON of another system', () => {
  const failure = (found: string[] | null) => new Error(found === null ? 'no JSON' : found.join('; '));
  const parse = (schema: v.GenericSchema, json: string) => parseJson(schema, json, failure);

  test('of many wrong items is read up to the first of them', () => {
    let read = 0;
    const count = v.check<string>(() => ++read === 0);
    const item = v.pipe(v.string(), count);
    const items = JSON.stringify(Array(1_000).fill('x'));
    expect(() => parse(v.array(item), items)).toThrow('expected a valid check');
    expect(read).toBe(1);
  });

  test.each<[string, v.GenericSchema, string, string]>([
    ['is no JSON', v.string(), '{', 'no JSON'],
    ['makes the schema throw', throwing(), '7', 'expected a value that the schema can read, but it threw'],
  ])('that %s', (_, schema, json, message) => {
    expect(() => parse(schema, json)).toThrow(new Error(message));
  });

  test('is what the schema makes of it', () => {
    expect(parse(v.pipe(v.string(), v.toUpperCase()), '"a"')).toBe('A');
  });

  function throwing() {
    return v.pipe(
      v.number(),
      v.check(() => {
        throw new Error('SECRET');
      }),
    );
  }
});

describe('a problem says what was expected, and where', () => {
  const schema = strict({ on: boolean, names: someOf(text), rest: v.optional(text) });

  test.each<[unknown, string[]]>([
    [{ on: true, names: ['a'] }, []],
    [7, ['expected an object']],
    [{ on: 'yes', names: ['a'] }, ['on: expected true or false']],
    [{ on: true, names: [' '] }, ['names[0]: expected a text that is not empty']],
    [{ names: [7] }, ['on: expected true or false (missing)', 'names[0]: expected a text']],
    [{ on: true, names: ['a'], more: 1 }, ['more: expected only on, names, rest']],
  ])('%j: %j', (value, expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });

  test('at most twenty of them', () => {
    expect(problems(v.array(v.string()), Array(30).fill(7))).toHaveLength(20);
  });
});

test('what is no object has no fields, which is one problem', () => {
  expect(problems(fields({ on: boolean }), null)).toHaveLength(1);
});

test('a list is read up to its twentieth mistake', () => {
  let read = 0;
  const item = v.custom<string>(() => {
    read += 1;
    return false;
  }, 'expected a string');
  expect(problems(list(item), Array.from({ length: 1_000 }))).toHaveLength(20);
  expect(read).toBe(20);
});

test.each([
  ['{"a": s3cret}', '1:7', 'unexpected text'],
  ['{"a": "s3cret" "b"}', '1:16', 'unexpected text'],
  ['{\n  "a": "s3cret",\n}', '3:1', 'unexpected text'],
  ['{"a": s3cret,\n "b": 1}', '1:7', 'unexpected text'],
  ['{"a": "s3cret', '1:14', 'it ends too early'],
  ['', '1:1', 'it ends too early'],
  ['{}\ns3cret', '2:1', 'unexpected text'],
])('where %j stops being JSON is told, and nothing of it is quoted', (text, place, what) => {
  expect(jsonMistake(text)).toBe(`${place}: expected JSON: ${what}`);
});
