/**
 * No input makes a login slow: with four times the input, it runs four times as much of our code at most, and the largest
 * that can arrive comes to an end. What regular expressions and other built-ins take is measured by `npm run bench -- growth`.
 */
import { afterAll, expect, test } from '@jest/globals';
import { GROWTH, sizesTo, startCounting } from './bench/growth/growth.ts';

/** Linear is `GROWTH` and a little more, where the later items take another branch; quadratic is the square of it. */
const MAX_GROWTH = 1.1 * GROWTH;
/** Less than a millisecond: a limit can make a step from next to nothing to this. */
const MIN_BLOCKS = 10_000;
const TIMEOUT_MS = 300_000;

/** The reasons of a handler's decision. No input may end otherwise, unless the service is meant to refuse it. */
const DECIDED =
  'authorized|profile_.*|email_.*|groups_.*|assurance_unknown|rule_refused|issuer_not_listed|answer_invalid';

const growth = await startCounting();
afterAll(() => growth.stop());

test.each(growth.inputs)(
  '$label',
  async ({ largest, refusal, measure }) => {
    const reason = expect.stringMatching(`^(?:${DECIDED}|${refusal ?? DECIDED})$`);
    let most = Number.POSITIVE_INFINITY;
    for (const bytes of sizesTo(largest)) {
      const counted = await measure(bytes);
      expect(counted).toEqual({ blocks: expect.any(Number), reason });
      const blocks = counted?.blocks ?? 0;
      expect(blocks).toBeLessThanOrEqual(most);
      most = Math.max(MIN_BLOCKS, MAX_GROWTH * blocks);
    }
  },
  TIMEOUT_MS,
);

test.each([
  'SAML: a long friendly name',
  'OpenID: subject',
  'HTTP: body, letters',
  'ID token: a long claim',
  'Assertion: many subject confirmations',
  'Signature: a long body',
])('%s: a small one passes every check and every rule, so that all of them are measured', async (label) => {
  const input = growth.inputs.find((candidate) => candidate.label === label);
  expect(await input?.measure(1_024)).toMatchObject({ reason: 'authorized' });
});
