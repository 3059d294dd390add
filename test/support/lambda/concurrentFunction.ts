/**
 * A function in a process of its own, as on Lambda Managed Instances: many invocations at a time, in worker threads, under
 * the client that runs functions on Lambda.
 */
import { once } from 'node:events';
import { endProcess, hasEnded } from '../../../tools/local/process/childProcess.ts';
import { DEFAULT_TIMEOUT_MS, INIT_TIMEOUT_MS } from '../../../tools/local/process/functionProcess.ts';
import { type LogRecord, logLines, recordsOf } from '../../../tools/local/process/logRecords.ts';
import { FunctionFailed } from '../../../tools/local/process/runtime.ts';
import { ConcurrentApi, type ConcurrentInvokeOptions } from './concurrentApi.ts';
import { type Concurrency, functionArn, type LambdaCode, spawnLambda } from './lambdaClient.ts';
import { type LogSocket, openLogSocket } from './logSocket.ts';

export interface ConcurrentFunctionOptions extends LambdaCode {
  /** In milliseconds. */
  timeoutMs?: number;
  concurrency: Concurrency;
}

export interface ConcurrentFunction {
  /** Resolves when each worker takes events. @throws {FunctionFailed} where they do not start in time */
  ready(): Promise<void>;
  /** @throws {FunctionFailed} also where it does not answer in time; its code then keeps running */
  invoke(event: unknown, options?: ConcurrentInvokeOptions): Promise<unknown>;
  /** Request ids of responses that came twice, or after their time-out. */
  unexpected(): readonly string[];
  /** The lines of the log as the client writes them, with `requestId` and `message`. */
  lines(): LogRecord[];
  /** The records in them. */
  records(): LogRecord[];
  /** All that the process wrote, to its log, to stdout and to stderr. */
  output(): string;
  /** Stops and goes on reading its log. */
  log: Pick<LogSocket, 'pause' | 'resume'>;
  /** Of the process. */
  pid: number;
  /** Resolves when the process has ended, by itself or by `stop`. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export async function startConcurrentFunction(
  options: ConcurrentFunctionOptions,
): Promise<ConcurrentFunction> {
  const { name, concurrency, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const api = new ConcurrentApi({ functionArn: functionArn(name), timeoutMs, ...concurrency });
  const output: string[] = [];
  const onData = (text: string) => void output.push(text);
  const log = await openLogSocket(onData);
  const env = { ...options.env, ...log.env };
  const child = spawnLambda({ ...options, env }, await api.listen(), { concurrency });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onData);
  const ended = once(child, 'close').then(([code, signal]) =>
    api.fail(new FunctionFailed('crash', `the process of ${name} ended (${signal ?? `exit code ${code}`})`)),
  );

  return {
    async ready() {
      const timer = setTimeout(() => api.fail(notStarted(name)), INIT_TIMEOUT_MS);
      await api.ready.finally(() => clearTimeout(timer));
    },
    invoke: (event, invokeOptions) => api.invoke(event, invokeOptions),
    unexpected: () => api.unexpected,
    lines: () => logLines(output.join('')),
    records: () => recordsOf(output.join('')),
    output: () => output.join(''),
    log,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      if (!hasEnded(child)) await endProcess(child);
      await ended;
      api.close();
      await log.close();
    },
  };
}

function notStarted(name: string): FunctionFailed {
  return new FunctionFailed('time-out', `${name} did not start within ${INIT_TIMEOUT_MS} ms`);
}
