/** What a function says of its settings and its handler when it starts. */

import type { BrokenHandler } from '../bundle/bundler.ts';
import { type LogRecord, recordsOf } from './process/logRecords.ts';
import type { FunctionFailed } from './process/runtime.ts';

export interface ColdStart {
  /** With a `reason` where every login is answered with an error. */
  handler: LogRecord;
}

/** @param output of the process */
export function coldStartIn(output: string): ColdStart {
  const records = recordsOf(output);
  // The function's own is written when the handler has loaded, which may print some of that form.
  const record = records.findLast(({ event }) => event === 'cold_start');
  return { handler: record ?? { reason: 'found no log record' } };
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

/** As a function would say it of a handler that it cannot load. */
export function notBuilt({ module }: BrokenHandler): LogRecord {
  return { reason: 'not_built', module, problem: 'cannot be built' };
}
