/** What a sign-in that is under way waits with: found by its `state` (RFC 6749 section 10.12) or RelayState, once. */
import { randomBytes } from 'node:crypto';

const STATE_BYTES = 32;
const LIFETIME_MS = 600_000;
const MAX_WAITING = 100;

export interface StatesOptions {
  /** In milliseconds. Default: ten minutes. */
  lifetimeMs?: number;
  /** How many may wait at once: then the oldest one goes. Default: 100. */
  max?: number;
  /** The time in milliseconds since 1970. */
  now?: () => number;
}

export class States<T> {
  readonly #lifetimeMs: number;
  readonly #max: number;
  readonly #now: () => number;
  /** The oldest first. */
  readonly #waiting = new Map<string, { value: T; until: number }>();

  constructor({ lifetimeMs = LIFETIME_MS, max = MAX_WAITING, now = Date.now }: StatesOptions = {}) {
    this.#lifetimeMs = lifetimeMs;
    this.#max = max;
    this.#now = now;
  }

  /** @returns the state: 43 characters of base64url, of 32 random bytes */
  put(value: T): string {
    this.#forgetOver();
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= this.#max) this.#waiting.delete(oldest);
    const state = randomBytes(STATE_BYTES).toString('base64url');
    this.#waiting.set(state, { value, until: this.#now() + this.#lifetimeMs });
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
      if (until <= this.#now()) this.#waiting.delete(state);
    }
  }
}
