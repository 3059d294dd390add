/** What a deployment has left in AWS, and its functions as they run there: each in a process of its own, one event at a time. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type FunctionEvent, FunctionProcess } from '../../../tools/local/process/functionProcess.ts';
import { type FunctionName, type RunningFunction, running } from '../../support/bundle.ts';
import { httpServer } from '../../support/servers.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { account, ask, clientConfig, endpoint, REGION } from './aws.ts';
import { CLIENT } from './runtimeInterfaceClient.ts';

const lambda = new LambdaClient(clientConfig());
const folder = temporaryFolder();

/** @throws {Error} where the package is not the one that the function has */
export async function deployedFunction(name: FunctionName) {
  const command = new GetFunctionCommand({ FunctionName: `login-hooks-dev-${name}` });
  const { Configuration: configuration = {}, Code = {} } = await lambda.send(command);
  // moto names a bucket of AWS's own, which it has not got; the key is the one in the bucket that was deployed to.
  const { pathname } = new URL(Code.Location ?? '');
  const { buckets } = await account();
  const response = await ask('s3', `/${buckets[0]}${pathname}`);
  const zip = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(zip).digest('base64');
  if (sha256 !== configuration.CodeSha256) throw new Error(`${name} has other code than was fetched`);
  return { configuration, zip };
}

/**
 * Runs a function's package under the client that runs it on Lambda, with the environment that its configuration says, what
 * Lambda sets, and where moto is.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export async function startDeployed(
  name: FunctionName,
  env: Record<string, string> = {},
): Promise<RunningFunction> {
  const { configuration, zip } = await deployedFunction(name);
  const { FunctionName = '', Handler = '', Timeout = 0, MemorySize, Environment } = configuration;
  const root = mkdtempSync(join(folder, 'task-'));
  writeFileSync(`${root}.zip`, zip);
  execFileSync('python3', ['-m', 'zipfile', '-e', `${root}.zip`, root]);
  // Where AWS is, as a file of its own library says it: a function on Lambda refuses the variable for it.
  const AWS_CONFIG_FILE = `${root}.config`;
  writeFileSync(AWS_CONFIG_FILE, `[default]\nendpoint_url = ${endpoint()}\n`);
  const timeoutMs = Timeout * 1_000;
  const api = await runtimeApi(FunctionName, timeoutMs);
  const child = spawn(process.execPath, [CLIENT, Handler], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Environment?.Variables,
      ...env,
      AWS_CONFIG_FILE,
      _HANDLER: Handler,
      LAMBDA_TASK_ROOT: root,
      AWS_LAMBDA_RUNTIME_API: api.address,
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_FUNCTION_NAME: FunctionName,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${FunctionName}`,
      AWS_LAMBDA_LOG_STREAM_NAME: '2026/01/01/[$LATEST]0',
      // moto does not keep the format, which the tests of the package show. The level is Lambda's where the function names none.
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_LEVEL: 'INFO',
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
  return running(new FunctionProcess({ name: FunctionName, timeoutMs }, child, api.channel));
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
