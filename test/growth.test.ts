/** No input makes a login slow: twice the input takes about twice the time, up to the largest that can arrive. */
import { afterAll, expect, test } from '@jest/globals';
import { type Growing, startGrowth } from './bench/growth/growth.ts';
import type { Measured } from './bench/growth/process.ts';

/** Of the time for twice the input: between linear (2) and quadratic (4). */
const MAX_RATIO = 2.5;
/** The sizes that are compared are two doublings apart: a single one may cross the size of a cache or of the young heap. */
const DOUBLINGS = 2;
/** The largest size and those below it, down to 25 KB of 6 MB and 4 KB of 1 MiB. */
const SIZES = 5;
/** Less than this is noise. What stays below it at a quarter of the largest input cannot get slow. */
const MIN_MS = 2;
/** What is quadratic fails with it too: 2 times 2.5 squared is less than 4 squared. */
const MAX_SLACK = 2;
/** How often a login that seems slow is measured again. */
const ATTEMPTS = 3;
const TIMEOUT_MS = 60_000;

/** The reasons of a handler's decision. No input may end otherwise, unless the service is meant to refuse it. */
const DECIDED = 'authorized|profile_.*|email_.*|groups_.*|rule_refused|issuer_not_listed|answer_invalid';

const growth = await startGrowth();
afterAll(() => growth.stop());

test.each(growth.inputs)(
  '$label',
  async ({ largest, refusal, measure }) => {
    const reason = expect.stringMatching(`^(?:${DECIDED}|${refusal ?? DECIDED})$`);
    let before: Measured | null = null;
    for (let step = SIZES - 1; step >= 0; step--) {
      const bytes = sizeAt(step, largest);
      const now = await timeOf(measure, bytes, 'clock');
      expect({ bytes, reason: now.reason }).toEqual({ bytes, reason });
      if (before !== null && growsTooFast(before, now)) {
        expect(await growthWhenMeasuredAgain(measure, sizeAt(step + 1, largest), bytes)).toBeNull();
      }
      before = now;
    }
  },
  TIMEOUT_MS,
);

/** A busy machine does not slow the same login down each time. Null where one measurement finds it linear. */
async function growthWhenMeasuredAgain(measure: Growing['measure'], fewer: number, bytes: number) {
  let slow = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const smaller = await timeOf(measure, fewer, 'processor');
    const larger = await timeOf(measure, bytes, 'processor');
    if (!growsTooFast(smaller, larger, ofMemory(smaller, larger))) return null;
    slow = { bytes, smaller, larger };
  }
  return slow;
}

function sizeAt(step: number, largest: number): number {
  return Math.floor(largest / 2 ** (step * DOUBLINGS));
}

function growsTooFast(smaller: Measured, larger: Measured, slack = 1): boolean {
  return smaller.loginMs >= MIN_MS && larger.loginMs / smaller.loginMs > slack * MAX_RATIO ** DOUBLINGS;
}

/** By how much more than linearly `JSON.parse` grows: tens of thousands of names no longer fit into a cache. */
function ofMemory(smaller: Measured, larger: Measured): number {
  const growth = larger.parseMs / smaller.parseMs / 2 ** DOUBLINGS;
  return Math.min(MAX_SLACK, Math.max(1, growth));
}

/** @throws {Error} where the login has to be ended */
async function timeOf(
  measure: Growing['measure'],
  bytes: number,
  by: 'clock' | 'processor',
): Promise<Measured> {
  const measured = await measure({ bytes, by });
  if (measured === null) throw new Error(`expected a login of ${bytes} bytes to end in time`);
  return measured;
}

test.each([
  'SAML: a long friendly name',
  'OpenID: subject',
  'HTTP: body, letters',
  'ID token: a long claim',
  'Assertion: many subject confirmations',
  'Signature: a long body',
])('%s: a small one passes every check and every rule, so that all of them are measured', async (label) => {
  const input = growth.inputs.find((candidate) => candidate.label === label);
  const measured = await input?.measure({ bytes: 1_024, by: 'clock' });
  expect(measured?.reason).toBe('authorized');
});
