/**
 * A function of the bundle in a process of its own, as on Lambda: it takes its events from a server of Lambda's
 * Runtime API, one at a time, and ends when it does not answer in time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST } from '../build.ts';
import { type LogRecord, recordsOf } from './records.ts';

const CLIENT = fileURLToPath(new URL('runtimeClient.mjs', import.meta.url));
const DEFAULT_TIMEOUT_MS = 20_000;
/** For starting, before the process takes its first event: Lambda gives it 10 s. */
const INIT_TIMEOUT_MS = 10_000;

export interface FunctionOptions {
  name: string;
  /** The bundle's root. */
  root?: string;
  /** The whole environment of the process. */
  env?: Record<string, string | undefined>;
  /** The function's time-out in milliseconds, as Lambda would have it. */
  timeoutMs?: number;
  /** Gets what the process writes, as it writes it. */
  onOutput?: (text: string) => void;
}

/** Thrown when the process ended, threw or hung instead of answering. */
export class FunctionFailed extends Error {
  readonly kind: 'crash' | 'error' | 'time-out';
  constructor(kind: FunctionFailed['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface FunctionProcess {
  /** @throws {FunctionFailed} */
  invoke(event: unknown, requestId?: string): Promise<unknown>;
  stop(): Promise<void>;
  /** All that the process wrote so far, to stdout and stderr. */
  output(): string;
  /** The log records among it. */
  records(): LogRecord[];
}

/** The request id of an invocation that names none: fixed, so that answers can be compared. */
export const REQUEST_ID = '00000000-0000-4000-8000-000000000000';

export async function startFunction(options: FunctionOptions): Promise<FunctionProcess> {
  const { name, root = DIST, env = {}, timeoutMs = DEFAULT_TIMEOUT_MS, onOutput = () => {} } = options;
  const api = new RuntimeApi();
  const address = await api.listen();
  const module = join(root, 'functions', `${name}.mjs`);
  const child = spawn(process.execPath, [CLIENT, address, module, String(timeoutMs)], {
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const onData = (text: string) => {
    output += text;
    onOutput(text);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onData);
  child.on('close', (code, signal) => {
    api.fail(new FunctionFailed('crash', `the process of ${name} ended (${signal ?? `exit code ${code}`})`));
  });

  return {
    async invoke(event, requestId = REQUEST_ID) {
      const killAfter = (ms: number) =>
        setTimeout(() => {
          api.fail(new FunctionFailed('time-out', `${name} did not answer within ${ms} ms`));
          child.kill('SIGKILL');
        }, ms);
      let timer = killAfter(INIT_TIMEOUT_MS);
      const onTaken = () => {
        clearTimeout(timer);
        timer = killAfter(timeoutMs);
      };
      try {
        return await api.invoke(event, requestId, onTaken);
      } finally {
        clearTimeout(timer);
      }
    },
    async stop() {
      await end(child);
      api.close();
    },
    output: () => output,
    records: () => recordsOf(output),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** One invocation at a time, as Lambda gives them to one process. */
class RuntimeApi {
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  #waiting: http.ServerResponse | undefined;
  #next: { requestId: string; body: string; onTaken: () => void } | undefined;
  #pending: PromiseWithResolvers<unknown> | undefined;
  #failure: FunctionFailed | undefined;

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  invoke(event: unknown, requestId: string, onTaken: () => void): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#pending = Promise.withResolvers<unknown>();
    this.#next = { requestId, body: JSON.stringify(event), onTaken };
    this.#send();
    return this.#pending.promise;
  }

  fail(failure: FunctionFailed): void {
    this.#failure ??= failure;
    this.#pending?.reject(failure);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const operation = request.url?.split('/').at(-1);
    if (operation === 'next') {
      this.#waiting = response;
      this.#send();
      return;
    }
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(202).end('{}');
    if (operation === 'response') this.#pending?.resolve(JSON.parse(body));
    else this.#pending?.reject(new FunctionFailed('error', `the function threw: ${body}`));
  }

  #send(): void {
    if (!this.#waiting || !this.#next) return;
    this.#waiting.writeHead(200, { 'lambda-runtime-aws-request-id': this.#next.requestId });
    this.#waiting.end(this.#next.body);
    this.#next.onTaken();
    this.#waiting = undefined;
    this.#next = undefined;
  }
}
