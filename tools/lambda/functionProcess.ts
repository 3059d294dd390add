/**
 * A function of the bundle in a process of its own, as on Lambda: it takes its events from a server of Lambda's
 * Runtime API, one at a time, and ends when it does not answer in time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { DIST } from '../build.ts';
import type { Asked, Local } from './local.ts';
import { type LogRecord, recordsOf } from './records.ts';
import { FunctionFailed, RuntimeApi } from './runtimeApi.ts';
import { plainClient, type RuntimeClient } from './runtimeClients.ts';
import { readFrames, TELEMETRY_FD } from './telemetry.ts';

const DEFAULT_TIMEOUT_MS = 20_000;
/** For starting, before the process takes its first event: Lambda gives it 10 s. */
const INIT_TIMEOUT_MS = 10_000;

export interface FunctionOptions {
  name: string;
  /** The bundle's root. */
  root?: string;
  /** A module under the root and its export; `functions/<name>.handler` unless said. */
  handler?: string;
  /** The whole environment of the process, besides what its client sets. */
  env?: Record<string, string | undefined>;
  /** The function's time-out in milliseconds, as Lambda would have it. */
  timeoutMs?: number;
  /** What it runs under: a small stand-in, unless said. */
  client?: RuntimeClient;
  /** Gets what the process writes, as it writes it. */
  onOutput?: (text: string) => void;
}

export interface InvokeOptions extends Local {
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
  const functionArn = `arn:aws:lambda:eu-central-1:123456789012:function:${name}`;
  const api = new RuntimeApi({ functionArn, timeoutMs });
  const child = startProcess(options, await api.listen());
  let output = '';
  const onData = (text: string) => {
    output += text;
    onOutput(text);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onData);
  readFrames(child.stdio[TELEMETRY_FD] as Readable, onData);
  child.on('close', (code, signal) => {
    api.fail(new FunctionFailed('crash', `the process of ${name} ended (${signal ?? `exit code ${code}`})`));
  });
  const killAfter = (ms: number) =>
    setTimeout(() => {
      api.fail(new FunctionFailed('time-out', `${name} did not answer within ${ms} ms`));
      child.kill('SIGKILL');
    }, ms);

  return {
    async ready() {
      const timer = killAfter(INIT_TIMEOUT_MS);
      await api.ready.finally(() => clearTimeout(timer));
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
        // What the process wrote before it answered may be read after the answer, in the same turn.
        await setImmediate();
      }
    },
    asked: () => api.asked,
    async stop() {
      await end(child);
      api.close();
    },
    output: () => output,
    records: () => recordsOf(output),
    forget() {
      output = '';
    },
  };
}

function startProcess(options: FunctionOptions, address: string): ChildProcess {
  const { name, root = DIST, handler = `functions/${name}.handler`, env, client = plainClient } = options;
  const process_ = client({ name, root, handler }, address);
  return spawn(process.execPath, process_.args, {
    ...(process_.cwd !== undefined && { cwd: process_.cwd }),
    env: { ...env, ...process_.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
