import { Invocation } from '../deadline.ts';
import type { LoginFunction } from './coldStart.ts';
import type { LoginRequest, Step } from './step.ts';

/** Says by when the login must be answered, and when it has been: what it left in flight then is nobody's. */
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
