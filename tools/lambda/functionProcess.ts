/**
 * A function of the bundle in a process of its own, as on Lambda: it takes its events from a server of Lambda's
 * Runtime API, one at a time, and ends when it does not answer in time.
 */
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  clientProcess,
  DEFAULT_TIMEOUT_MS,
  endProcess,
  type FunctionOptions,
  functionArn,
  INIT_TIMEOUT_MS,
  readOutput,
  spawnClient,
} from './childProcess.ts';
import type { Asked, Local } from './local.ts';
import { type LogRecord, recordsOf } from './records.ts';
import { FunctionFailed, RuntimeApi } from './runtimeApi.ts';
import { readFrames, TELEMETRY_FD } from './telemetry.ts';

interface InvokeOptions extends Local {
  /** How long the process may be busy, in milliseconds, where it waits for no other system. Default: the time-out. */
  busyMs?: number;
}

export interface FunctionProcess {
  /** Resolves when the process takes events. @throws {FunctionFailed} where it does not start in time */
  ready(): Promise<void>;
  /** @throws {FunctionFailed} */
  invoke(event: unknown, requestId?: string, options?: InvokeOptions): Promise<unknown>;
  /** What it asked other systems for, since the last event. */
  asked(): Asked;
  stop(): Promise<void>;
  /** All that the process wrote so far, to stdout, to stderr and to Lambda's log. */
  output(): string;
  /** The log records among it. */
  records(): LogRecord[];
  /** Drops what the process wrote so far. */
  forget(): void;
}

/** The request id of an invocation that names none: fixed, so that answers can be compared. */
export const REQUEST_ID = '00000000-0000-4000-8000-000000000000';

export async function startFunction(options: FunctionOptions): Promise<FunctionProcess> {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS, onOutput = () => {} } = options;
  const api = new RuntimeApi({ functionArn: functionArn(name), timeoutMs });
  const child = spawnClient(clientProcess(options, await api.listen()), options.env);
  let output = '';
  const onData = (text: string) => {
    output += text;
    onOutput(text);
  };
  readOutput(child, onData);
  readFrames(child.stdio[TELEMETRY_FD] as Readable, onData);
  child.on('close', (code, signal) => {
    api.fail(new FunctionFailed('crash', `the process of ${name} ended (${signal ?? `exit code ${code}`})`));
  });
  const killAfter = (ms: number) =>
    setTimeout(() => {
      api.fail(new FunctionFailed('time-out', `${name} did not answer within ${ms} ms`));
      child.kill('SIGKILL');
    }, ms);

  // What the process wrote before a request may be read after the request, in the same turn.
  const allRead = () => setImmediate();

  return {
    async ready() {
      const timer = killAfter(INIT_TIMEOUT_MS);
      try {
        await api.ready;
      } finally {
        clearTimeout(timer);
        await allRead();
      }
    },
    async invoke(event, requestId = REQUEST_ID, { busyMs = timeoutMs, ...local } = {}) {
      let timer = killAfter(INIT_TIMEOUT_MS);
      const allow = (ms: number) => {
        clearTimeout(timer);
        timer = killAfter(ms);
      };
      const onTaken = () => allow(busyMs);
      const onAsking = () => allow(timeoutMs);
      try {
        return await api.invoke({ requestId, event, local, onTaken, onAsking });
      } finally {
        clearTimeout(timer);
        await allRead();
      }
    },
    asked: () => api.asked,
    async stop() {
      await endProcess(child);
      api.close();
    },
    output: () => output,
    records: () => recordsOf(output),
    forget() {
      output = '';
    },
  };
}
