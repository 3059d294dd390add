import { replaceLine } from './terminal.ts';

const FIRST_MS = 1_000;
const EACH_MS = 200;

/**
 * Runs a task for each item, all at once. Where that takes longer than a second and a person looks on, a line on stderr says
 * how many are done.
 */
export async function withProgress<TItem, TResult>(
  items: readonly TItem[],
  what: string,
  task: (item: TItem) => Promise<TResult>,
): Promise<TResult[]> {
  let done = 0;
  const begun = performance.now();
  const show = () => {
    if (performance.now() - begun < FIRST_MS || !process.stderr.isTTY) return;
    replaceLine(process.stderr, `${done} of ${items.length} ${what}`);
  };
  const timer = setInterval(show, EACH_MS);
  try {
    return await Promise.all(
      items.map(async (item) => {
        const result = await task(item);
        done += 1;
        return result;
      }),
    );
  } finally {
    clearInterval(timer);
    if (performance.now() - begun >= FIRST_MS && process.stderr.isTTY) replaceLine(process.stderr, '');
  }
}
