import { describe, expect, test } from '@jest/globals';
import {
  describeWhole,
  describeWithoutMessage,
  messageOf,
  withoutMessage,
} from '../../lib/login/loggedError.ts';
import { LoginError } from '../../lib/reasons.ts';

const SECRET = 'ada@example.org';
const PLAIN = 'AdaLovelace';

function withChangedMessage() {
  const error = new Error(SECRET);
  error.message = 'something else';
  return error;
}

describe('an error of a login', () => {
  test.each<[string, unknown, string]>([
    ['an error', new TypeError(SECRET), 'TypeError'],
    ['an error whose message was changed', withChangedMessage(), 'Error'],
    ['an error with a code that is data', Object.assign(new Error('x'), { code: SECRET }), 'Error'],
    ['an error with a stack of another kind', Object.assign(new Error('x'), { stack: [SECRET] }), 'Error'],
    ['an error of a function whose name is data', thrownBy({ [SECRET]: failing }), 'Error'],
    ['a string', SECRET, 'string'],
    ['an object', { message: SECRET, constructor: { name: SECRET } }, 'object'],
    ['null', null, 'object'],
  ])('%s is described without its message', (_, thrown, className) => {
    const description = describeWithoutMessage(thrown);
    expect(description.class).toBe(className);
    expect(JSON.stringify(description)).not.toContain(SECRET);
    expect(JSON.stringify(description)).not.toContain(PLAIN);
  });

  test.each<[string, string[]]>([
    ['    at f (/x.mjs:1:2)', ['at /x.mjs:1:2']],
    ['    at /x.mjs:10:20', ['at /x.mjs:10:20']],
    ['    at async f (file:///x%20y.mjs:10:20)', ['at file:///x%20y.mjs:10:20']],
    ['    at f (C:\\x.mjs:1:2)', ['at C:\\x.mjs:1:2']],
    ['    at async Promise.all (index 0)', []],
    ['    at f (ada:1:2)', []],
    ['    at ada /x.mjs:1:2', []],
    ['    at f (/x.mjs:1)', []],
    ['    at f (/x.mjs:1:2) more', []],
    ['    at f (/x y.mjs:1:2)', []],
    ['      at f (/x.mjs:1:2)', []],
    [`    at ${SECRET} (/x.mjs:1:2)`, ['at /x.mjs:1:2']],
    [`    at f (/${SECRET}:1:2)`, []],
    [`    at /${'f'.repeat(400)}:1:2`, [`at /${'f'.repeat(296)}`]],
    [
      Array.from({ length: 12 }, (_, line) => `    at /f:${line}:0`).join('\n'),
      Array.from({ length: 10 }, (_, line) => `at /f:${line}:0`),
    ],
  ])('has of the frames %j', (frames, expected) => {
    for (const message of ['x', '', 'two\nlines']) {
      const error = Object.assign(new Error(message), { stack: `Error: ${message}\n${frames}` });
      expect(describeWithoutMessage(error).frames ?? []).toEqual(expected);
    }
  });

  test.each<[what: string, message: string, stack: string, frames: string[]]>([
    [
      'whose message looks like a frame',
      'x\n    at /users/ada:1:1',
      'Error: x\n    at /users/ada:1:1\n    at /f:1:2',
      ['at /f:1:2'],
    ],
    ['without a name', 'x', 'x\n    at /f:1:2', ['at /f:1:2']],
    ['whose message is not there, in a single line', 'four', 'xyz    at /users/ada:1:1', []],
  ])('%s has the frames behind its message alone', (_, message, stack, frames) => {
    const error = Object.assign(new Error('x'), { message, stack });
    expect(describeWithoutMessage(error).frames ?? []).toEqual(frames);
  });

  test.each([
    ['ours', new LoginError('body_missing'), 'body_missing'],
    ['another’s', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), undefined],
  ])('has its code where the code is ours: %s', (_, thrown, code) => {
    expect(describeWithoutMessage(thrown).code).toBe(code);
  });
});

test('an error of loading is described whole, with its causes', () => {
  const error = new Error('outer', { cause: new TypeError('inner') });
  for (const part of ['Error: outer', 'TypeError: inner', 'loggedError.test'])
    expect(describeWhole(error)).toContain(part);
  expect(describeWhole(new AggregateError([new Error('one of them')]))).toContain('one of them');
  expect(describeWhole({ a: 1 })).toBe('{ a: 1 }');
});

test('an error of loading is described to a depth and a length', () => {
  expect(describeWhole({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toMatch(/e: \[Object\]/);
  expect(describeWhole('x'.repeat(10_000))).toHaveLength(4_000);
});

describe('an error that may hold a secret', () => {
  const stack = `TypeError: ${SECRET}\n    at f (/x.mjs:1:2)\n    at async g (/y.mjs:3:4)`;

  test.each<[string, unknown, string]>([
    [
      'an error',
      Object.assign(new TypeError(SECRET, { cause: SECRET }), { stack, SECRET }),
      'TypeError\n    at /x.mjs:1:2\n    at /y.mjs:3:4',
    ],
    ['an error without frames', Object.assign(new RangeError('x'), { stack: SECRET }), '[RangeError]'],
    [
      'an error of ours',
      new LoginError('secret_not_found', { secretId: 'db' }, { cause: SECRET }),
      'secret_not_found {"secretId":"db"}\n    at ',
    ],
    ['text', SECRET, '[string]'],
  ])('%s has a stand-in without message, properties and causes', (_, thrown, expected) => {
    const standIn = withoutMessage(thrown);
    expect(describeWhole(standIn).startsWith(expected)).toBe(true);
    expect(describeWhole(standIn)).not.toContain(SECRET);
    expect(describeWithoutMessage(standIn).frames).toEqual(describeWithoutMessage(thrown).frames);
    expect(messageOf(standIn)).toBe('');
  });
});

test.each([[null], [undefined], [7], [{}], [{ message: 'x' }]])('there is no message', (thrown) => {
  expect(messageOf(thrown)).toBeNull();
});

test.each([
  [new Error('x'.repeat(10_000)), 4_000],
  ['x', 1],
])('a message is bounded', (thrown, length) => {
  expect(messageOf(thrown)).toHaveLength(length);
});

function failing(): never {
  throw new Error('x');
}

/** By the one function of the object, called as its property. */
function thrownBy(functions: Record<string, () => never>): unknown {
  try {
    const [name = ''] = Object.keys(functions);
    return functions[name]?.();
  } catch (error) {
    return error;
  }
}
