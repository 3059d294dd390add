/** How a decision travels with its response. */
import { expect, test } from '@jest/globals';
import { decisionOf, withDecision } from '../../lib/profile/decision.ts';
import { authorizedUser, forbidden } from '../../lib/profile/response.ts';

const trace = () => ({ fields: {}, received: { names: [], others: 0 } });
const missing = ['image_url'] as const;
const ADA = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };

test('a refusal keeps it in a copy, with its words', () => {
  const response = withDecision({ response: forbidden('No.'), reason: 'rule_refused', missing, trace });
  const decision = { reason: 'rule_refused', type: 'ForbiddenResponse', message: 'No.', missing, trace };
  expect(decisionOf(response)).toEqual(decision);
  expect(decisionOf({ ...response, message: 'Never.' })).toEqual(decision);
  expect(JSON.stringify(response)).toBe('{"type":"ForbiddenResponse","message":"No."}');
});

test('an authorized response has it, and compares as if it had none', () => {
  const response = withDecision({ response: authorizedUser(ADA), reason: 'authorized', missing, trace });
  expect(decisionOf(response)).toEqual({
    reason: 'authorized',
    type: 'AuthorizedUserResponse',
    message: null,
    missing,
    trace,
  });
  expect(response).toEqual(authorizedUser(ADA));
  expect(decisionOf({ ...response })).toBeUndefined();
});

test.each([null, undefined, 'text', 7, {}, authorizedUser(ADA)])('%p has none', (response) => {
  expect(decisionOf(response)).toBeUndefined();
});
