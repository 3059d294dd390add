/** `self-test`: asks the deployed functions what is in force and within reach, by a direct invocation. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SelfTestReport } from '../../lib/login/selfTest.ts';
import { indented, refusals } from '../local/coldStartReport.ts';
import { requestFailure, stageOnAws } from '../shared/awsAccess.ts';
import { type Arguments, DEPLOYED_STAGE, UnusableInput } from '../shared/commandLine.ts';
import { deployedName, FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { table } from '../shared/readable.ts';
import type { Command } from '../shared/usage.ts';

export const COMMAND = {
  name: 'self-test',
  purpose: 'asks the deployed functions what is in force, and what they can reach',
  options: { stage: DEPLOYED_STAGE },
  example: '--stage prod',
  found: 'a function could not handle a login',
} as const satisfies Command;

export async function main({ values }: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const { stage, region } = stageOnAws(values.stage);
  const client = new LambdaClient({ region });
  const names = FUNCTION_NAMES.map((name) => deployedName(stage.name, name));
  const reports = await Array.fromAsync(names, (name) => ask(client, name, region));
  for (const report of reports) tell(report);
  return reports.every(({ ok }) => ok) ? 0 : 1;
}

/** @throws {UnusableInput} */
async function ask(client: LambdaClient, FunctionName: string, region: string): Promise<SelfTestReport> {
  const command = new InvokeCommand({ FunctionName, Payload: '{"selfTest":true}' });
  const { Payload, FunctionError } = await client.send(command).catch((error: Error) => {
    const isThere = error.name !== 'ResourceNotFoundException';
    const why = isThere
      ? requestFailure(error, 'lambda:InvokeFunction')
      : `it is not deployed in ${region}: deploy the stage, or give another --stage or AWS_REGION`;
    throw new UnusableInput(`${FunctionName} cannot be invoked: ${why}`);
  });
  const answer = Payload?.transformToString() ?? '';
  if (FunctionError) throw new UnusableInput(`${FunctionName} failed; its log says why: ${answer}`);
  const report = JSON.parse(answer);
  if (typeof report?.ok === 'boolean') return report;
  throw new UnusableInput(`${FunctionName} has no self-test: deploy the stage again`);
}

/** What is in force, and what is in the way of logins. */
function tell({ function: name, version, ok, handler, settings, secrets, keySets }: SelfTestReport): void {
  const reached = [
    ...Object.entries(secrets).map(([id, outcome]) => [`secret ${id}`, outcome]),
    ...Object.entries(keySets).map(([issuer, outcome]) => [`keys of ${issuer}`, outcome]),
  ];
  const rows = [
    ...[['version', version], ['handler', handler.source], ...reached],
    ...Object.entries(settings).map(([setting, value]) => [setting, JSON.stringify(value)]),
  ];
  console.log(`${table([name, ''], rows)}\n`);
  if (ok) return;
  const { source, loaded, reason } = handler;
  const module = loaded ? {} : { module: source };
  const problems = [
    ...(reason === undefined ? [] : refusals(name, { ...module, ...handler })),
    ...reached
      .filter(([, outcome]) => outcome !== 'ok')
      .map(([what, outcome]) => `${what}: ${outcome}, see the table of reasons in docs/operate.md`),
  ];
  console.error(`${name} would respond to logins with an error:\n${indented(problems)}`);
}
