import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { FunctionFailed } from '../../../tools/local/process/runtime.ts';
import type { Concurrency } from './lambdaClient.ts';
import { invocationHeaders, jsonOf, listenOnLoopback, type RuntimeApiOptions } from './runtimeApi.ts';

export interface ConcurrentInvokeOptions {
  requestId?: string;
  /** Of this invocation, in milliseconds. Default: the function's. */
  timeoutMs?: number;
}

interface Invocation {
  requestId: string;
  body: string;
  timeoutMs: number;
  outcome: PromiseWithResolvers<unknown>;
  timer?: NodeJS.Timeout;
}

/** A server of Lambda's Runtime API as Managed Instances have it: many invocations at a time to one process. */
export class ConcurrentApi {
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  readonly #options: RuntimeApiOptions & Concurrency;
  readonly #ready = Promise.withResolvers<void>();
  readonly #waiting: http.ServerResponse[] = [];
  readonly #queue: Invocation[] = [];
  readonly #running = new Map<string, Invocation>();
  #failure: FunctionFailed | undefined;
  /** Request ids of responses that nobody waits for: a second one, or one after its time-out. */
  readonly unexpected: string[] = [];

  constructor(options: RuntimeApiOptions & Concurrency) {
    this.#options = options;
    // Lambda keeps the connections of a process open. A response that meets one being closed is lost to the client.
    this.#server.keepAliveTimeout = 0;
    // A process that fails before anybody waits for it is told of by the first invocation.
    this.#ready.promise.catch(() => {});
  }

  /** Its address, `host:port`. */
  listen(): Promise<string> {
    return listenOnLoopback(this.#server);
  }

  /** Resolves when each worker has asked for an event. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * Waits for as long as the process has all the invocations that it may have. A time-out fails the call alone: the code
   * of the invocation keeps running.
   *
   * @throws {FunctionFailed}
   */
  invoke(event: unknown, options: ConcurrentInvokeOptions = {}): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    const { requestId = randomUUID(), timeoutMs = this.#options.timeoutMs } = options;
    const body = jsonOf(event);
    if (body === null) return Promise.reject(new FunctionFailed('error', 'the event is nested too deeply'));
    const outcome = Promise.withResolvers<unknown>();
    this.#queue.push({ requestId, body, timeoutMs, outcome });
    this.#send();
    return outcome.promise;
  }

  /** Fails what runs, what waits and what comes later. */
  fail(failure: FunctionFailed): void {
    this.#failure ??= failure;
    this.#ready.reject(failure);
    for (const invocation of [...this.#running.values(), ...this.#queue.splice(0)]) {
      this.#end(invocation, () => invocation.outcome.reject(failure));
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { url = '' } = request;
    if (url.endsWith('/invocation/next')) return this.#wait(response);
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(202).end('{}');
    if (url.endsWith('/init/error')) {
      this.fail(new FunctionFailed('crash', `it did not start: ${body}`));
      return;
    }
    const [, requestId = '', kind] = /\/invocation\/([^/]+)\/(response|error)$/.exec(url) ?? [];
    const invocation = this.#running.get(requestId);
    if (!invocation) this.unexpected.push(requestId);
    else if (kind === 'response') this.#end(invocation, () => invocation.outcome.resolve(JSON.parse(body)));
    else this.#end(invocation, () => invocation.outcome.reject(threw(body)));
  }

  #wait(response: http.ServerResponse): void {
    this.#waiting.push(response);
    if (this.#waiting.length >= this.#options.workers) this.#ready.resolve();
    this.#send();
  }

  #send(): void {
    while (this.#running.size < this.#options.maxConcurrency && this.#queue.length > 0) {
      const response = this.#waiting.shift();
      if (!response) return;
      // Of a process that has ended.
      if (response.destroyed) continue;
      const invocation = this.#queue.shift() as Invocation;
      const { requestId, body, timeoutMs } = invocation;
      this.#running.set(requestId, invocation);
      invocation.timer = setTimeout(() => this.#timeOut(invocation), timeoutMs);
      response.writeHead(200, invocationHeaders(requestId, { ...this.#options, timeoutMs })).end(body);
    }
  }

  #timeOut(invocation: Invocation): void {
    const failure = new FunctionFailed('time-out', `no answer within ${invocation.timeoutMs} ms`);
    this.#end(invocation, () => invocation.outcome.reject(failure));
  }

  #end(invocation: Invocation, settle: () => void): void {
    clearTimeout(invocation.timer);
    this.#running.delete(invocation.requestId);
    settle();
    this.#send();
  }
}

function threw(body: string): FunctionFailed {
  return new FunctionFailed('error', `the function threw: ${body}`);
}
