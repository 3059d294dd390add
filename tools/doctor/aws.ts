/** The login functions of a stage in Lambda: whether they are there, as this project would deploy them, with their secrets. */
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { prepareBundle } from '../bundle/build.ts';
import { CODE_VERSION, codeVersion } from '../deploy/codeVersion.ts';
import { usedSecretIds } from '../deploy/rights.ts';
import { error, type Finding, note, warning } from '../shared/finding.ts';
import { deployedName, FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { LOCAL_SETTING } from '../shared/settingNames.ts';
import type { Stage } from '../shared/stage.ts';
import type { Aws } from './awsRequests.ts';
import { callerFindings } from './callers.ts';
import { inconclusive } from './findings.ts';

const DEPLOY = 'deploy this project, or find out who changed the function (CloudTrail)';

/** @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html */
const DEPRECATED_AT: Readonly<Record<string, string>> = {
  'nodejs20.x': '2026-04-30',
  'nodejs22.x': '2027-04-30',
  'nodejs24.x': '2028-04-30',
};
const DAY_MS = 86_400_000;
/** AWS writes to the owners of functions so long before. */
const NOTICE_DAYS = 180;

/** What functions are compared with: the digest of the code, and now in milliseconds since 1970. */
interface Expected {
  version: string;
  nowMs: number;
}

export async function awsFindings(aws: Aws, stage: Stage, nowMs: number): Promise<Finding[]> {
  await prepareBundle();
  const expected = { version: await codeVersion(), nowMs };
  const found = await Promise.all([
    ...FUNCTION_NAMES.map((name) => ofFunction(aws, stage, name, expected)),
    ...usedSecretIds(stage.env).map((id) => ofSecret(aws, id)),
  ]);
  return [...found.flat(), ...aws.unanswered];
}

export async function isDeployed(aws: Aws, stage: string): Promise<boolean> {
  const found = await Promise.all(
    FUNCTION_NAMES.map((name) => configurationOf(aws, deployedName(stage, name))),
  );
  return found.some(Boolean);
}

function configurationOf(aws: Aws, FunctionName: string) {
  return aws.ask('lambda:GetFunctionConfiguration', FunctionName, () =>
    aws.functions.send(new GetFunctionConfigurationCommand({ FunctionName })),
  );
}

async function ofFunction(aws: Aws, stage: Stage, name: string, expected: Expected): Promise<Finding[]> {
  const subject = deployedName(stage.name, name);
  const configuration = await configurationOf(aws, subject);
  if (configuration === null) return [];
  if (configuration === undefined) {
    const change = `npx serverless deploy --stage ${stage.name}, or set AWS_REGION`;
    return [error('function_missing', subject, `no such function in ${aws.region}`, change)];
  }
  const {
    Environment: { Variables, Error: hidden } = {},
    Handler = '',
    Runtime = 'an image',
  } = configuration;
  const findings = ofRuntime(subject, Runtime, expected.nowMs);
  const handler = `dist/functions/${name}.handler`;
  if (Handler !== handler)
    findings.push(error('handler_differs', subject, `its handler is not ${handler}`, DEPLOY));
  if (hidden) {
    const message = 'its settings are encrypted: allow kms:Decrypt for the key of the function';
    findings.push(inconclusive(subject, message));
  } else findings.push(...ofVariables(subject, Variables, stage.environmentOf(name), expected.version));
  const isSigned = Variables?.CALLER_CHECK === 'signature';
  return [...findings, ...(await callerFindings(aws, subject, isSigned))];
}

/** Only names are told: a value may be a secret by mistake. */
function ofVariables(
  subject: string,
  actual: NodeJS.ProcessEnv = {},
  expected: NodeJS.ProcessEnv,
  version: string,
): Finding[] {
  const findings: Finding[] = [];
  const found = actual[CODE_VERSION];
  if (found !== version) {
    const message = `its code is another build (${found ?? 'without a version'}) than that of this project (${version})`;
    findings.push(error('code_differs', subject, message, DEPLOY));
  }
  const compared = SETTING_NAMES.filter((name) => name !== LOCAL_SETTING && name !== CODE_VERSION);
  const names = compared.filter((name) => actual[name] !== expected[name]);
  if (names.length > 0) {
    const message = `settings are not those of this project: ${names.join(', ')}`;
    findings.push(error('settings_differ', subject, message, DEPLOY));
  }
  return findings;
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

/** By its description: its value is never read. */
export async function ofSecret(aws: Aws, SecretId: string): Promise<Finding[]> {
  const found = await aws.ask('secretsmanager:DescribeSecret', SecretId, () =>
    aws.secrets.send(new DescribeSecretCommand({ SecretId })),
  );
  if (found === null) return [];
  const { DeletedDate, VersionIdsToStages = {} } = found ?? {};
  const hasValue = Object.values(VersionIdsToStages).some((labels) => labels.includes('AWSCURRENT'));
  if (found !== undefined && DeletedDate === undefined && hasValue) return [];
  const lacks = DeletedDate === undefined ? 'it has no current value' : 'it is scheduled for deletion';
  const problem = found === undefined ? 'no such secret in this region' : lacks;
  const message = `${problem}: each login that needs it ends with an error`;
  const change = 'create, restore or fill it, or correct the setting that names it and deploy';
  return [error('secret_missing', SecretId, message, change)];
}
