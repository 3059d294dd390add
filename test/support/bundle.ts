/** The built bundle, each function in a process of its own, with what it logs. */
import { unwrap } from '../../tools/events.ts';
import { type FunctionProcess, startFunction } from '../../tools/lambda/functionProcess.ts';

export type FunctionName = 'openidLoggedIn' | 'samlLoggedIn';

export interface BundleOptions {
  /** The settings; nothing of this process's environment gets in besides. */
  env?: Record<string, string>;
  timeoutMs?: number;
  root?: string;
}

/** Starts a function for as long as `use` runs. */
export async function withFunction<TResult>(
  name: FunctionName,
  { env = {}, timeoutMs = 10_000, root }: BundleOptions,
  use: (fn: FunctionProcess) => Promise<TResult>,
): Promise<TResult> {
  const fn = await startFunction({ name, env, timeoutMs, ...(root && { root }) });
  try {
    return await use(fn);
  } finally {
    await fn.stop();
  }
}

export interface Answered {
  /** The HTTP status, or null for a direct event. */
  status: number | null;
  answer: Record<string, unknown>;
  records: Record<string, unknown>[];
  output: string;
}

/** One login through a new process. */
export function login(name: FunctionName, event: unknown, options: BundleOptions = {}): Promise<Answered> {
  return withFunction(name, options, async (fn) => {
    const { status, answer } = unwrap(await fn.invoke(event));
    return { status, answer: answer as Record<string, unknown>, records: fn.records(), output: fn.output() };
  });
}
