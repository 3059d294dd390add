/** The login functions of a stage in Lambda: whether they are there, as this project would deploy them, with their secrets. */
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { prepareBundle } from '../bundle/build.ts';
import { CODE_VERSION, codeVersion } from '../deploy/codeVersion.ts';
import { usedSecretIds } from '../deploy/secretRights.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Finding } from '../shared/finding.ts';
import { CONFIGURATION, ofProject } from '../shared/project.ts';
import { FUNCTION_NAMES, SERVICE } from '../shared/projectFunctions.ts';
import { LOCAL_SETTING } from '../shared/settingNames.ts';
import type { Stage } from '../shared/stage.ts';
import type { Aws } from './awsRequests.ts';
import { callerFindings } from './callers.ts';
import { error, inconclusive, note, warning } from './findings.ts';

/** Of the settings, what a function gets in another way. */
const NOT_COMPARED = [LOCAL_SETTING, CODE_VERSION];

/** @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html */
const DEPRECATED_AT: Readonly<Record<string, string>> = {
  'nodejs20.x': '2026-04-30',
  'nodejs22.x': '2027-04-30',
  'nodejs24.x': '2028-04-30',
};
const DAY_MS = 86_400_000;
/** AWS writes to the owners of functions so long before. */
const NOTICE_DAYS = 180;

export async function awsFindings(aws: Aws, stage: Stage, nowMs: number): Promise<Finding[]> {
  await prepareBundle();
  const version = await codeVersion();
  const found = await Promise.all([
    ...FUNCTION_NAMES.map((name) => ofFunction(aws, stage, { name, version, nowMs })),
    ...usedSecretIds(stage.env).map((id) => ofSecret(aws, id)),
  ]);
  return [...found.flat(), ...aws.unanswered];
}

/** Whether a function of this stage is in AWS. */
export async function isDeployed(aws: Aws, stage: string): Promise<boolean> {
  const found = await Promise.all(
    FUNCTION_NAMES.map((name) => configurationOf(aws, deployedName(stage, name))),
  );
  return found.some(Boolean);
}

/** @throws {UnusableInput} where the configuration does not have the name of the service written out */
function deployedName(stage: string, functionName: string): string {
  if (SERVICE !== null) return `${SERVICE}-${stage}-${functionName}`;
  const expected = 'expected a name that is written out, because the names of the functions begin with it';
  throw new UnusableInput(`${ofProject(CONFIGURATION)}: service: ${expected}`);
}

function configurationOf(aws: Aws, FunctionName: string) {
  return aws.ask('lambda:GetFunctionConfiguration', FunctionName, () =>
    aws.functions.send(new GetFunctionConfigurationCommand({ FunctionName })),
  );
}

interface Expected {
  name: string;
  /** Of the code. */
  version: string;
  /** Milliseconds since 1970. */
  nowMs: number;
}

async function ofFunction(aws: Aws, stage: Stage, { name, version, nowMs }: Expected): Promise<Finding[]> {
  const subject = deployedName(stage.name, name);
  const configuration = await configurationOf(aws, subject);
  if (configuration === null) return [];
  if (configuration === undefined) {
    const change = `npx serverless deploy --stage ${stage.name}, or set AWS_REGION`;
    return [error('function_missing', subject, `no such function in ${aws.region}`, change)];
  }
  const {
    Environment: { Variables = {}, Error: hidden } = {},
    Handler,
    Runtime = 'an image',
  } = configuration;
  const isSigned = Variables.CALLER_CHECK === 'signature';
  return [
    ...ofRuntime(subject, Runtime, nowMs),
    ...ofHandler(subject, Handler, `dist/functions/${name}.handler`),
    ...(hidden
      ? [inconclusive(subject, 'its settings are encrypted: allow kms:Decrypt for the key of the function')]
      : [
          ...ofCode(subject, Variables, version),
          ...ofSettings(subject, Variables, stage.environmentOf(name)),
        ]),
    ...(await callerFindings(aws, subject, isSigned)),
  ];
}

/** @param runtime e.g. `nodejs24.x` */
export function ofRuntime(subject: string, runtime: string, nowMs: number): Finding[] {
  const date = DEPRECATED_AT[runtime];
  const change = 'update login-hooks to a version for a newer runtime, and deploy it';
  if (date === undefined) {
    const message = `this version of login-hooks does not know when ${runtime} ends`;
    return [note('runtime_unknown', subject, message, change)];
  }
  const days = Math.floor((Date.parse(date) - nowMs) / DAY_MS);
  if (days >= NOTICE_DAYS) return [];
  const message = `Lambda gives ${runtime} no updates from ${date} on`;
  return [(days < 0 ? error : warning)('runtime_ends', subject, message, change)];
}

/** A layer that wraps the handler has another. */
function ofHandler(subject: string, handler = '', expected = ''): Finding[] {
  if (handler === expected || handler.startsWith('/opt/')) return [];
  const change = 'find out who changed it (CloudTrail, UpdateFunctionConfiguration), and deploy';
  return [error('handler_differs', subject, `its handler is not ${expected}`, change)];
}

const DEPLOY = 'deploy this project, or find out which one was deployed';

function ofCode(subject: string, { [CODE_VERSION]: found }: NodeJS.ProcessEnv, expected: string): Finding[] {
  if (found === expected) return [];
  const message = `its code is another build (${found ?? 'without a version'}) than that of this project (${expected})`;
  return [error('code_differs', subject, message, DEPLOY)];
}

/** Only names are told: a value may be a secret by mistake. */
function ofSettings(subject: string, actual: NodeJS.ProcessEnv, expected: NodeJS.ProcessEnv): Finding[] {
  const names = SETTING_NAMES.filter(
    (name) => !NOT_COMPARED.includes(name) && actual[name] !== expected[name],
  );
  if (names.length === 0) return [];
  const message = `settings are not those of this project: ${names.join(', ')}`;
  return [error('settings_differ', subject, message, DEPLOY)];
}

/** By its description: its value is never read. */
async function ofSecret(aws: Aws, SecretId: string): Promise<Finding[]> {
  const found = await aws.ask('secretsmanager:DescribeSecret', SecretId, () =>
    aws.secrets.send(new DescribeSecretCommand({ SecretId })),
  );
  if (found === null) return [];
  const { DeletedDate, VersionIdsToStages = {} } = found ?? {};
  const hasValue = Object.values(VersionIdsToStages).some((labels) => labels.includes('AWSCURRENT'));
  if (found !== undefined && DeletedDate === undefined && hasValue) return [];
  const problem =
    found === undefined
      ? 'no such secret in this region'
      : DeletedDate === undefined
        ? 'it has no current value'
        : 'it is scheduled for deletion';
  const message = `${problem}: each login that needs it ends with an error`;
  const change = 'create, restore or fill it, or correct the setting that names it and deploy';
  return [error('secret_missing', SecretId, message, change)];
}
