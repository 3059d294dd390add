import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { nothingAsked } from '../../../tools/local/process/exchanges.ts';
import { FunctionFailed, type Invocation, type Runtime } from '../../../tools/local/process/runtime.ts';

export interface RuntimeApiOptions {
  /** As the function's context has it. */
  functionArn: string;
  /** For one invocation, in milliseconds: the function is told when it ends. */
  timeoutMs: number;
}

/** A server of Lambda's Runtime API. One invocation at a time, as Lambda gives them to one process. */
export class RuntimeApi implements Runtime {
  readonly asked = nothingAsked();
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  readonly #options: RuntimeApiOptions;
  readonly #ready = Promise.withResolvers<void>();
  #waiting: http.ServerResponse | undefined;
  #next: (Invocation & { body: string }) | undefined;
  #pending: PromiseWithResolvers<unknown> | undefined;
  #failure: FunctionFailed | undefined;

  constructor(options: RuntimeApiOptions) {
    this.#options = options;
    // A process that fails before anybody waits for it is told of by the first invocation.
    this.#ready.promise.catch(() => {});
  }

  /** Its address, `host:port`. */
  listen(): Promise<string> {
    return listenOnLoopback(this.#server);
  }

  /** Resolves when the process asks for its first event. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  invoke(invocation: Invocation): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    const body = jsonOf(invocation.event);
    if (body === null) return Promise.reject(new FunctionFailed('error', 'the event is nested too deeply'));
    this.#pending = Promise.withResolvers<unknown>();
    this.#next = { ...invocation, body };
    this.#send();
    return this.#pending.promise;
  }

  fail(failure: FunctionFailed): void {
    this.#failure ??= failure;
    this.#pending?.reject(failure);
    this.#ready.reject(failure);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { url = '' } = request;
    if (url.endsWith('/invocation/next')) {
      this.#waiting = response;
      this.#ready.resolve();
      this.#send();
      return;
    }
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(202).end('{}');
    if (url.endsWith('/response')) this.#pending?.resolve(JSON.parse(body));
    else if (url.endsWith('/init/error')) this.fail(new FunctionFailed('crash', `it did not start: ${body}`));
    else this.#pending?.reject(new FunctionFailed('error', `the function threw: ${body}`));
  }

  #send(): void {
    if (!this.#waiting || !this.#next) return;
    const { requestId, body, onTaken } = this.#next;
    this.#waiting.writeHead(200, invocationHeaders(requestId, this.#options));
    this.#waiting.end(body);
    onTaken();
    this.#waiting = undefined;
    this.#next = undefined;
  }
}

/** @returns its address, `host:port` */
async function listenOnLoopback(server: http.Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the response to `/invocation/next` says of an invocation that begins now. */
function invocationHeaders(requestId: string, { functionArn, timeoutMs }: RuntimeApiOptions) {
  return {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': requestId,
    'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
    'lambda-runtime-invoked-function-arn': functionArn,
  };
}

/** Null for what is nested too deeply to be written. */
function jsonOf(event: unknown): string | null {
  try {
    return JSON.stringify(event);
  } catch {
    return null;
  }
}
