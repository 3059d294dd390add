/**
 * `npm run self-test`: asks the deployed functions what is in force and within
 * reach, by a direct invocation with the credentials of the AWS SDK. Exit code 1 where a login could not be answered.
 */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { KINDS } from '../../lib/kinds.ts';
import type { SelfTestReport } from '../../lib/login/selfTest.ts';
import { indented, inForce, refusals } from '../local/coldStartReport.ts';
import { accessAws, REGION, regionOf } from '../shared/awsAccess.ts';
import { awsFailure } from '../shared/awsFailures.ts';
import { type Arguments, UnusableInput } from '../shared/commandLine.ts';
import { kindOf } from '../shared/functions.ts';
import { deployedName, FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import { table } from '../shared/table.ts';
import type { Command } from '../shared/usage.ts';

export const COMMAND = {
  name: 'self-test',
  purpose: 'asks the deployed functions what is in force, and what they can reach',
  options: {
    stage: { type: 'string', value: '<stage>', default: 'dev', about: 'the stage that is deployed' },
    region: REGION,
  },
  example: '--stage prod --region eu-central-1',
  found: 'a function could not handle a login',
} as const satisfies Command;

export async function main({ values: { stage, region } }: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  accessAws(new Stage(stage, process.env, { mayBeDeployed: true }));
  const client = new LambdaClient({ region: regionOf(region) });
  const reports: SelfTestReport[] = [];
  for (const name of FUNCTION_NAMES) reports.push(await ask(client, stage, name));
  for (const report of reports) console.log(`${table([report.function, ''], rowsOf(report))}\n`);
  for (const report of reports) tell(report);
  return reports.every(({ ok }) => ok) ? 0 : 1;
}

async function ask(client: LambdaClient, stage: string, name: string): Promise<SelfTestReport> {
  const FunctionName = deployedName(stage, name);
  const command = new InvokeCommand({ FunctionName, Payload: '{"selfTest":true}' });
  const { Payload, FunctionError } = await client.send(command).catch(async (error: Error) => {
    throw new UnusableInput(
      `${FunctionName} cannot be invoked: ${awsFailure(error) ?? (await cureOf(error))}`,
    );
  });
  const answer = Payload?.transformToString() ?? '';
  if (FunctionError) throw new UnusableInput(`${FunctionName} failed; its log says why: ${answer}`);
  const report = JSON.parse(answer);
  if (typeof report?.ok === 'boolean') return report;
  throw new UnusableInput(`${FunctionName} has no self-test: deploy this version first`);

  async function cureOf(error: Error): Promise<string> {
    if (error.name === 'ResourceNotFoundException') {
      return `it is not deployed in ${await client.config.region()}: npx serverless deploy --stage ${stage}, or give another --stage or --region`;
    }
    if (error.name === 'AccessDeniedException')
      return 'these credentials may not invoke it: allow lambda:InvokeFunction';
    return `${error.name}: ${error.message}`;
  }
}

function rowsOf({ version, settings, secrets, keySets }: SelfTestReport): string[][] {
  return [
    ['version', version],
    ...Object.entries(secrets).map(([id, outcome]) => [`secret ${id}`, outcome]),
    ...Object.entries(keySets).map(([issuer, outcome]) => [`keys of ${issuer}`, outcome]),
    ...Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)]),
  ];
}

/** The last line of a function: what is in force, or what is in the way of logins. */
function tell({ function: name, ok, handler, settings, secrets, keySets }: SelfTestReport): void {
  const { check, issuers } = KINDS[kindOf(name)];
  const { callerCheck, requiredFields, [check]: isChecked, [issuers]: listed } = settings;
  if (ok) {
    const accepted = isChecked === 'on' && { issuers: Object.keys(listed as object) };
    const record = {
      event: 'cold_start',
      handler: handler.source,
      callerCheck,
      requiredFields,
      [check]: isChecked,
      ...accepted,
    };
    console.log(`${name}: ${inForce(name, record)}`);
    return;
  }
  const problems = [
    ...(handler.reason === undefined
      ? []
      : refusals(name, handler.loaded ? handler : { module: handler.source, ...handler })),
    ...notOk('secret', secrets),
    ...notOk('keys of', keySets),
  ];
  console.error(`${name} would respond to logins with an error:\n${indented(problems)}`);
}

function notOk(what: string, outcomes: Record<string, string>): string[] {
  const failed = Object.entries(outcomes).filter(([, outcome]) => outcome !== 'ok');
  return failed.map(
    ([id, outcome]) => `${what} ${id}: ${outcome}, see the table of reasons in docs/operate.md`,
  );
}
