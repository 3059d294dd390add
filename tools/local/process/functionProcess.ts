/**
 * A function of the bundle in a process of its own, as on Lambda: it takes its events one at a time, and ends when it does not
 * answer in time.
 */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DIST } from '../../bundle/build.ts';
import { endProcess, NODE_OPTIONS, spawnNode } from './childProcess.ts';
import type { Asked, Local } from './exchanges.ts';
import { type LogRecord, recordsOf } from './logRecords.ts';
import { Output } from './output.ts';
import { PipeRuntime } from './pipeRuntime.ts';
import { FunctionFailed, type Runtime } from './runtime.ts';

export const DEFAULT_TIMEOUT_MS = 20_000;
/** For starting, before the process takes its first event: Lambda gives it 10 s. */
const INIT_TIMEOUT_MS = 10_000;

export interface FunctionOptions {
  name: string;
  /** The bundle's root. */
  root?: string;
  /** The environment of the process: nothing else is in it. */
  env?: NodeJS.ProcessEnv;
  /** The function's time-out in milliseconds, as Lambda would have it. */
  timeoutMs?: number;
  /** Whether the clock can be set, requests be answered out of a record, and the process ends with this one. Default: false. */
  isLocal?: boolean;
  /** Options of Node. Default: source maps, and a limit of the heap. */
  nodeOptions?: readonly string[];
}

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
  /** Whether it ended, or is about to. */
  hasFailed(): boolean;
  stop(): Promise<void>;
  /** All that the process wrote so far. */
  output(): string;
  /** The log records among it. */
  records(): LogRecord[];
  /** Drops what the process wrote so far. */
  forget(): void;
}

/** The request id of an invocation that names none: fixed, so that answers can be compared. */
export const REQUEST_ID = '00000000-0000-4000-8000-000000000000';

const CLIENT = fileURLToPath(new URL('runtimeClient.mjs', import.meta.url));
const LOCAL = fileURLToPath(new URL('localRuntime.mjs', import.meta.url));

export async function startFunction(options: FunctionOptions): Promise<FunctionProcess> {
  const { name, root = DIST, env = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const { isLocal = false, nodeOptions = NODE_OPTIONS } = options;
  const module = join(root, 'functions', `${name}.mjs`);
  const child = spawnNode([...nodeOptions, CLIENT, module, ...(isLocal ? [LOCAL] : [])], { env });
  const runtime = new PipeRuntime({ child, name, timeoutMs });
  return functionProcess({ name, timeoutMs, child, runtime });
}

export interface Started {
  name: string;
  timeoutMs: number;
  child: ChildProcess;
  runtime: Runtime;
  /** Reads what the process writes elsewhere than to stdout and stderr. */
  readMore?: (add: (text: string) => void) => void;
}

export function functionProcess({ name, timeoutMs, child, runtime, readMore }: Started): FunctionProcess {
  const end = (kind: FunctionFailed['kind'], message: string) => {
    runtime.fail(new FunctionFailed(kind, message));
    child.kill('SIGKILL');
  };
  const output = new Output(child, (max) => end('crash', `${name} wrote more than ${max} characters`));
  readMore?.((text) => output.add(text));
  child.on('error', ({ message }) => end('crash', `the process of ${name} could not be started: ${message}`));
  child.on('close', (code, signal) =>
    end('crash', `the process of ${name} ended (${signal ?? `exit code ${code}`})`),
  );
  const endAfter = (ms: number) =>
    setTimeout(() => end('time-out', `${name} did not respond within ${ms} ms`), ms);

  // What the process wrote before a message may be read after the message, in the same turn.
  const allRead = () => setImmediate();

  return {
    async ready() {
      const timer = endAfter(INIT_TIMEOUT_MS);
      try {
        await runtime.ready;
      } finally {
        clearTimeout(timer);
        await allRead();
      }
    },
    async invoke(event, requestId = REQUEST_ID, { busyMs = timeoutMs, ...local } = {}) {
      let timer = endAfter(INIT_TIMEOUT_MS);
      const allow = (ms: number) => {
        clearTimeout(timer);
        timer = endAfter(ms);
      };
      const onTaken = () => allow(busyMs);
      const onAsking = () => allow(timeoutMs);
      try {
        return await runtime.invoke({ requestId, event, local, onTaken, onAsking });
      } finally {
        clearTimeout(timer);
        await allRead();
      }
    },
    asked: () => runtime.asked,
    hasFailed: () => runtime.hasFailed,
    async stop() {
      await endProcess(child);
      runtime.close();
    },
    output: () => output.text,
    records: () => recordsOf(output.text),
    forget() {
      output.text = '';
    },
  };
}
