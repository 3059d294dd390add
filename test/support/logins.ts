/** Code that runs for a login, in this process. */
import { Invocation, runInInvocation, withinDeadline } from '../../lib/deadline.ts';

interface LoginOptions {
  /** Until the deadline. */
  ms?: number;
  isShadow?: boolean;
}

export function invocation({ ms = 5_000, isShadow = false }: LoginOptions = {}): Invocation {
  return new Invocation({ awsRequestId: 'x', getRemainingTimeInMillis: () => 30_000 }, ms, { isShadow });
}

/** Runs something as part of a login, whose deadline ends what it started and not it. */
export async function inLogin<TResult>(
  run: () => Promise<TResult>,
  options: LoginOptions = {},
): Promise<TResult> {
  const login = invocation(options);
  const running = runInInvocation(login, run);
  running.catch(() => {});
  await withinDeadline(
    login,
    () => running,
    () => new Error('too late'),
  ).catch(() => {});
  return running;
}
