/** @param hash of the address that `npm start` prints, e.g. `#token=…`; null where it has no token */
export function tokenIn(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') || null;
}
