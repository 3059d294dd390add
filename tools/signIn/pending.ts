/** What a sign-in that is under way waits with: found by its `state` (RFC 6749 section 10.12) or RelayState, once. */
import { randomBytes } from 'node:crypto';

const STATE_BYTES = 32;
const LIFETIME_MS = 600_000;
/** How many may wait at once: then the oldest one goes. */
const MAX_WAITING = 100;

export class Pending<T> {
  readonly #max: number;
  /** The oldest first. */
  readonly #waiting = new Map<string, { value: T; until: number }>();

  constructor(max = MAX_WAITING) {
    this.#max = max;
  }

  /** @returns the state: 43 characters of base64url, of 32 random bytes */
  put(value: T): string {
    this.#forgetOver();
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= this.#max) this.#waiting.delete(oldest);
    const state = randomBytes(STATE_BYTES).toString('base64url');
    this.#waiting.set(state, { value, until: Date.now() + LIFETIME_MS });
    return state;
  }

  /** @returns null for a state that is unknown, over, or taken already */
  take(state: string): T | null {
    this.#forgetOver();
    const found = this.#waiting.get(state);
    this.#waiting.delete(state);
    return found?.value ?? null;
  }

  #forgetOver(): void {
    for (const [state, { until }] of this.#waiting) {
      if (until <= Date.now()) this.#waiting.delete(state);
    }
  }
}
