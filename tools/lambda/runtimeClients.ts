/** The clients of Lambda's Runtime API that a function may run under, each in a process of its own. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TELEMETRY_FD } from './telemetry.ts';

/** What is run. */
interface FunctionCode {
  name: string;
  /** The folder with the code: on Lambda, the package's root. */
  root: string;
  /** A module under it and its export, e.g. `functions/samlLoggedIn.handler`. */
  handler: string;
}

/** How the process is started. */
export interface ClientProcess {
  args: string[];
  cwd?: string;
  /** What is set for the function besides its own environment. */
  env: Record<string, string>;
}

/** @param address of the Runtime API server, `host:port` */
export type RuntimeClient = (code: FunctionCode, address: string) => ClientProcess;

/** What a function's configuration says that its process is told. */
export interface LambdaSettings {
  memorySizeMb?: number;
  logFormat?: string;
  region?: string;
  /** On Lambda Managed Instances alone. */
  concurrency?: Concurrency;
}

/** Of one process. */
export interface Concurrency {
  /** How many invocations it has at the same time. */
  maxConcurrency: number;
  /** How many worker threads share them. */
  workers: number;
}

const LOCAL = fileURLToPath(new URL('localRuntime.mjs', import.meta.url));
const PLAIN = fileURLToPath(new URL('runtimeClient.mjs', import.meta.url));

/** Of the process, in MB: a handler that eats memory ends there, as on Lambda, and not with the machine. */
const HEAP_MB = 512;

/** A small stand-in: the function knows that it is not on Lambda. Its stack frames lead to the sources. */
export const plainClient: RuntimeClient = (code, address) => {
  const { args, env } = timedClient(code, address);
  return { args: ['--enable-source-maps', `--max-old-space-size=${HEAP_MB}`, ...args], env };
};

/** The same, which can also set the clock and answer requests to other systems out of a record. */
export const localClient: RuntimeClient = (code, address) => {
  const { args, env } = plainClient(code, address);
  return { args: [...args, LOCAL], env };
};

/** The stand-in without source maps, which are not on Lambda and cost time: for benchmarks. */
export const timedClient: RuntimeClient = ({ root, handler }, address) => ({
  args: [PLAIN, address, join(root, handler.replace(/\.handler$/, '.mjs'))],
  env: {},
});

/**
 * The client that runs functions on Lambda, with the environment that Lambda sets.
 *
 * @param file its entry point, as `runtimeInterfaceClient()` gives it
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function lambdaClient(
  file: string,
  { memorySizeMb = 512, logFormat = 'JSON', region = 'eu-central-1', concurrency }: LambdaSettings = {},
): RuntimeClient {
  return ({ name, root, handler }, address) => ({
    args: [file, handler],
    cwd: root,
    env: {
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: root,
      AWS_LAMBDA_RUNTIME_API: address,
      ...(concurrency ? manyAtATime(concurrency) : ONE_AT_A_TIME),
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySizeMb),
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: '2026/01/01/[$LATEST]0',
      AWS_LAMBDA_LOG_FORMAT: logFormat,
      // What Lambda sets where the logs are JSON and the function's configuration names no level.
      ...(logFormat === 'JSON' && { AWS_LAMBDA_LOG_LEVEL: 'INFO' }),
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_SESSION_TOKEN: 'test',
      LANG: 'en_US.UTF-8',
      TZ: ':UTC',
    },
  });
}

const ONE_AT_A_TIME = {
  _LAMBDA_TELEMETRY_LOG_FD: String(TELEMETRY_FD),
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
};

function manyAtATime({ maxConcurrency, workers }: Concurrency) {
  return {
    AWS_LAMBDA_MAX_CONCURRENCY: String(maxConcurrency),
    AWS_LAMBDA_NODEJS_WORKER_COUNT: String(workers),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'lambda-managed-instances',
  };
}
