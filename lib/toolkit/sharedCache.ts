/** What many logins need: fetched once, kept for a while, one request in flight a key. */
import { LRUCache } from 'lru-cache';
import { currentInvocation, type Invocation, nowMs, runOutsideInvocations } from '../deadline.ts';

/**
 * A request that no login waits for any more, or that was in flight when the process froze, is not joined. Another
 * request that waits for it (`null`) tells nothing of that: it may have been left behind itself.
 */
interface Flight<TValue> {
  value: Promise<TValue>;
  startedAt: number;
  waiting: Set<Invocation | null>;
}

interface Kept<TValue> {
  value: TValue;
  at: number;
}

export interface SharedCacheOptions<TValue> {
  /** How many values are kept. */
  max: number;
  /** How long a request takes at most, in milliseconds; one that is older was frozen, and is not joined. */
  flightMs: number;
  /** How large they are together at most, and each. */
  size?: { max: number; of: (value: TValue) => number };
}

export class SharedCache<TValue extends NonNullable<unknown>> {
  readonly #kept: LRUCache<string, Kept<TValue>>;
  readonly #flights = new Map<string, Flight<TValue>>();
  readonly #flightMs: number;

  constructor({ max, flightMs, size }: SharedCacheOptions<TValue>) {
    this.#kept = new LRUCache({
      max,
      ...(size && { maxSize: size.max, sizeCalculation: ({ value }) => size.of(value) || 1 }),
    });
    this.#flightMs = flightMs;
  }

  /** The kept value and its age in milliseconds; undefined where there is none. */
  kept(key: string): { value: TValue; ageMs: number } | undefined {
    const kept = this.#kept.get(key);
    return kept && { value: kept.value, ageMs: nowMs() - kept.at };
  }

  /** Whether a request is on its way that `fetch` would join. */
  isFetching(key: string): boolean {
    return this.#joinable(key) !== undefined;
  }

  /** Forgets what is kept. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  /**
   * Fetches, or joins the request that is on its way. No single login's deadline aborts it: each waits for as long
   * as it may, and leaves the request to the others.
   *
   * @throws what `fetch` throws, which is not kept; or the reason why this login's time is up
   */
  async fetch(key: string, fetch: () => Promise<TValue>): Promise<TValue> {
    const invocation = currentInvocation() ?? null;
    const flight = this.#joinable(key) ?? this.#start(key, fetch);
    flight.waiting.add(invocation);
    try {
      return await beforeDeadline(flight.value, invocation);
    } finally {
      flight.waiting.delete(invocation);
    }
  }

  #joinable(key: string): Flight<TValue> | undefined {
    const flight = this.#flights.get(key);
    if (!flight || nowMs() - flight.startedAt > this.#flightMs) return undefined;
    return [...flight.waiting].some((invocation) => invocation && !invocation.isOver) ? flight : undefined;
  }

  #start(key: string, fetch: () => Promise<TValue>): Flight<TValue> {
    const flight: Flight<TValue> = {
      value: runOutsideInvocations(fetch),
      startedAt: nowMs(),
      waiting: new Set(),
    };
    this.#flights.set(key, flight);
    // One that was left behind brings an older value than the one after it.
    const land = (keep: () => void) => {
      if (this.#flights.get(key) !== flight) return;
      this.#flights.delete(key);
      keep();
    };
    flight.value.then(
      (value) => land(() => this.#kept.set(key, { value, at: nowMs() })),
      () => land(() => {}),
    );
    return flight;
  }
}

function beforeDeadline<TValue>(value: Promise<TValue>, invocation: Invocation | null): Promise<TValue> {
  if (!invocation) return value;
  const { signal } = invocation;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
