/** What `npm start` shows of the log of a login. */
import { expect, test } from '@jest/globals';
import { shadowOutcome } from '../../tools/local/logLines.ts';

const difference = { event: 'shadow_difference', effect: 'would_refuse', shadowReason: 'rule_refused' };
const failed = { event: 'shadow_failed', shadowReason: 'handler_threw' };

test.each([
  ['decides the same', [{ event: 'shadow_same' }], 'same'],
  ['would refuse', [difference], 'would_refuse'],
  ['failed', [failed], 'failed, handler_threw'],
  ['was not asked', [{ event: 'shadow_skipped', cause: 'no_time' }], 'skipped, no_time'],
  ['would refuse, after its trace', [{ event: 'shadow_trace', trace: {} }, difference], 'would_refuse'],
  [
    'failed, after its text',
    [{ event: 'shadow_error_message', message: 'no' }, failed],
    'failed, handler_threw',
  ],
  ['is not loaded', [{ event: 'shadow_not_loaded', reason: 'handler_not_loaded' }], null],
  ['a handler says to have been asked', [{ event: 'shadow_difference', effect: { toString: 1 } }], ''],
  ['is none', [{ event: 'login' }], null],
])('of a shadow that %s', (_, records, outcome) => {
  expect(shadowOutcome(records)).toBe(outcome);
});
