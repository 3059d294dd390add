/** An open loop: logins leave at their own time, however long the answers before them take. */
import { setImmediate, setTimeout } from 'node:timers/promises';

export interface Pace {
  /** Logins a second. */
  rate: number;
  seconds: number;
  /** Ends it before its time. */
  signal: AbortSignal;
}

/**
 * People do not wait for each other. A loop that sends the next login after an answer would ask a slow function less
 * often, and measure it as faster than people find it.
 *
 * @param start begins one login; `dueMs` is when it had to leave, on the clock of `performance.now()`
 * @returns when all of them have ended
 */
export async function pace(
  { rate, seconds, signal }: Pace,
  start: (index: number, dueMs: number) => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  const started: Promise<void>[] = [];
  for (let index = 0; index < rate * seconds; index++) {
    const dueMs = begun + (index * 1_000) / rate;
    await until(dueMs, signal);
    if (signal.aborted) break;
    started.push(start(index, dueMs));
  }
  // The last login has its share of the time too.
  await until(begun + seconds * 1_000, signal);
  await Promise.all(started);
}

async function until(dueMs: number, signal: AbortSignal): Promise<void> {
  const waitMs = dueMs - performance.now();
  // One that is late still lets the answers in.
  await (waitMs > 0 ? setTimeout(waitMs, undefined, { signal }) : setImmediate(undefined, { signal })).catch(
    () => {},
  );
}
