/** The running login: its clock, its deadline, and whether anything secret was asked for. */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'aws-lambda';

/**
 * Milliseconds on a clock that only goes forward. `performance.now()` is the same clock, but the first touch of
 * `performance` loads a module: a millisecond of every cold start.
 */
export function nowMs(): number {
  return process.uptime() * 1000;
}

/**
 * The value of a promise, or the error that `makeError` makes when the promise has not settled in so many milliseconds. The
 * time runs from before `start` is called. A later result is dropped.
 */
export async function withTimeout<TResult>(
  ms: number,
  start: () => Promise<TResult>,
  makeError: () => Error,
): Promise<TResult> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(makeError()), ms);
  });
  try {
    return await Promise.race([start(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds kept back from the invocation's time, to validate and send the response. */
const MARGIN_MS = 500;
/** For an invocation without a deadline of its own. Lambda always gives one. */
const DEFAULT_REMAINING_MS = 30_000;

/** One invocation: its id, when it began and when its time is over. */
export class Invocation {
  readonly requestId: string;
  /** On the clock of `nowMs`. */
  readonly startedAt = nowMs();
  readonly #deadline: number;
  #controller: AbortController | undefined;

  /** @param timeoutMs the operator's bound in milliseconds; null for what the invocation leaves */
  constructor(context: Partial<Context>, timeoutMs: number | null) {
    this.requestId = context.awsRequestId ?? 'none';
    const remainingMs = (context.getRemainingTimeInMillis?.() ?? DEFAULT_REMAINING_MS) - MARGIN_MS;
    this.#deadline = this.startedAt + Math.max(0, Math.min(remainingMs, timeoutMs ?? Infinity));
  }

  /** The milliseconds that are left before the deadline, 0 after it. */
  remainingMs(): number {
    return Math.max(0, this.#deadline - nowMs());
  }

  /** Aborted when the deadline passes. Made on first use, because most logins need none. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }
}

/** Created on first use, which also loads its module: a login with a default handler needs none. */
let running: AsyncLocalStorage<Invocation> | undefined;

/** Runs a function, and all that it starts, as part of this invocation. */
export function runInInvocation<TResult>(invocation: Invocation, run: () => TResult): TResult {
  running ??= new (process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)<Invocation>();
  return running.run(invocation, run);
}

/**
 * What `run` brings; or, when the deadline passes, the error that `expire` makes, which aborts what `run` started. The
 * error is not made before: its stack would cost a fifth of a login.
 */
export function withinDeadline<TResult>(
  invocation: Invocation,
  run: () => Promise<TResult>,
  expire: () => Error,
): Promise<TResult> {
  const abort = () => {
    const error = expire();
    invocation.abort(error);
    return error;
  };
  return withTimeout(invocation.remainingMs(), () => runInInvocation(invocation, run), abort);
}

/** Runs a request whose result later logins use too: no login's deadline ends it. */
export function runOutsideInvocations<TResult>(run: () => TResult): TResult {
  return running ? running.exit(run) : run();
}

/** The invocation that the caller is part of, undefined outside of one. */
export function currentInvocation(): Invocation | undefined {
  return running?.getStore();
}

/** The milliseconds left before the login's deadline; `Infinity` outside a login. */
export function remainingMs(): number {
  return currentInvocation()?.remainingMs() ?? Infinity;
}

/** Aborted at the login's deadline; never aborted outside a login. Pass it to anything that takes a signal. */
export function abortSignal(): AbortSignal {
  return currentInvocation()?.signal ?? new AbortController().signal;
}

let isAsked = false;

/** Marks that this process has asked for a secret or a look-up: the texts of errors may hold a response from then on. */
export function markAsked(): void {
  isAsked = true;
}

export function hasAsked(): boolean {
  return isAsked;
}
