/** Code that runs for a login, in this process. */
import { Invocation, runInInvocation, withinDeadline } from '../../lib/invocation.ts';

interface LoginOptions {
  /** Until the deadline. */
  ms?: number;
}

export function invocation({ ms = 5_000 }: LoginOptions = {}): Invocation {
  return new Invocation({ awsRequestId: 'x', getRemainingTimeInMillis: () => 30_000 }, ms);
}

/** Runs something as part of a login, whose deadline ends what it waits for: by an error that `expire` makes. */
export async function inLogin<TResult>(
  run: () => Promise<TResult>,
  { expire = () => new Error('too late'), ...options }: LoginOptions & { expire?: () => Error } = {},
): Promise<TResult> {
  const login = invocation(options);
  const running = runInInvocation(login, run);
  await withinDeadline(login, () => running, expire).catch(() => {});
  return running;
}
