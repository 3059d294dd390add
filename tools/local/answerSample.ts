/** What a function answers to a sample event, in a process of its own. */

import { FAILURES } from './answered.ts';
import { unwrap } from './events.ts';
import { startFunction } from './process/functionProcess.ts';
import type { LogRecord } from './process/logRecords.ts';
import { FunctionFailed } from './process/runtime.ts';

interface Result {
  answer: { type?: unknown };
  reason: string;
}

interface Failure {
  /** What went wrong, in a line. */
  failed: string;
}

export async function answerSample(
  functionName: string,
  event: unknown,
  env: NodeJS.ProcessEnv,
): Promise<Result | Failure> {
  const logged = { ...env, AWS_LAMBDA_LOG_LEVEL: 'INFO' };
  const fn = await startFunction({ name: functionName, env: logged, isLocal: true });
  try {
    const { answer } = unwrap(await fn.invoke(event));
    return resultOf(answer as Result['answer'], fn.records());
  } catch (error) {
    if (error instanceof FunctionFailed) return { failed: `${error.kind}: ${error.message}` };
    throw error;
  } finally {
    await fn.stop();
  }
}

function resultOf(answer: Result['answer'], records: LogRecord[]): Result | Failure {
  const login = records.find(({ event }) => event === 'login');
  const reason = String(login?.reason ?? 'no log record');
  if (FAILURES.includes(reason)) return { failed: [reason, ...whyNot(records)].join(': ') };
  return { answer, reason };
}

/** What the cold start says went wrong, in a line. */
function whyNot(records: readonly LogRecord[]): string[] {
  const { problem, problems, error } = records.find(({ event }) => event === 'cold_start') ?? {};
  const [firstLine] = String(error ?? '').split('\n');
  return [problem, problems, firstLine].filter(Boolean).map(String);
}
