/** The process of a function, under one of the clients of Lambda's Runtime API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { DIST } from '../build.ts';
import { type ClientProcess, plainClient, type RuntimeClient } from './runtimeClients.ts';

export const DEFAULT_TIMEOUT_MS = 20_000;
/** For starting, before the process takes its first event: Lambda gives it 10 s. */
export const INIT_TIMEOUT_MS = 10_000;

export interface FunctionOptions {
  name: string;
  /** The bundle's root. */
  root?: string;
  /** A module under the root and its export; default: `functions/<name>.handler`. */
  handler?: string;
  /** The environment of the process. Its client adds what Lambda sets, and nothing else is in it. */
  env?: Record<string, string | undefined>;
  /** The function's time-out in milliseconds, as Lambda would have it. */
  timeoutMs?: number;
  /** The runtime client that it runs under. Default: a small stand-in. */
  client?: RuntimeClient;
  /** Gets what the process writes, as it writes it. */
  onOutput?: (text: string) => void;
}

export function functionArn(name: string): string {
  return `arn:aws:lambda:eu-central-1:123456789012:function:${name}`;
}

/** @param address of the Runtime API server, `host:port` */
export function clientProcess(options: FunctionOptions, address: string): ClientProcess {
  const { name, root = DIST, handler = `functions/${name}.handler`, client = plainClient } = options;
  return client({ name, root, handler }, address);
}

export function spawnClient(
  { args, cwd, env }: ClientProcess,
  ownEnv: FunctionOptions['env'] = {},
): ChildProcess {
  return spawn(process.execPath, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...ownEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

/** Calls `onOutput` with what the process writes to stdout and stderr. */
export function readOutput(child: ChildProcess, onOutput: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
