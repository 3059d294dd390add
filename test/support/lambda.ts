/** A function in a process of its own under the client that runs it on Lambda, one invocation at a time. */
import { spawn } from 'node:child_process';
import { duplexPair, type Readable } from 'node:stream';
import { type FunctionEvent, FunctionProcess } from '../../tools/local/process/functionProcess.ts';
import { REGION } from './aws.ts';
import { type RunningFunction, running } from './bundle.ts';
import { httpServer } from './servers.ts';

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
export async function startLambda(options: LambdaOptions): Promise<RunningFunction> {
  const { name, root, handler, env, timeoutMs, memorySizeMb, logFormat, clientFile } = options;
  const api = await runtimeApi(name, timeoutMs);
  const child = spawn(process.execPath, [clientFile, handler], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      ...env,
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: root,
      AWS_LAMBDA_RUNTIME_API: api.address,
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
  const fn = new FunctionProcess({ name, timeoutMs }, child, api.channel);
  readTelemetry(child.stdio[3] as Readable, (line) => fn.write(line));
  return running(fn);
}

/**
 * A server of Lambda's Runtime API.
 *
 * @param timeoutMs for one invocation: the function is told when it ends
 */
async function runtimeApi(name: string, timeoutMs: number) {
  const [channel, client] = duplexPair();
  const say = (message: object) => client.write(`${JSON.stringify(message)}\n`);
  client.setEncoding('utf8').on('data', (line: string) => next.resolve(JSON.parse(line)));
  let next = Promise.withResolvers<FunctionEvent>();
  /** Of the event that the function has. */
  let requestId: string | undefined;
  const { url, close } = await httpServer(async ({ url = '' }, response, body) => {
    if (url.endsWith('/invocation/next')) {
      if (requestId === undefined) say({ requestId: '' });
      const message = await next.promise;
      next = Promise.withResolvers();
      requestId = message.requestId;
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': requestId,
        'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
        'lambda-runtime-invoked-function-arn': `arn:aws:lambda:${REGION}:123456789012:function:${name}`,
      });
      response.end(JSON.stringify(message.event));
      return;
    }
    response.writeHead(202).end('{}');
    if (url.endsWith('/response')) say({ requestId, response: JSON.parse(body) });
    // What cannot start ends, and its log says why.
    else if (!url.endsWith('/init/error')) say({ requestId, errorMessage: body });
  });
  return { address: `127.0.0.1:${new URL(url).port}`, channel, close };
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
