/** The login functions of a stage in Lambda: whether they are there, as this project would deploy them, and not switched off. */
import { GetFunctionConcurrencyCommand, GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { CONFIGURATION, ofProject } from '../shared/project.ts';
import { FUNCTION_NAMES, SERVICE } from '../shared/projectFunctions.ts';
import { LOCAL_SETTING } from '../shared/settingNames.ts';
import type { Stage } from '../shared/stage.ts';
import type { Aws } from './aws.ts';
import { callers } from './callers.ts';
import { type DoctorFinding, finding } from './examination.ts';
import { runtimeFindings } from './runtimes.ts';

/**
 * What the names of a stage's functions begin with.
 *
 * @throws {UnusableInput} where the configuration does not have the name of the service written out
 */
export function stackName({ name }: Stage): string {
  if (SERVICE !== null) return `${SERVICE}-${name}`;
  const expected = 'expected a name that is written out, because the names of the functions begin with it';
  throw new UnusableInput(`${ofProject(CONFIGURATION)}: service: ${expected}`);
}

export async function functionFindings(aws: Aws, stage: Stage, nowMs: number): Promise<DoctorFinding[]> {
  const found = await Promise.all(FUNCTION_NAMES.map((name) => ofFunction(aws, stage, name, nowMs)));
  return found.flat();
}

async function ofFunction(aws: Aws, stage: Stage, name: string, nowMs: number): Promise<DoctorFinding[]> {
  const FunctionName = `${stackName(stage)}-${name}`;
  const configuration = await aws.ask('lambda:GetFunctionConfiguration', FunctionName, () =>
    aws.functions.send(new GetFunctionConfigurationCommand({ FunctionName })),
  );
  if (configuration === null) return [];
  if (configuration === undefined) {
    const cure = `npx serverless deploy --stage ${stage.name}, or set AWS_REGION`;
    return [finding('function_missing', FunctionName, `no such function in ${aws.region}`, cure)];
  }
  const { Environment = {}, Handler, Runtime = 'an image' } = configuration;
  const { Variables = {} } = Environment;
  if (Environment.Error) {
    const message = 'its settings are encrypted: allow kms:Decrypt for the key of the function';
    aws.unasked.push({ subject: FunctionName, message });
  }
  return [
    ...runtimeFindings(FunctionName, Runtime, nowMs),
    ...ofHandler(FunctionName, Handler, `dist/functions/${name}.handler`),
    ...(Environment.Error ? [] : ofSettings(FunctionName, Variables, stage.environmentOf(name))),
    ...(await ofConcurrency(aws, FunctionName)),
    ...(await callers(aws, FunctionName, Variables.CALLER_CHECK === 'signature')),
  ];
}

/** A layer that wraps the handler has another. */
function ofHandler(subject: string, handler = '', expected = ''): DoctorFinding[] {
  if (handler === expected || handler.startsWith('/opt/')) return [];
  const cure = 'find out who changed it (CloudTrail, UpdateFunctionConfiguration), and deploy';
  return [finding('handler_differs', subject, `its handler is not ${expected}`, cure)];
}

/** Names alone: a value may be a secret by mistake. */
function ofSettings(
  subject: string,
  actual: NodeJS.ProcessEnv,
  expected: NodeJS.ProcessEnv,
): DoctorFinding[] {
  const names = SETTING_NAMES.filter((name) => name !== LOCAL_SETTING && actual[name] !== expected[name]);
  if (names.length === 0) return [];
  const message = `settings are not those of this project: ${names.join(', ')}`;
  return [
    finding('settings_differ', subject, message, 'deploy this project, or find out which one was deployed'),
  ];
}

async function ofConcurrency(aws: Aws, FunctionName: string): Promise<DoctorFinding[]> {
  const reserved = await aws.ask('lambda:GetFunctionConcurrency', FunctionName, () =>
    aws.functions.send(new GetFunctionConcurrencyCommand({ FunctionName })),
  );
  if (reserved?.ReservedConcurrentExecutions !== 0) return [];
  const message = 'its reserved concurrency is 0: Lambda refuses every login';
  const cure = 'aws lambda delete-function-concurrency, or another RESERVED_CONCURRENCY and a deployment';
  return [finding('function_switched_off', FunctionName, message, cure)];
}
