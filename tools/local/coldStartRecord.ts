/** What a function says of its settings, its handler and its shadow when it starts. */

import type { BrokenHandler } from '../bundle/bundler.ts';
import { type LogRecord, recordsOf } from './process/logRecords.ts';
import type { FunctionFailed } from './process/runtime.ts';

export interface ColdStart {
  /** With a `reason` where every login is answered with an error. */
  handler: LogRecord;
  /** Why the shadow could not be loaded; undefined where it could, or there is none. */
  shadow?: LogRecord | undefined;
}

/** @param output of the process */
export function coldStartIn(output: string): ColdStart {
  const records = recordsOf(output);
  // The function's own is written when the handler has loaded, which may print some of that form.
  const recordOf = (name: string) => records.findLast(({ event }) => event === name);
  return {
    handler: recordOf('cold_start') ?? { reason: 'found no log record' },
    shadow: recordOf('shadow_not_loaded'),
  };
}

/**
 * A process that ended, or hung, leaves no record.
 *
 * @param module the handler that the settings name
 */
export function coldStartFailed({ kind, message }: FunctionFailed, module: string | undefined): ColdStart {
  const problem = `${message} while it loaded the handler`;
  return { handler: { reason: kind, problem, ...(module && { module }) } };
}

/** As a function would say it of a handler or a shadow that it cannot load. */
export function notBuilt({ module }: BrokenHandler): LogRecord {
  return { reason: 'not_built', module, problem: 'cannot be built' };
}
