/** The client that runs functions on Lambda, in a process with the environment that Lambda sets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { DIST } from '../../../tools/bundle/build.ts';
import { TELEMETRY_FD } from './telemetry.ts';

export interface LambdaCode {
  name: string;
  /** The bundle's root: on Lambda, the package's. */
  root?: string;
  /** A module under it and its export. Default: `functions/<name>.handler`. */
  handler?: string;
  /** The function's own environment. */
  env?: NodeJS.ProcessEnv;
  /** The entry point of the client, as `runtimeInterfaceClient()` gives it. */
  clientFile: string;
}

/** What a function's configuration says that its process is told. */
export interface LambdaSettings {
  memorySizeMb?: number;
  logFormat?: string;
  region?: string;
}

/**
 * @param address of the Runtime API server, `host:port`
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function spawnLambda(
  { name, root = DIST, handler = `functions/${name}.handler`, env, clientFile }: LambdaCode,
  address: string,
  { memorySizeMb = 512, logFormat = 'JSON', region = 'eu-central-1' }: LambdaSettings = {},
): ChildProcess {
  return spawn(process.execPath, [clientFile, handler], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      ...env,
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: root,
      AWS_LAMBDA_RUNTIME_API: address,
      _LAMBDA_TELEMETRY_LOG_FD: String(TELEMETRY_FD),
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

export function functionArn(name: string): string {
  return `arn:aws:lambda:eu-central-1:123456789012:function:${name}`;
}
