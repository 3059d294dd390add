/** Whether a stand-in is answered as the original: what differs, and what the handler wrote. */
import { describe, expect, test } from '@jest/globals';
import { differingFields, handlersTexts } from '../../tools/keep/proof.ts';

type Answered = Parameters<typeof differingFields>[0];
type Substitution = Parameters<typeof differingFields>[2];

const answered = (response: object | null, more: object = {}) =>
  ({
    response,
    status: 200,
    reason: 'authorized',
    asked: { unanswered: [], served: [] },
    ...more,
  }) as never as Answered;
/** `Ada` becomes `Bob`; other texts are the handler's. */
const substitution = {
  isSubstituted: (before: string, after: string) => after === (before === 'Ada' ? 'Bob' : before),
  isHandlers: (text: string) => text !== 'Ada',
} as never as Substitution;

describe('fields differ:', () => {
  const before = { type: 'A', first_name: 'Ada', groups: ['x', 'x', 'Ada'], image: null };

  test.each<[string, object | null, string[]]>([
    ['none', { ...before, first_name: 'Bob', groups: ['Bob', 'x', 'x'] }, []],
    ['a text that stayed', { ...before, groups: ['Bob', 'x', 'x'] }, ['first_name']],
    [
      'a list with another number of a value',
      { ...before, first_name: 'Bob', groups: ['Bob', 'Bob', 'x'] },
      ['groups'],
    ],
    ['a longer list', { ...before, first_name: 'Bob', groups: ['Bob', 'x', 'x', 'x'] }, ['groups']],
    ['a shorter list', { ...before, first_name: 'Bob', groups: ['Bob', 'x'] }, ['groups']],
    ['a text for null', { ...before, first_name: 'Bob', groups: ['Bob', 'x', 'x'], image: 'i' }, ['image']],
    ['a text for a list', { ...before, first_name: 'Bob', groups: 'x' }, ['groups']],
    ['one more', { ...before, first_name: 'Bob', groups: ['Bob', 'x', 'x'], more: 1 }, ['more']],
    ['no response', null, ['type', 'first_name', 'groups', 'image']],
  ])('%s', (_, after, fields) => {
    expect(differingFields(answered(before), answered(after), substitution)).toEqual(fields);
  });

  test('and the status, the reason and requests', () => {
    const other = answered({}, { status: 500, reason: 'error', asked: { unanswered: ['GET x'] } });
    expect(differingFields(answered({}), other, substitution)).toEqual(['status', 'reason', 'requests']);
    expect(differingFields(answered(null), answered(null), substitution)).toEqual([]);
  });
});

test('the handler wrote what is the same in both responses, and no text of the event', () => {
  const before = answered({ a: 'Ada', b: 'Hello', c: ['x', 7, 'Ada'], d: 'only before' });
  const after = answered({ a: 'Ada', b: 'Hello', c: ['x', 7], d: 'only after' });
  expect(handlersTexts(before, after, substitution)).toEqual(new Set(['Hello', 'x']));
  expect(handlersTexts(answered(null), after, substitution)).toEqual(new Set());
  expect(handlersTexts(before, answered(null), substitution)).toEqual(new Set());
});
