/** A function in a process of its own under the client that runs it on Lambda, one invocation at a time. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import {
  type Channel,
  FunctionProcess,
  type InvokeMessage,
} from '../../tools/local/process/functionProcess.ts';
import { REGION } from './aws.ts';

interface LambdaOptions {
  name: string;
  /** The package's root. */
  root: string;
  /** A module under it and its export. */
  handler: string;
  /** The function's own environment. */
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  memorySizeMb: number;
  logFormat: string;
  /** The entry point of the client, as `runtimeInterfaceClient()` gives it. */
  clientFile: string;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
export async function startLambda(options: LambdaOptions): Promise<FunctionProcess> {
  const { name, root, handler, env, timeoutMs, memorySizeMb, logFormat, clientFile } = options;
  const api = new RuntimeApi(name, timeoutMs);
  const child = spawn(process.execPath, [clientFile, handler], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      ...env,
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: root,
      AWS_LAMBDA_RUNTIME_API: await api.open(),
      _LAMBDA_TELEMETRY_LOG_FD: '3',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySizeMb),
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: '2026/01/01/[$LATEST]0',
      AWS_LAMBDA_LOG_FORMAT: logFormat,
      // What Lambda sets where the logs are JSON and the function's configuration names no level.
      ...(logFormat === 'JSON' && { AWS_LAMBDA_LOG_LEVEL: 'INFO' }),
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_REGION: REGION,
      AWS_DEFAULT_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_SESSION_TOKEN: 'test',
      LANG: 'en_US.UTF-8',
      TZ: ':UTC',
    },
  });
  child.on('close', () => api.close());
  const fn = new FunctionProcess(name, timeoutMs, child, api);
  readTelemetry(child.stdio[3] as Readable, (line) => fn.write(line));
  return fn;
}

/** A server of Lambda's Runtime API. */
class RuntimeApi extends EventEmitter<{ message: [string] }> implements Channel {
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  readonly #name: string;
  readonly #timeoutMs: number;
  #isReady = false;
  #waiting: http.ServerResponse | undefined;
  #next: InvokeMessage | undefined;
  #requestId = '';

  /** @param timeoutMs for one invocation: the function is told when it ends */
  constructor(name: string, timeoutMs: number) {
    super();
    this.#name = name;
    this.#timeoutMs = timeoutMs;
  }

  /** @returns its address, `host:port` */
  async open(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
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
      'lambda-runtime-invoked-function-arn': `arn:aws:lambda:${REGION}:123456789012:function:${this.#name}`,
    });
    this.#waiting.end(JSON.stringify(event));
    this.#waiting = undefined;
    this.#next = undefined;
  }
}

const HEADER_BYTES = 16;
const LENGTH_AT = 4;

/**
 * What a function logs on Lambda goes neither to stdout nor to stderr: the runtime's client writes frames to a file
 * descriptor that Lambda names. A frame is type, length and time (4, 4 and 8 bytes, big-endian), then the message.
 */
function readTelemetry(stream: Readable, onLine: (line: string) => void): void {
  let left = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    while (left.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + left.readUInt32BE(LENGTH_AT);
      if (left.length < end) return;
      onLine(`${left.subarray(HEADER_BYTES, end).toString().trimEnd()}\n`);
      left = left.subarray(end);
    }
  });
}
