import { replaceLine } from './terminal.ts';

const EACH_MS = 500;

/** Runs a task for each item, so many of them at a time. @returns the results in the order of the items */
export async function inTurn<TItem, TResult>(
  items: readonly TItem[],
  atOnce: number,
  task: (item: TItem) => Promise<TResult>,
): Promise<TResult[]> {
  const results: TResult[] = [];
  const waiting = items.entries();
  await Promise.all(Array.from({ length: atOnce }, runWaiting));
  return results;

  async function runWaiting(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await task(item);
  }
}

/** The same, where a line on stderr says how many are done to a person who looks on. */
export async function withProgress<TItem, TResult>(
  items: readonly TItem[],
  what: string,
  task: (item: TItem) => Promise<TResult>,
  atOnce = items.length,
): Promise<TResult[]> {
  let done = 0;
  const show = (line: string) => process.stderr.isTTY && replaceLine(process.stderr, line);
  const timer = setInterval(() => show(`${done} of ${items.length} ${what}`), EACH_MS);
  try {
    return await inTurn(items, atOnce, async (item) => {
      const result = await task(item);
      done += 1;
      return result;
    });
  } finally {
    clearInterval(timer);
    show('');
  }
}
