import { describe, expect, test } from '@jest/globals';
import {
  fieldsByPath,
  keyOf,
  marksOfField,
  marksOfGroup,
  shownPaths,
  usedInside,
  valueAt,
} from '../../../tools/studio/page/logins/marks.ts';

const EVENT = { id_token: { other_claims: { email: 'a@b.c', groups: ['staff', 'all'], 'a b': 1 } } };
const CLAIMS = ['id_token', 'other_claims'] as const;
const EMAIL = { field: 'email', path: [...CLAIMS, 'email'] };
const NAME = { field: 'first_name', path: [...CLAIMS, 'email'] };
const STAFF = { field: 'groups', path: [...CLAIMS, 'groups', 0] };
const ALL = { field: 'groups', path: [...CLAIMS, 'groups', 1] };
const MARKS = [EMAIL, NAME, STAFF, ALL];

describe('marks of', () => {
  test('a field', () => {
    expect(marksOfField(MARKS, { field: 'email' })).toEqual([EMAIL]);
  });

  test('the group, by its place', () => {
    expect(marksOfGroup(MARKS, STAFF.path)).toEqual([STAFF]);
  });
});

test('a text may be used for several fields, each told once', () => {
  const fields = fieldsByPath([...MARKS, EMAIL]);
  expect(fields.get(keyOf(EMAIL.path))).toEqual(['email', 'first_name']);
  expect(fields.get(keyOf(STAFF.path))).toEqual(['groups']);
});

test('a closed node tells how many texts in it are used', () => {
  const counts = usedInside(MARKS);
  expect(counts.get(keyOf(['id_token']))).toBe(3);
  expect(counts.get(keyOf([...CLAIMS, 'groups']))).toBe(2);
  expect(counts.get(keyOf(EMAIL.path))).toBeUndefined();
});

test.each([
  [[...CLAIMS, 'groups', 1], 'all'],
  [[...CLAIMS, 'a b'], 1],
  [['id_token', 'toString'], undefined],
  [['id_token', 'other_claims', 'email', 'length', 0], undefined],
  [[], EVENT],
])('the value at %j', (path, value) => {
  expect(valueAt(EVENT, path)).toEqual(value);
});

test('paths whose joined names are alike have keys of their own', () => {
  expect(new Set([keyOf(['a.b']), keyOf(['a', 'b']), keyOf(['a', '0']), keyOf(['a', 0])]).size).toBe(4);
});

const ATTRIBUTES = ['assertion', 'attribute_statement'] as const;
const ASSERTION = {
  assertion: { attribute_statement: [{ value: 'a' }, { value: 'b' }] },
};

test.each([
  ['what is marked', EVENT, [EMAIL], [EMAIL.path]],
  [
    'an attribute that is marked, with its names',
    ASSERTION,
    [{ field: 'email', path: [...ATTRIBUTES, 1, 'value'] }],
    ['value', 'name', 'friendly_name'].map((name) => [...ATTRIBUTES, 1, name]),
  ],
  ['else the claims', EVENT, [], ['email', 'groups', 'a b'].map((name) => [...CLAIMS, name])],
  ['else the attributes', ASSERTION, [], [0, 1].map((index) => [...ATTRIBUTES, index])],
  ['all of another event', { id_token: 7 }, [], []],
])('of an event is shown at first %s', (_, event, marks, paths) => {
  expect(shownPaths(event, marks)).toEqual(paths);
});
