/** How much the server takes at once. */
import type { Paste } from '../../api.ts';

/** In bytes, of the body of a request. */
export const MAX_BODY_BYTES = 10_000_000;

const KILOBYTE = 1_000;

/** In bytes, as JSON in UTF-8. */
export function bodySize(body: object): number {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}

/** @returns why the paste cannot be sent; null where it can */
export function sizeProblem(paste: Paste): string | null {
  const size = bodySize(paste);
  if (size <= MAX_BODY_BYTES) return null;
  return `This is ${sizeText(size)}, and the studio takes ${sizeText(MAX_BODY_BYTES)}. Paste only the response of the login.`;
}

/** E.g. `12 KB`, `10.3 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} bytes`;
  if (bytes < KILOBYTE * KILOBYTE) return `${Math.round(bytes / KILOBYTE)} KB`;
  return `${Math.ceil((10 * bytes) / KILOBYTE / KILOBYTE) / 10} MB`;
}
