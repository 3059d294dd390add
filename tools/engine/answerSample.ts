/** What a function answers to a sample event, in a process of its own. */

import { type FunctionOptions, startFunction } from '../lambda/functionProcess.ts';
import type { LogRecord } from '../lambda/records.ts';
import { FunctionFailed } from '../lambda/runtimeApi.ts';
import { failureIn } from './answered.ts';
import { unwrap } from './events.ts';

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
  const failed = failureIn(records);
  if (failed !== null) return { failed };
  const login = records.find(({ event }) => event === 'login');
  const droppedFields = Array.isArray(login?.droppedFields) ? login.droppedFields : [];
  const reason = String(login?.reason ?? 'no log record');
  return { status, answer, reason, ms: Number(login?.durationMs), droppedFields };
}
