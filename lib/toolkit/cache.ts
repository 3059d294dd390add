/**
 * A cache that all logins of a process share, over lru-cache. It promises:
 *
 * - Logins that need the same value at the same time share one request. Each of them waits until its own deadline; the
 *   request has none, and goes on for the others.
 * - A request that no running login waits for is not joined, because the process may have been frozen since. Its result
 *   is not cached once another request has started.
 * - A request that fails leaves the cached value as it is. Failures are not cached.
 * - A cached value is refreshed ahead of time at most once in 30 seconds a key. In between, the cached value serves.
 * - What is fetched for a shadow serves shadows alone, and they see nothing else.
 */
import { LRUCache } from 'lru-cache';
import { currentInvocation, type Invocation, isInShadow, nowMs, runOutsideInvocations } from '../deadline.ts';

/** Anyone can send a wrong signature or a made-up key id: not each of them becomes a request. */
const MIN_REFRESH_MS = 30_000;

interface CacheOptions<TValue> {
  /** How many values are cached; the least recently used one is evicted. */
  max: number;
  /** How long a request takes at most, in milliseconds. An older one was frozen, and is not joined. */
  requestMs: number;
  /** The size of one value, and how large all of them may be together. */
  size?: { max: number; of: (value: TValue) => number };
}

export interface FetchOptions {
  /** The age from which on a cached value is fetched again, in milliseconds. */
  maxAgeMs: number;
  /** Fetches although the cached value is not too old. */
  refresh?: boolean;
}

interface Cached<TValue> {
  value: TValue;
  /** On the clock of `nowMs`. */
  fetchedAt: number;
}

interface Pending {
  /** On the clock of `nowMs`. */
  startedAt: number;
  /** The logins that wait; null for another request that does, which may have been left behind itself. */
  waiting: Set<Invocation | null>;
}

/** One for the logins, and one for their shadows once there is a shadow: none takes the other's room. */
export class Cache<TValue extends NonNullable<unknown>> {
  readonly #options: CacheOptions<TValue>;
  readonly #ofLogins: Entries<TValue>;
  #ofShadows: Entries<TValue> | undefined;

  constructor(options: CacheOptions<TValue>) {
    this.#options = options;
    this.#ofLogins = new Entries(options);
  }

  /** As `Entries` has it. */
  cached(key: string): { value: TValue; ageMs: number } | undefined {
    return this.#entries().cached(key);
  }

  /** As `Entries` has it. */
  delete(key: string): void {
    this.#entries().delete(key);
  }

  /** As `Entries` has it. */
  fetch(key: string, request: () => Promise<TValue>, options: FetchOptions): Promise<TValue> {
    return this.#entries().fetch(key, request, options);
  }

  #entries(): Entries<TValue> {
    if (isInShadow()) {
      this.#ofShadows ??= new Entries(this.#options);
      return this.#ofShadows;
    }
    return this.#ofLogins;
  }
}

class Entries<TValue extends NonNullable<unknown>> {
  readonly #values: LRUCache<string, Cached<TValue>, () => Promise<TValue>>;
  readonly #pending = new Map<string, Pending>();
  /** When a value was last refreshed ahead of time, on the clock of `nowMs`. */
  readonly #refreshedAt: LRUCache<string, number>;
  readonly #requestMs: number;

  constructor({ max, requestMs, size }: CacheOptions<TValue>) {
    this.#values = new LRUCache({
      max,
      ...(size && { maxSize: size.max, sizeCalculation: ({ value }) => size.of(value) || 1 }),
      fetchMethod: async (_key, _cached, { context: request }) => ({
        value: await request(),
        fetchedAt: nowMs(),
      }),
      noDeleteOnFetchRejection: true,
      // A request that was replaced or deleted still serves the logins that wait for it.
      ignoreFetchAbort: true,
    });
    this.#refreshedAt = new LRUCache({ max });
    this.#requestMs = requestMs;
  }

  /** The cached value, however old it is, and its age in milliseconds; undefined where nothing is cached. */
  cached(key: string): { value: TValue; ageMs: number } | undefined {
    const cached = this.#values.get(key);
    return cached && { value: cached.value, ageMs: nowMs() - cached.fetchedAt };
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  /**
   * The cached value; or, where it is too old or to be refreshed, the result of the pending request or of a new one.
   *
   * @throws what `request` throws, or the reason why this login's time is up
   */
  async fetch(
    key: string,
    request: () => Promise<TValue>,
    { maxAgeMs, refresh = false }: FetchOptions,
  ): Promise<TValue> {
    const cached = this.cached(key);
    if (cached && cached.ageMs < maxAgeMs && !(refresh && this.#mayRefresh(key))) return cached.value;
    const pending = this.#joinable(key) ?? this.#replacePending(key);
    const login = currentInvocation() ?? null;
    pending.waiting.add(login);
    try {
      // lru-cache joins the request that it holds. Its own `signal` would end it for all who joined.
      const options = { context: request, forceRefresh: true };
      const fetched = runOutsideInvocations(() => this.#values.forceFetch(key, options));
      return (await beforeDeadline(fetched, login)).value;
    } finally {
      pending.waiting.delete(login);
      // Stryker disable next-line all: what nobody waits for is not joined; it would only take room.
      if (pending.waiting.size === 0 && this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  #mayRefresh(key: string): boolean {
    if (this.#joinable(key)) return true;
    if (nowMs() - (this.#refreshedAt.get(key) ?? -Infinity) < MIN_REFRESH_MS) return false;
    this.#refreshedAt.set(key, nowMs());
    return true;
  }

  #joinable(key: string): Pending | undefined {
    const pending = this.#pending.get(key);
    if (!pending || nowMs() - pending.startedAt >= this.#requestMs) return undefined;
    return pending.waiting.values().some((login) => login && !login.isOver) ? pending : undefined;
  }

  /** Makes lru-cache forget a request that was left behind, but not the cached value. */
  #replacePending(key: string): Pending {
    // Undefined deletes the key.
    this.#values.set(key, this.#values.peek(key));
    const pending = { startedAt: nowMs(), waiting: new Set<Invocation | null>() };
    this.#pending.set(key, pending);
    return pending;
  }
}

function beforeDeadline<TValue>(value: Promise<TValue>, login: Invocation | null): Promise<TValue> {
  if (!login) return value;
  const { signal } = login;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
