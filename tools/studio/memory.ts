/** What a login takes of the memory of this process. */

const BYTES_OF_CHARACTER = 2;
/** Of a number, a key or a reference. */
const BYTES_OF_SLOT = 16;

/** About. Nesting may have any depth; what is referred to twice is counted once. */
export function bytesOf(value: unknown): number {
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
