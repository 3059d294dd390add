/** A secret over its rotation: for checking what others made with it, before or after. */
import { SecretFailed } from '../errors.ts';
import { SecretCache } from './secretCache.ts';
import { fetchSecret, type StoredSecret } from './secretSource.ts';

/** The SDK's tries together, for both versions. */
const FLIGHT_MS = 20_000;
const NO_PREVIOUS = ['secret_not_found', 'secret_access_denied'];

interface Rotation {
  current: StoredSecret;
  previous: StoredSecret | null;
}

/** Both versions of a secret, fetched together: they fit one another. */
const rotations = new SecretCache<Rotation>(FLIGHT_MS);

/**
 * A secret, and what it was before its last rotation where that is less than `graceMs` ago, by when the current version
 * was made.
 *
 * @throws {SecretFailed}
 */
export async function rotatedSecret(
  id: string,
  graceMs: number,
  options: { refresh?: boolean },
): Promise<{ current: StoredSecret['value']; previous: StoredSecret['value'] | null }> {
  const isRecent = ({ createdAt }: StoredSecret) =>
    createdAt !== null && Date.now() - createdAt.getTime() < graceMs;
  const fetchBoth = async () => {
    const current = await fetchSecret(id, 'current');
    return { current, previous: isRecent(current) ? await fetchPrevious(id) : null };
  };
  const { current, previous } = await rotations.have(id, id, fetchBoth, options);
  return { current: current.value, previous: previous && isRecent(current) ? previous.value : null };
}

/** Whether `rotatedSecret` has something to give, whatever becomes of asking for more. */
export function isRotationKept(id: string): boolean {
  return rotations.isServable(id);
}

/** Lets the next one ask again: what is kept is of no use, and may have been put right. */
export function forgetRotation(id: string): void {
  rotations.forget(id);
}

/** A secret that was never rotated has no version before; and where none may be read, none is accepted. */
async function fetchPrevious(id: string): Promise<StoredSecret | null> {
  try {
    return await fetchSecret(id, 'previous');
  } catch (error) {
    if (error instanceof SecretFailed && NO_PREVIOUS.includes(error.code)) return null;
    throw error;
  }
}
