/**
 * What a handler leaves floating: a promise that rejects unheard, a timer that throws. Node would end the
 * process, and with it whichever login is running then; here it is logged, and no login is touched.
 */

import { currentInvocation } from '../deadline.ts';
import { describeWithoutMessage, messageOf } from './describeError.ts';
import type { Log } from './log.ts';

let guarded = false;

/** Once a process: both functions share it where a tool loads them together. */
export function guardAgainstStrays(log: Log): void {
  if (guarded) return;
  guarded = true;
  const report = (kind: string) => (thrown: unknown) => {
    const requestId = currentInvocation()?.requestId;
    log.error({ event: 'unhandled_error', requestId, kind, error: describeWithoutMessage(thrown) });
    log.debug(() => ({ event: 'unhandled_error_message', requestId, message: messageOf(thrown) }));
  };
  process.on('unhandledRejection', report('unhandled rejection'));
  process.on('uncaughtException', report('uncaught exception'));
}
