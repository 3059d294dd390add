/** What a load counts. */
import { createHistogram } from 'node:perf_hooks';
import type { Kind, Outcome } from './outcome.ts';

const MICROSECONDS_A_MS = 1_000;

export interface Counted extends Outcome {
  logins: number;
}

export class Figures {
  readonly #counts = new Map<string, Counted>();
  readonly #microseconds = createHistogram();
  #latestMs = 0;

  /**
   * @param ms from when the login had to leave to its answer
   * @param lateMs by how much it left too late: what this machine adds to `ms`
   */
  add(outcome: Outcome, ms: number, lateMs: number): void {
    const key = JSON.stringify(outcome);
    const counted = this.#counts.get(key) ?? { ...outcome, logins: 0 };
    counted.logins += 1;
    this.#counts.set(key, counted);
    this.#latestMs = Math.max(this.#latestMs, lateMs);
    if (outcome.kind === 'as expected') {
      this.#microseconds.record(Math.max(1, Math.round(ms * MICROSECONDS_A_MS)));
    }
  }

  /** The most frequent first. */
  get counted(): Counted[] {
    return [...this.#counts.values()].sort((a, b) => b.logins - a.logins);
  }

  logins(kind?: Kind): number {
    return this.counted
      .filter((one) => kind === undefined || one.kind === kind)
      .reduce((sum, { logins }) => sum + logins, 0);
  }

  /** By how much a login left too late at most, in milliseconds. */
  get latestMs(): number {
    return this.#latestMs;
  }

  /** Of the logins that were answered as expected, in milliseconds. */
  percentile(percent: number): number {
    return this.#microseconds.percentile(percent) / MICROSECONDS_A_MS;
  }
}
