import { Invocation } from '../deadline.ts';
import type { LoginFunction } from './coldStart.ts';
import type { LoginRequest, Step } from './step.ts';

/** Sets the deadline of the login, and marks its end: requests still pending then belong to no login. */
export function setDeadline({ settings }: LoginFunction): Step {
  function end({ internal }: LoginRequest): void {
    internal.invocation.isOver = true;
  }

  return {
    before({ internal, context }) {
      internal.invocation = new Invocation(context, settings.handlerTimeoutMs);
    },
    after: end,
    onError: end,
  };
}
