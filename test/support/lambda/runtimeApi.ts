import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Channel } from '../../../tools/local/process/functionProcess.ts';

export interface RuntimeApiOptions {
  /** As the function's context has it. */
  functionArn: string;
  /** For one invocation, in milliseconds: the function is told when it ends. */
  timeoutMs: number;
}

/** A server of Lambda's Runtime API. One invocation at a time, as Lambda gives them to one process. */
export class RuntimeApi implements Channel {
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  readonly #options: RuntimeApiOptions;
  #take: (message: unknown) => void = () => {};
  #isReady = false;
  #waiting: http.ServerResponse | undefined;
  #next: { requestId: string; body: string } | undefined;
  #requestId = '';

  constructor(options: RuntimeApiOptions) {
    this.#options = options;
  }

  /** @returns its address, `host:port` */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(take: (message: unknown) => void): void {
    this.#take = take;
  }

  send({ requestId, event }: Parameters<Channel['send']>[0]): void {
    this.#next = { requestId, body: JSON.stringify(event) };
    this.#respond();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { url = '' } = request;
    if (url.endsWith('/invocation/next')) {
      this.#waiting = response;
      if (!this.#isReady) this.#take({ type: 'ready' });
      this.#isReady = true;
      this.#respond();
      return;
    }
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(202).end('{}');
    // What cannot start ends, and says why in its log.
    if (url.endsWith('/init/error')) return;
    const requestId = this.#requestId;
    if (url.endsWith('/response')) this.#take({ type: 'response', requestId, response: JSON.parse(body) });
    else this.#take({ type: 'error', requestId, errorMessage: body });
  }

  #respond(): void {
    if (!this.#waiting || !this.#next) return;
    const { requestId, body } = this.#next;
    this.#waiting.writeHead(200, invocationHeaders(requestId, this.#options));
    this.#waiting.end(body);
    this.#requestId = requestId;
    this.#waiting = undefined;
    this.#next = undefined;
  }
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
