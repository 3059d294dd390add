/** A property, and what came of trying it. */
import fc from 'fast-check';
import { count } from './loginFunction.ts';

/** Of a counterexample, in characters: the seed and the path bring it back whole. */
const MAX_SHOWN = 2_000;
/** What a property may take, and each of its cases beside that; what hangs, or shrinks forever, is a failure. */
const MAX_START_MS = 240_000;
const MAX_MS_PER_CASE = 20;
/** No timer runs longer; what is left of its range is for the process. */
const MAX_TIMER_MS = 2_000_000_000;
/** After so many cases, the process gets to do what else waits for it. */
const CASES_BETWEEN_PAUSES = 500;

export interface Property {
  name: string;
  /** Of the situation's cases, relative to its other properties. */
  share: number;
  run(options: RunOptions): Promise<PropertyResult>;
}

interface RunOptions {
  seed: number;
  cases: number;
  /** Where fast-check found a counterexample, to go there at once. */
  path?: string;
}

export interface PropertyResult {
  name: string;
  cases: number;
  ms: number;
  slowestMs: number;
  /** How often somebody logged in. */
  authorized: number;
  /** Null where it held. */
  failure: { counterexample: string; error: string; path: string } | null;
}

/** Longer than a property of so many cases takes, on a machine that does much else. */
export function longestMs(cases: number): number {
  return Math.min(MAX_START_MS + cases * MAX_MS_PER_CASE, MAX_TIMER_MS);
}

/** @param check throws where the property does not hold */
export function property<T>(
  name: string,
  share: number,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): Property {
  return {
    name,
    share,
    async run({ seed, cases, path }) {
      const timed = timing(check);
      const before = count.authorized;
      const start = performance.now();
      const details = await fc.check(fc.asyncProperty(arbitrary, timed.check), {
        seed,
        numRuns: cases,
        ...(path !== undefined && { path }),
        interruptAfterTimeLimit: longestMs(cases),
        markInterruptAsFailure: true,
      });
      const ms = performance.now() - start;
      return {
        name,
        cases: details.numRuns,
        ms,
        slowestMs: timed.slowestMs(),
        authorized: count.authorized - before,
        failure: failureOf(details),
      };
    },
  };
}

function timing<T>(check: (value: T) => Promise<void>) {
  let slowestMs = 0;
  let cases = 0;
  return {
    slowestMs: () => slowestMs,
    async check(value: T): Promise<void> {
      cases += 1;
      if (cases % CASES_BETWEEN_PAUSES === 0) await new Promise((resolve) => setImmediate(resolve));
      const start = performance.now();
      await check(value);
      slowestMs = Math.max(slowestMs, performance.now() - start);
    },
  };
}

function failureOf<T>(details: fc.RunDetails<[T]>): PropertyResult['failure'] {
  if (!details.failed) return null;
  const { counterexample, errorInstance, counterexamplePath } = details;
  return {
    counterexample: counterexample
      ? fc.stringify(counterexample[0]).slice(0, MAX_SHOWN)
      : 'none: time was up',
    error: errorInstance instanceof Error ? `${errorInstance.stack ?? errorInstance}` : String(errorInstance),
    path: counterexamplePath ?? '',
  };
}
