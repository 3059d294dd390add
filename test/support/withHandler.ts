import { type Entry, handlerName, projectEntries } from '../../tools/bundle/build.ts';

/** What the project's bundle is built of, and a handler from elsewhere, as `handlers/<its name>`. */
export function withHandler(file: string): Entry[] {
  return [...projectEntries(), { in: file, out: handlerName(file) }];
}
