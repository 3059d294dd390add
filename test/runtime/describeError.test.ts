import { describe, expect, test } from '@jest/globals';
import { describeWhole, describeWithoutMessage, messageOf } from '../../lib/runtime/describeError.ts';

const SECRET = 'ada@example.org';

function withChangedMessage() {
  const error = new Error(SECRET);
  error.message = 'something else';
  return error;
}

describe('an error of a login', () => {
  test.each<[string, unknown, string]>([
    ['an error', new TypeError(SECRET), 'TypeError'],
    ['an error of several lines', new Error(`x\n    at ${SECRET} (/x:1:1)\n    at y (/x:1:1)`), 'Error'],
    ['an error whose message was changed', withChangedMessage(), 'Error'],
    ['an error with a forged stack', Object.assign(new Error('x'), { stack: SECRET }), 'Error'],
    ['an error with a name of its own', Object.assign(new Error('x'), { name: SECRET }), 'Error'],
    ['an error with a code that is data', Object.assign(new Error('x'), { code: `${SECRET} y` }), 'Error'],
    ['a string', SECRET, 'string'],
    ['nothing', undefined, 'undefined'],
    ['an object', { message: SECRET }, 'Object'],
    ['an object without prototype', Object.create(null), 'unknown'],
    ['an object that throws when read', throwing(), 'unknown'],
    ['a function', () => SECRET, 'function'],
  ])('%s is described without its message', (_, thrown, className) => {
    const description = describeWithoutMessage(thrown);
    expect(description.class).toBe(className);
    expect(JSON.stringify(description)).not.toContain(SECRET);
  });

  test('has the frames that lead to the code that threw', () => {
    expect(describeWithoutMessage(new Error('x\ny')).frames?.[0]).toMatch(/describeError\.test/);
    expect(describeWithoutMessage(new Error('')).frames?.[0]).toMatch(/describeError\.test/);
  });

  test('has its code', () => {
    expect(describeWithoutMessage(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })).code).toBe(
      'ECONNREFUSED',
    );
  });
});

test('an error of loading is described whole, with its causes', () => {
  const error = new Error('outer', { cause: new TypeError('inner') });
  expect(describeWhole(error)).toMatchObject({
    class: 'Error',
    message: 'outer',
    cause: { class: 'TypeError', message: 'inner' },
  });
});

test('causes that go in a circle end', () => {
  const error: Error = new Error('x');
  error.cause = error;
  expect(JSON.stringify(describeWhole(error)).length).toBeLessThan(20_000);
});

test.each([
  [new Error('x'.repeat(10_000)), 2_000],
  ['x', 1],
])('a message is bounded', (thrown, length) => {
  expect(messageOf(thrown)).toHaveLength(length);
});

function throwing(): object {
  return new Proxy(
    {},
    {
      get() {
        throw new Error(SECRET);
      },
    },
  );
}
