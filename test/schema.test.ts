import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { parseJson } from '../lib/schema.ts';

test('a response of many wrong items is read up to the first of them', () => {
  let read = 0;
  const item = v.pipe(
    v.string(),
    v.check(() => ++read === 0),
  );
  const items = JSON.stringify(Array.from({ length: 1_000 }, () => 'x'));
  const failure = (problems: string[] | null) => new Error(problems?.join());
  expect(() => parseJson(v.array(item), items, failure)).toThrow('expected a valid check');
  expect(read).toBe(1);
});
