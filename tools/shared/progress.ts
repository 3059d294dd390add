import { replaceLine } from './terminal.ts';

const FIRST_MS = 1_000;
const EACH_MS = 200;

/**
 * Runs a task for each item, so many of them at a time. Where that takes longer than a second and a person looks on, a line on
 * stderr says how many are done.
 */
export async function withProgress<TItem, TResult>(
  items: readonly TItem[],
  what: string,
  task: (item: TItem) => Promise<TResult>,
  atOnce = items.length,
): Promise<TResult[]> {
  let done = 0;
  const results: TResult[] = [];
  const waiting = items.entries();
  const begun = performance.now();
  const show = () => {
    if (performance.now() - begun < FIRST_MS || !process.stderr.isTTY) return;
    replaceLine(process.stderr, `${done} of ${items.length} ${what}`);
  };
  const timer = setInterval(show, EACH_MS);
  try {
    await Promise.all(Array.from({ length: atOnce }, runWaiting));
    return results;
  } finally {
    clearInterval(timer);
    if (performance.now() - begun >= FIRST_MS && process.stderr.isTTY) replaceLine(process.stderr, '');
  }

  async function runWaiting(): Promise<void> {
    for (const [index, item] of waiting) {
      results[index] = await task(item);
      done += 1;
    }
  }
}
