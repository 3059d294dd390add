import { nowMs } from '../deadline.ts';

const MAX_TIMEOUTS = 5;
const REST_MS = 60_000;

/** A shadow that does not answer in time, five times in a row, is not asked for a minute. */
export class Rest {
  readonly #now: () => number;
  #timeouts = 0;
  /** When the rest ends, on the clock of `now`. */
  #until = 0;

  /** @param now a clock, in milliseconds */
  constructor(now = nowMs) {
    this.#now = now;
  }

  isResting(): boolean {
    return this.#now() < this.#until;
  }

  answered(): void {
    this.#timeouts = 0;
  }

  timedOut(): void {
    this.#timeouts += 1;
    if (this.#timeouts < MAX_TIMEOUTS) return;
    this.#timeouts = 0;
    this.#until = this.#now() + REST_MS;
  }
}
