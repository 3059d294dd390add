/** What a function answers to a sample event, in a process of its own. */

import { type FunctionOptions, startFunction } from '../lambda/functionProcess.ts';
import type { LogRecord } from '../lambda/records.ts';
import { FunctionFailed } from '../lambda/runtimeApi.ts';
import { unwrap } from './events.ts';

/** Reasons that say a handler failed, whatever was expected. */
const FAILURES = [
  'handler_threw',
  'handler_timed_out',
  'answer_invalid',
  'handler_not_loaded',
  'configuration_unusable',
  'internal_error',
];

export interface Result {
  status: number;
  answer: { type?: unknown };
  reason: string;
  ms: number;
  /** Fields that the handler gave and that do not leave. */
  droppedFields: string[];
}

export interface Failure {
  /** What went wrong, in a line. */
  failed: string;
}

export async function answerSample(
  functionName: string,
  event: unknown,
  { env, ...options }: Pick<FunctionOptions, 'root' | 'env'>,
): Promise<Result | Failure> {
  const logged = { ...env, AWS_LAMBDA_LOG_LEVEL: 'INFO' };
  const fn = await startFunction({ ...options, name: functionName, env: logged });
  try {
    const { status, answer } = unwrap(await fn.invoke(event));
    return resultOf(status ?? 200, answer as Result['answer'], fn.records());
  } catch (error) {
    if (error instanceof FunctionFailed) return { failed: `${error.kind}: ${error.message}` };
    throw error;
  } finally {
    await fn.stop();
  }
}

function resultOf(status: number, answer: Result['answer'], records: LogRecord[]): Result | Failure {
  const login = records.find(({ event }) => event === 'login');
  const reason = String(login?.reason ?? 'no log record');
  if (FAILURES.includes(reason)) return { failed: [reason, ...whyNot(records)].join(': ') };
  const droppedFields = Array.isArray(login?.droppedFields) ? login.droppedFields : [];
  return { status, answer, reason, ms: Number(login?.durationMs), droppedFields };
}

/** What the cold start says went wrong, in a line. */
function whyNot(records: readonly LogRecord[]): string[] {
  const { problem, problems, error } = records.find(({ event }) => event === 'cold_start') ?? {};
  const [firstLine] = String(error ?? '').split('\n');
  return [problem, problems, firstLine].filter(Boolean).map(String);
}
