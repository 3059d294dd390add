import type { FunctionProcess } from '../../tools/local/process/functionProcess.ts';

/** How long each login took inside the function, in milliseconds, by its own log. */
export function durationsOf(fn: FunctionProcess): number[] {
  return fn.records().flatMap(({ event, durationMs }) => (event === 'login' ? [Number(durationMs)] : []));
}
