/** The time-outs of this process, which a test can let pass. */
import { jest } from '@jest/globals';

/** Until `jest.useRealTimers`. Each time-out that no test lets pass runs in its real time. */
export function fakeTimeouts(): void {
  jest.useFakeTimers({
    advanceTimers: true,
    doNotFake: [
      ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
    ],
  });
}
