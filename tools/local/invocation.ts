/** What is given to a function, and what became of it, read out of its result and its log. */
import { HANDLER_REASONS } from '../../lib/login/respond.ts';
import { REASONS } from '../../lib/reasons.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { handlerIn } from '../shared/functions.ts';
import type { Stage } from '../shared/stage.ts';
import { handlerProblem, refusals } from './coldStartReport.ts';
import { unwrap } from './events.ts';
import type { PooledFunction } from './pool.ts';
import {
  type FunctionEvent,
  FunctionFailed,
  type Outcome as ProcessOutcome,
} from './process/functionProcess.ts';
import { type LogRecord, lastRecord } from './process/logRecords.ts';
import { type Thrown, thrownIn } from './thrown.ts';
import { CURES, unavailableIn } from './unavailable.ts';

export interface RunOptions {
  functionName: string;
  /** What the handler setting says instead of what it said; null for the default handler. */
  handlerModule?: string | null | undefined;
  /** Whether callers, tokens and assertions are checked, where the settings say so. Default: false. */
  isChecked?: boolean;
  /** Whether settings that change the form of a response have their defaults. Default: false. */
  hasDefaultResponses?: boolean;
  /** Whether a record of the log says what a handler of code reads of the event. Default: false. */
  isNotingReads?: boolean;
  /** Whether secrets have made-up values where this machine has none. Default: false. */
  hasStandInSecrets?: boolean;
}

export interface Invocation extends RunOptions, Omit<FunctionEvent, 'requestId'> {
  requestId?: string;
}

export interface InvocationResult extends Omit<ProcessOutcome, 'failure'> {
  /** 200 where the event was in no HTTP envelope. */
  status: number;
  /** Null where the process ended, hung or threw. */
  response: Record<string, unknown> | null;
  /** A code of the table of reasons; what happened to the process where there is no response. */
  reason: string;
  /** What went wrong in the function, in a line; null where it answered as its handler decided. */
  failed: string | null;
  /** Which secret or other system did not serve the handler, and what to do, in a line; null where none failed. */
  unavailable: string | null;
  thrown: Thrown | null;
  handler: string;
  /** Fields that the handler gave and that do not leave. */
  droppedFields: string[];
  /** In the function, by its own clock, in milliseconds. */
  ms: number;
  /** Asks the same once more: by the same reference, at the same time, with what other systems responded. Left out where only the log tells of a login. */
  again?: Invocation;
}

const NO_RESPONSE = new FunctionFailed('error', 'the function returned something other than a response');

export function resultOf(
  { failure: ended, ...given }: ProcessOutcome,
  fn: PooledFunction,
  stage: Stage,
): InvocationResult {
  const { records, result } = given;
  const login = lastRecord(records, 'login');
  const { status, answer } = ended === null && isJsonObject(result) ? unwrap(result) : {};
  const response = isJsonObject(answer) ? answer : null;
  const failure = response === null ? (ended ?? NO_RESPONSE) : null;
  const thrown = thrownIn(records);
  return {
    ...given,
    response,
    thrown,
    status: response === null ? 500 : (status ?? 200),
    reason: failure?.kind ?? String(login.reason ?? 'no_login'),
    failed: failure === null ? failureIn(records, thrown, fn, stage) : `${failure.kind}: ${failure.message}`,
    unavailable: unavailableIn(records, fn.env.SECRETS_FILE),
    handler: String(login.handler ?? handlerIn(fn.env, fn.name) ?? ''),
    droppedFields: Array.isArray(login.droppedFields) ? login.droppedFields : [],
    ms: Number(login.durationMs ?? given.ms),
  };
}

export type Outcome = (typeof HANDLER_REASONS)[keyof typeof HANDLER_REASONS] | 'failed';

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map(Object.entries(HANDLER_REASONS));

/** `failed` too for what is no response to a login, such as that of a self-test. */
export function outcomeOf({ failed, response }: Pick<InvocationResult, 'failed' | 'response'>): Outcome {
  return (failed === null ? OUTCOMES.get(response?.type) : null) ?? 'failed';
}

export function isAuthorized(answered: Pick<InvocationResult, 'failed' | 'response'>): boolean {
  return outcomeOf(answered) === 'authorized';
}

const ROWS = new Map(Object.entries(REASONS));

/** By the table of reasons, 200 where a handler decided; 0 for what happened to a process. */
export function statusOf(reason: unknown): number {
  return ROWS.get(String(reason))?.[0] ?? 0;
}

/** Whether code decided: a mapping and a default handler give other reasons. */
export function isByCode({ reason }: Pick<InvocationResult, 'reason'>): boolean {
  return reason === 'forbidden' || reason === 'error';
}

/** Why a login failed in the function itself, in a line; null where it did not. */
function failureIn(
  records: readonly LogRecord[],
  thrown: Thrown | null,
  fn: PooledFunction,
  stage: Stage,
): string | null {
  const { reason, problems } = lastRecord(records, 'login');
  // Where something else failed, the handler decided what to do.
  if (statusOf(reason) < 500 || String(reason) in CURES) return null;
  const invalid = reason === 'answer_invalid' && Array.isArray(problems) ? problems.join('; ') : null;
  const why = thrown?.text ?? whyNotStarted(records, fn, stage) ?? invalid;
  return why === null ? String(reason) : `${reason}: ${why}`;
}

function whyNotStarted(
  records: readonly LogRecord[],
  { name, env }: PooledFunction,
  stage: Stage,
): string | null {
  const record = lastRecord(records, 'cold_start');
  if (record.reason === undefined) return null;
  const isConfigured = handlerIn(env, name) === stage.handlerOf(name);
  if (record.module !== undefined && !isConfigured) return handlerProblem(record);
  return refusals(name, record, stage.sourceOf).join('; ');
}
