/** What of a session fits into memory: the oldest goes. */

const BYTES_OF_CHARACTER = 2;
/** Of a number, a key or a reference. */
const BYTES_OF_SLOT = 16;

export class Memory {
  readonly #maxBytes: number;
  readonly #sizes = new Map<string, number>();
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * @param id whose value before is forgotten
   * @returns the ids of what has to go, the oldest first; never the newest one
   */
  add(id: string, value: unknown): string[] {
    const size = bytesOf(value);
    this.#total += size - (this.#sizes.get(id) ?? 0);
    this.#sizes.set(id, size);
    const gone: string[] = [];
    for (const [oldest, its] of this.#sizes) {
      if (this.#total <= this.#maxBytes || this.#sizes.size === 1) break;
      this.#sizes.delete(oldest);
      this.#total -= its;
      gone.push(oldest);
    }
    return gone;
  }
}

/** About. Nesting may have any depth; what is referred to twice is counted once. */
function bytesOf(value: unknown): number {
  const seen = new Set<unknown>();
  const open = [value];
  let bytes = 0;
  while (open.length > 0) {
    const one = open.pop();
    bytes += BYTES_OF_SLOT;
    if (typeof one === 'string') bytes += one.length * BYTES_OF_CHARACTER;
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    for (const [key, part] of Object.entries(one)) {
      bytes += key.length * BYTES_OF_CHARACTER;
      open.push(part);
    }
  }
  return bytes;
}
