/** Whether a stand-in is answered as the original: what differs, and what the handler wrote. */
import { describe, expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { mappingTexts } from '../../tools/keep/mappingTexts.ts';
import { differingFields, handlersTexts } from '../../tools/keep/proof.ts';
import { Substitution } from '../../tools/keep/substitution.ts';
import { openIdEvent } from '../support/wire.ts';

type Answered = Parameters<typeof differingFields>[0];

const answered = (response: object | null, more: object = {}) =>
  ({
    response,
    status: 200,
    reason: 'authorized',
    asked: { unanswered: [], served: [] },
    ...more,
  }) as never as Answered;
const event = openIdEvent();
const known = { issuer: event.idToken.iss, mapping: mappingTexts(null, OPENID_NAMES) };
const substitution = new Substitution({ event, exchanges: [] }, known);
const { idToken } = substitution.event as ReturnType<typeof openIdEvent>;
/** What `Ada` became. */
const BOB = String(idToken.otherClaims.given_name);

describe('fields differ:', () => {
  const before = { type: 'A', first_name: 'Ada', groups: ['x', 'x', 'Ada'], image: null };

  test.each<[string, object | null, string[]]>([
    ['none', { ...before, first_name: BOB, groups: [BOB, 'x', 'x'] }, []],
    ['a text that stayed', { ...before, groups: [BOB, 'x', 'x'] }, ['first_name']],
    [
      'a list with another number of a value',
      { ...before, first_name: BOB, groups: [BOB, BOB, 'x'] },
      ['groups'],
    ],
    ['a longer list', { ...before, first_name: BOB, groups: [BOB, 'x', 'x', 'x'] }, ['groups']],
    ['a shorter list', { ...before, first_name: BOB, groups: [BOB, 'x'] }, ['groups']],
    ['a text for null', { ...before, first_name: BOB, groups: [BOB, 'x', 'x'], image: 'i' }, ['image']],
    ['null for a text', { ...before, first_name: null, groups: [BOB, 'x', 'x'] }, ['first_name']],
    ['a text for a list', { ...before, first_name: BOB, groups: 'x' }, ['groups']],
    ['one more', { ...before, first_name: BOB, groups: [BOB, 'x', 'x'], more: 1 }, ['more']],
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
