/** The time-outs of this process, which a test can let pass. */
import { jest } from '@jest/globals';

/** Until `jest.restoreAllMocks`. Each time-out that no test lets pass runs in its real time. */
export function watchTimeouts() {
  const { setTimeout, clearTimeout } = globalThis;
  const running = new Map<NodeJS.Timeout, { ms: number; run: () => void }>();
  const start = (call: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const run = () => {
      running.delete(timer);
      call(...args);
    };
    const timer = setTimeout(run, ms);
    running.set(timer, { ms, run });
    return timer;
  };
  const end = (timer: NodeJS.Timeout) => {
    running.delete(timer);
    clearTimeout(timer);
  };
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(start as typeof setTimeout);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation(end as typeof clearTimeout);
  return {
    /** Ends those that are under way, as if so many milliseconds had passed. */
    pass(passedMs: number) {
      const over = [...running].filter(([, { ms }]) => ms <= passedMs);
      for (const [timer, { run }] of over.sort(([, one], [, other]) => one.ms - other.ms)) {
        end(timer);
        run();
      }
    },
    count: () => running.size,
  };
}
