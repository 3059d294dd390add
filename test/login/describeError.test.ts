import { describe, expect, test } from '@jest/globals';
import { LoginError } from '../../lib/errors.ts';
import { describeWhole, describeWithoutMessage, messageOf } from '../../lib/login/describeError.ts';

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
    ['an error of several lines', new Error(`x\n    at ${SECRET} (/x:1:1)\n    at y (/x:1:1)`), 'Error'],
    ['an error whose message was changed', withChangedMessage(), 'Error'],
    ['an error with a forged stack', Object.assign(new Error('x'), { stack: SECRET }), 'Error'],
    ['an error with a name of its own', Object.assign(new Error('x'), { name: SECRET }), 'Error'],
    ['an error with a code that is data', Object.assign(new Error('x'), { code: SECRET }), 'Error'],
    ['an object with a constructor that is data', { constructor: { name: SECRET } }, 'Object'],
    ['an error whose frames were forged', forgedFrames(), 'Error'],
    ['an error of a function whose name is data', thrownBy({ [SECRET]: failing }), 'Error'],
    ['an error of a function that is stored under data', thrownBy({ [PLAIN]: failing }), 'Error'],
    ['an error of a function of a computed name', thrownBy({ [PLAIN]: () => failing() }), 'Error'],
    [
      'an error of a name that looks like a frame',
      thrownBy({ [`x (/${PLAIN}:1:1)`]: () => failing() }),
      'Error',
    ],
    ['a string', SECRET, 'string'],
    ['nothing', undefined, 'undefined'],
    ['an object', { message: SECRET }, 'Object'],
    ['an object without prototype', Object.create(null), 'unknown'],
    ['an object that throws when read', throwing(), 'Object'],
    ['a Proxy that throws itself', bristling(), 'unknown'],
    ['a function', () => SECRET, 'function'],
  ])('%s is described without its message', (_, thrown, className) => {
    const description = describeWithoutMessage(thrown);
    expect(description.class).toBe(className);
    expect(JSON.stringify(description)).not.toContain(SECRET);
    expect(JSON.stringify(description)).not.toContain(PLAIN);
  });

  test('has the frames that lead to the code that threw', () => {
    expect(describeWithoutMessage(new Error('x\ny')).frames?.[0]).toMatch(/describeError\.test/);
    expect(describeWithoutMessage(new Error('')).frames?.[0]).toMatch(/describeError\.test/);
  });

  test.each([
    [new LoginError('body_missing'), 'body_missing'],
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), undefined],
  ])('has its code where the code is ours: %p', (thrown, code) => {
    expect(describeWithoutMessage(thrown).code).toBe(code);
  });
});

test('an error of loading is described whole, with its causes', () => {
  const error = new Error('outer', { cause: new TypeError('inner') });
  for (const part of ['Error: outer', 'TypeError: inner', 'describeError.test'])
    expect(describeWhole(error)).toContain(part);
  expect(describeWhole(new AggregateError([new Error('one of them')]))).toContain('one of them');
  expect(describeWhole({ a: 1 })).toBe('{ a: 1 }');
});

test('causes that go in a circle end', () => {
  const error: Error = new Error('x');
  error.cause = error;
  expect(describeWhole(error).length).toBeLessThan(5_000);
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

/** A message whose second line looks like a frame, and that lost it after the stack was made. */
function forgedFrames(): Error {
  const error = new Error(`Lookup failed\n    at /users/${SECRET} (/x:1:1)`);
  String(error.stack);
  error.message = 'Lookup failed';
  return error;
}

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

/** Whatever is asked of it, it throws itself. */
function bristling(): object {
  const thrower = () => {
    throw thrown;
  };
  const thrown: object = new Proxy(
    {},
    { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower },
  );
  return thrown;
}
