/** A statement that holds of every input of a kind, and what came of trying it. */
import fc from 'fast-check';
import { count } from './functions.ts';

export interface Invariant {
  name: string;
  /** @param path where fast-check found a counterexample, to go there at once */
  check(order: { seed: number; runs: number; path?: string }): Promise<Checked>;
}

export interface Checked {
  name: string;
  runs: number;
  ms: number;
  /** How often somebody got in. */
  authorized: number;
  /** Null where it held. */
  failure: { counterexample: string; error: string; path: string } | null;
}

/** Of a counterexample, in characters: the seed and the path bring it back whole. */
const MAX_SHOWN = 2_000;

/** @param holds throws where it does not hold of an input */
export function invariant<TInput>(
  name: string,
  inputs: fc.Arbitrary<TInput>,
  holds: (input: TInput) => Promise<void>,
): Invariant {
  return {
    name,
    async check({ seed, runs, path }) {
      const before = count.authorized;
      const begun = performance.now();
      const options = { seed, numRuns: runs, ...(path !== undefined && { path }) };
      const details = await fc.check(fc.asyncProperty(inputs, holds), options);
      return {
        name,
        runs: details.numRuns,
        ms: performance.now() - begun,
        authorized: count.authorized - before,
        failure: details.failed ? failureOf(details as fc.RunDetails<unknown>) : null,
      };
    },
  };
}

function failureOf(details: fc.RunDetails<unknown>): NonNullable<Checked['failure']> {
  const { counterexample, errorInstance, counterexamplePath } = details;
  const shown = fc.stringify(counterexample);
  return {
    counterexample: shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)} …` : shown,
    error: errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    path: counterexamplePath ?? '',
  };
}
