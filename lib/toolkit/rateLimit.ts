import { LRUCache } from 'lru-cache';
import { nowMs } from '../deadline.ts';

/** Lets something happen once in so many milliseconds, each key for itself. */
export class RateLimit {
  readonly #minMs: number;
  /** When it last happened, on the clock of `nowMs`. */
  readonly #lastAt: LRUCache<string, number>;

  /** @param max how many keys are remembered */
  constructor(minMs: number, max: number) {
    this.#minMs = minMs;
    this.#lastAt = new LRUCache({ max });
  }

  /** Whether it may happen now; if so, it counts as having happened. */
  allows(key: string): boolean {
    if (nowMs() - (this.#lastAt.get(key) ?? -Infinity) < this.#minMs) return false;
    this.#lastAt.set(key, nowMs());
    return true;
  }
}
