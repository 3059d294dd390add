/** What providers and browsers reach on this machine during a sign-in: the paths, what is posted there, and the sign-ins that wait for it. */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The redirect URI (OpenID Connect Core 3.1.2.1). */
export const OPENID_CALLBACK = '/callback/openid';
/** The assertion consumer service (SAML Metadata 2.4.4). */
export const SAML_CALLBACK = '/callback/saml';
/** Our metadata; its address is our entity id. */
export const SAML_METADATA = '/saml/metadata';

/** As providers have it registered: they compare it letter by letter. */
export function addressOf(port: number, path: string): string {
  return `http://localhost:${port}${path}`;
}

/** In bytes. A response for a person with 1,000 groups has some 300,000. */
export const MAX_FORM = 1_500_000;

const STATE_BYTES = 32;
const LIFETIME_MS = 600_000;
/** How many may wait at once: then the oldest one goes. */
export const MAX_WAITING = 100;

/** Sign-ins that are under way, each found by its `state` (RFC 6749 section 10.12) or RelayState, once. */
export class Pending<T extends object> {
  // Its own way to remember the time for a millisecond starts a timer.
  readonly #waiting = new LRUCache<string, T>({ max: MAX_WAITING, ttl: LIFETIME_MS, ttlResolution: 0 });

  /** @returns the state: 43 characters of base64url, of 32 random bytes */
  put(value: T): string {
    const state = randomBytes(STATE_BYTES).toString('base64url');
    this.#waiting.set(state, value);
    return state;
  }

  /** @returns null for a state that is unknown, over, or taken already */
  take(state: string): T | null {
    const found = this.#waiting.get(state) ?? null;
    this.#waiting.delete(state);
    return found;
  }
}
