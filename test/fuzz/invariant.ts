/** A statement that holds of every input of a kind. */
import { test } from '@jest/globals';
import fc from 'fast-check';

/** `npm run fuzz` sets others: `npm test` has the same few inputs in each run. */
const { FUZZ_RUNS = '10', FUZZ_SEED = '1', FUZZ_PATH = '' } = process.env;
const OPTIONS = {
  numRuns: Number(FUZZ_RUNS),
  seed: Number(FUZZ_SEED),
  ...(FUZZ_PATH !== '' && { path: FUZZ_PATH }),
};
const DAY_MS = 86_400_000;

/** @param holds throws where it does not hold of an input */
export function invariant<TInput>(
  name: string,
  inputs: fc.Arbitrary<TInput>,
  holds: (input: TInput) => Promise<void>,
): void {
  test(name, () => fc.assert(fc.asyncProperty(inputs, holds), OPTIONS), DAY_MS);
}

/** @throws where something does not hold */
export function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
