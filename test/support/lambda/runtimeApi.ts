import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Channel, InvokeMessage } from '../../../tools/local/process/functionProcess.ts';

/** A server of Lambda's Runtime API. One invocation at a time, as Lambda gives them to one process. */
export class RuntimeApi extends EventEmitter<{ message: [string] }> implements Channel {
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  readonly #functionArn: string;
  readonly #timeoutMs: number;
  #isReady = false;
  #waiting: http.ServerResponse | undefined;
  #next: InvokeMessage | undefined;
  #requestId = '';

  /** @param timeoutMs for one invocation: the function is told when it ends */
  constructor(functionArn: string, timeoutMs: number) {
    super();
    this.#functionArn = functionArn;
    this.#timeoutMs = timeoutMs;
  }

  /** @returns its address, `host:port` */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  send(message: InvokeMessage): void {
    this.#next = message;
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
      if (!this.#isReady) this.#say({ requestId: '' });
      this.#isReady = true;
      this.#respond();
      return;
    }
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(202).end('{}');
    const requestId = this.#requestId;
    if (url.endsWith('/response')) this.#say({ requestId, response: JSON.parse(body) });
    // What cannot start ends, and its log says why.
    else if (!url.endsWith('/init/error')) this.#say({ requestId, errorMessage: body });
  }

  #say(message: object): void {
    this.emit('message', JSON.stringify(message));
  }

  #respond(): void {
    if (!this.#waiting || !this.#next) return;
    const { requestId, event } = this.#next;
    this.#requestId = requestId;
    this.#waiting.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': requestId,
      'lambda-runtime-deadline-ms': String(Date.now() + this.#timeoutMs),
      'lambda-runtime-invoked-function-arn': this.#functionArn,
    });
    this.#waiting.end(JSON.stringify(event));
    this.#waiting = undefined;
    this.#next = undefined;
  }
}
