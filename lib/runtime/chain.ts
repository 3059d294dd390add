import middy from '@middy/core';
import type { LoginFunction } from './coldStart.ts';
import { runHandler } from './runHandler.ts';

/**
 * The chain of a function's steps, its handler at the end. Middy's own early time-out is off: it covers the
 * handler alone and gives no answer, `runHandler` does both.
 */
export function chain(fn: LoginFunction) {
  return middy(runHandler(fn), { timeoutEarlyInMillis: 0 });
}
