/** How long secrets are cached, and what is served while they are not available. */
import { LRUCache } from 'lru-cache';
import { nowMs, remainingMs, within } from '../deadline.ts';
import { SecretFailed } from '../errors.ts';
import { configuration } from '../settings.ts';
import { RateLimit } from './rateLimit.ts';
import { SharedCache } from './sharedCache.ts';

/** Beyond its time, a value serves for this long while Secrets Manager is throttling or down. */
const MAX_STALE_MS = 15 * 60_000;
/** After such a failure it is left alone for this long. */
const RETRY_AFTER_MS = 10_000;
/** With something to fall back on, a login waits for so long at most. */
const STALE_PATIENCE_MS = 1_500;
/** A forced refresh is rare: the secret was rotated, or somebody tries out wrong ones. */
const MIN_REFRESH_MS = 30_000;
const MAX_SECRETS = 100;

const TRANSIENT = ['secret_throttled', 'secret_service_failed', 'secret_timed_out'];

export class SecretCache<TValue extends NonNullable<unknown>> {
  readonly #cache: SharedCache<TValue>;
  /** When a secret last failed for a transient reason, on the clock of `nowMs`. */
  readonly #failedAt = new LRUCache<string, number>({ max: MAX_SECRETS });
  readonly #refreshes = new RateLimit(MIN_REFRESH_MS, MAX_SECRETS);

  /** @param flightMs how long a fetch takes at most, in milliseconds */
  constructor(flightMs: number) {
    this.#cache = new SharedCache({ max: MAX_SECRETS, flightMs });
  }

  /**
   * What is kept, for as long as it may serve; else what is fetched now.
   *
   * @param refresh to fetch although something is kept, at most every 30 seconds
   * @throws {SecretFailed}
   */
  async have(
    id: string,
    key: string,
    fetch: () => Promise<TValue>,
    { refresh = false }: { refresh?: boolean },
  ): Promise<TValue> {
    const kept = this.#cache.kept(key);
    if (kept && kept.ageMs < ttlMs() && !(refresh && this.#refreshes.allows(key))) return kept.value;
    const stale = this.#servable(key);
    if (stale !== undefined && nowMs() - (this.#failedAt.get(key) ?? -Infinity) < RETRY_AFTER_MS)
      return stale;
    try {
      const fresh = this.#cache.fetch(key, () => this.#noted(key, fetch));
      return await (stale === undefined ? fresh : patiently(fresh, id));
    } catch (error) {
      if (stale !== undefined && isTransient(error)) return stale;
      throw error;
    }
  }

  /** Whether there is something to give, whatever becomes of asking for more. */
  isServable(key: string): boolean {
    return this.#servable(key) !== undefined;
  }

  /** Lets the next one ask again: what is kept is of no use, and may have been put right. */
  forget(key: string): void {
    this.#cache.forget(key);
  }

  #servable(key: string): TValue | undefined {
    const kept = this.#cache.kept(key);
    return kept && kept.ageMs < ttlMs() + MAX_STALE_MS ? kept.value : undefined;
  }

  /** Records that the secret fails for now, or that its cached value is void, even where no login waits any more. */
  async #noted(key: string, fetch: () => Promise<TValue>): Promise<TValue> {
    try {
      const value = await fetch();
      this.#failedAt.delete(key);
      return value;
    } catch (error) {
      if (isTransient(error)) this.#failedAt.set(key, nowMs());
      else this.#cache.forget(key);
      throw error;
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof SecretFailed && TRANSIENT.includes(error.code);
}

function ttlMs(): number {
  return configuration('both').settings.secretTtlSeconds * 1_000;
}

/** Where there is something to fall back on, no login waits for long. */
async function patiently<TValue>(fresh: Promise<TValue>, id: string): Promise<TValue> {
  const patienceMs = Math.min(STALE_PATIENCE_MS, remainingMs() / 2);
  return within(
    patienceMs,
    () => fresh,
    () => new SecretFailed('secret_timed_out', id),
  );
}
