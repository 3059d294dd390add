import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Thrown when the process ended, threw or hung instead of answering. */
export class FunctionFailed extends Error {
  readonly kind: 'crash' | 'error' | 'time-out';
  constructor(kind: FunctionFailed['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface RuntimeApiOptions {
  /** As the function's context has it. */
  functionArn: string;
  /** For one invocation, in milliseconds: the function is told when it ends. */
  timeoutMs: number;
}

/** A server of Lambda's Runtime API. One invocation at a time, as Lambda gives them to one process. */
export class RuntimeApi {
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  readonly #options: RuntimeApiOptions;
  #waiting: http.ServerResponse | undefined;
  #next: { requestId: string; body: string; onTaken: () => void } | undefined;
  #pending: PromiseWithResolvers<unknown> | undefined;
  #failure: FunctionFailed | undefined;

  constructor(options: RuntimeApiOptions) {
    this.#options = options;
  }

  /** Its address, `host:port`. */
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
    const { url = '' } = request;
    if (url.endsWith('/invocation/next')) {
      this.#waiting = response;
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
    const { functionArn, timeoutMs } = this.#options;
    this.#waiting.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': this.#next.requestId,
      'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
      'lambda-runtime-invoked-function-arn': functionArn,
    });
    this.#waiting.end(this.#next.body);
    this.#next.onTaken();
    this.#waiting = undefined;
    this.#next = undefined;
  }
}
