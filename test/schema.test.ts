import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { checked } from '../lib/schema.ts';

test('a response of many wrong items is read up to the first of them', () => {
  let read = 0;
  const item = v.pipe(
    v.string(),
    v.check(() => ++read === 0),
  );
  const items = Array.from({ length: 1_000 }, () => 'x');
  const failure = (problems: string[]) => new Error(problems.join());
  expect(() => checked(v.array(item), items, failure)).toThrow('expected a valid check');
  expect(read).toBe(1);
});
