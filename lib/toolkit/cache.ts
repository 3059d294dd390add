/**
 * A cache that all logins of a process share. It promises:
 *
 * - A login that needs a value several times at once makes one request. It waits until its deadline; the request has none.
 * - The request of another login is not joined, because the process may have been frozen since. Once another request has
 *   started, what becomes of it changes nothing.
 * - A request that fails leaves the cached value as it is. Failures are not cached.
 * - A cached value is refreshed ahead of time at most once in 30 seconds a key. In between, the cached value serves.
 */
import { LRUCache } from 'lru-cache';
import { currentInvocation, type Invocation, nowMs, runOutsideInvocations } from '../invocation.ts';

/** Anyone can send a wrong signature or a made-up key id: not each of them becomes a request. */
const MIN_REFRESH_MS = 30_000;

/** What has happened to keys lately: after so many milliseconds it is forgotten. */
export function recentByKey<TWhat extends NonNullable<unknown>>(max: number, ttl: number) {
  return new LRUCache<string, TWhat>({ max, ttl, ttlResolution: 0, perf: { now: nowMs } });
}

interface CacheOptions<TValue> {
  /** How many values are cached; the least recently used one is evicted. */
  max: number;
  /** How long a request takes at most, in milliseconds. An older one was frozen: it is not joined, and changes nothing. */
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

interface Pending<TValue> {
  result: Promise<TValue>;
  /** Whose request it is; undefined outside of a login. */
  login: Invocation | undefined;
}

export class Cache<TValue extends NonNullable<unknown>> {
  readonly #values: LRUCache<string, Cached<TValue>>;
  /** The newest request of each key. */
  readonly #pending: LRUCache<string, Pending<TValue>>;
  /** The keys whose value was refreshed ahead of time. */
  readonly #refreshed: LRUCache<string, true>;

  constructor({ max, requestMs, size }: CacheOptions<TValue>) {
    this.#values = new LRUCache({
      max,
      ...(size && { maxSize: size.max, sizeCalculation: ({ value }) => size.of(value) || 1 }),
    });
    this.#pending = recentByKey(max, requestMs);
    this.#refreshed = recentByKey(max, MIN_REFRESH_MS);
  }

  /** The cached value; undefined where there is none, or it has this age or more. */
  cached(key: string, maxAgeMs: number): TValue | undefined {
    const cached = this.#values.get(key);
    return cached && nowMs() - cached.fetchedAt < maxAgeMs ? cached.value : undefined;
  }

  /** A pending request still serves the logins that wait for it. */
  delete(key: string): void {
    this.#values.delete(key);
    this.#pending.delete(key);
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
    const login = currentInvocation();
    const pending = this.#pending.get(key);
    const joined = login && pending?.login === login ? pending.result : undefined;
    const cached = this.cached(key, maxAgeMs);
    if (cached !== undefined && !(refresh && (joined || this.#mayRefresh(key)))) return cached;
    return beforeDeadline(joined ?? this.#start(key, request, login), login);
  }

  #mayRefresh(key: string): boolean {
    if (this.#refreshed.get(key)) return false;
    this.#refreshed.set(key, true);
    return true;
  }

  #start(key: string, request: () => Promise<TValue>, login: Invocation | undefined): Promise<TValue> {
    const result = runOutsideInvocations(async () => request());
    const pending = { result, login };
    this.#pending.set(key, pending);
    // What an older request brings changes nothing.
    const isNewest = () => this.#pending.get(key) === pending && this.#pending.delete(key);
    result.then((value) => isNewest() && this.#values.set(key, { value, fetchedAt: nowMs() }), isNewest);
    return result;
  }
}

function beforeDeadline<TValue>(value: Promise<TValue>, login: Invocation | undefined): Promise<TValue> {
  if (!login) return value;
  const { signal } = login;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
