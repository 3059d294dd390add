import { type Entry, handlerName, projectEntries } from '../../tools/bundle/build.ts';

/** What the project's bundle is built of, and handlers from elsewhere, as `handlers/<their names>`. */
export function withHandler(...files: string[]): Entry[] {
  return [...projectEntries(), ...files.map((file) => ({ in: file, out: handlerName(file) }))];
}
