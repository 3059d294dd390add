/** A function in a process of its own under the client that runs it on Lambda, one invocation at a time. */
import type { Readable } from 'node:stream';
import { DEFAULT_TIMEOUT_MS, FunctionProcess } from '../../../tools/local/process/functionProcess.ts';
import { functionArn, type LambdaCode, type LambdaSettings, spawnLambda } from './lambdaClient.ts';
import { RuntimeApi } from './runtimeApi.ts';
import { readTelemetry, TELEMETRY_FD } from './telemetry.ts';

export interface LambdaOptions extends LambdaCode {
  /** In milliseconds. */
  timeoutMs?: number;
}

export async function startLambda(
  options: LambdaOptions,
  settings: LambdaSettings = {},
): Promise<FunctionProcess> {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const api = new RuntimeApi(functionArn(name), timeoutMs);
  const child = spawnLambda(options, await api.open(), settings);
  child.on('close', () => api.close());
  const fn = new FunctionProcess(name, timeoutMs, child, api);
  readTelemetry(child.stdio[TELEMETRY_FD] as Readable, (line) => fn.write(line));
  return fn;
}
