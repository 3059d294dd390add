/**
 * A function in a process of its own, as on Lambda Managed Instances: many invocations at a time, in worker threads, under
 * the client that runs functions on Lambda.
 */
import { once } from 'node:events';
import {
  clientProcess,
  DEFAULT_TIMEOUT_MS,
  endProcess,
  type FunctionOptions,
  functionArn,
  hasEnded,
  INIT_TIMEOUT_MS,
  readOutput,
  spawnClient,
} from './childProcess.ts';
import { ConcurrentApi, type ConcurrentInvokeOptions } from './concurrentApi.ts';
import { type LogSocket, openLogSocket } from './logSocket.ts';
import { type LogRecord, logLines, recordsOf } from './records.ts';
import { FunctionFailed } from './runtimeApi.ts';
import { type Concurrency, lambdaClient } from './runtimeClients.ts';

export interface ConcurrentFunctionOptions extends Omit<FunctionOptions, 'client'> {
  /** The entry point of Lambda's client, as `runtimeInterfaceClient()` gives it. */
  clientFile: string;
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
  const { name, clientFile, concurrency, timeoutMs = DEFAULT_TIMEOUT_MS, onOutput = () => {} } = options;
  const api = new ConcurrentApi({ functionArn: functionArn(name), timeoutMs, ...concurrency });
  const output: string[] = [];
  const onData = (text: string) => {
    output.push(text);
    onOutput(text);
  };
  const log = await openLogSocket(onData);
  const client = lambdaClient(clientFile, { concurrency });
  const started = clientProcess({ ...options, client }, await api.listen());
  const child = spawnClient(started, { ...options.env, ...log.env });
  readOutput(child, onData);
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
