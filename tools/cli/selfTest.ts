/**
 * `npm run self-test`: asks both deployed functions what is in force and within
 * reach, by a direct invocation with the credentials of the AWS SDK. Exit code 1 where a login could not be answered.
 */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SelfTestReport } from '../../lib/login/selfTestReport.ts';
import { type Command, FUNCTIONS, runCommand, UnusableInput } from './commandLine.ts';
import { table } from './table.ts';

const DEFAULT_REGION = 'eu-central-1';

const COMMAND = {
  name: 'npm run self-test',
  purpose: 'asks the deployed functions what is in force, and what they can reach',
  options: {
    stage: { type: 'string', value: '<stage>', default: 'dev', about: 'the stage that is deployed' },
    region: { type: 'string', value: '<region>', about: `default: AWS_REGION, or ${DEFAULT_REGION}` },
  },
  example: '--stage prod --region eu-central-1',
  found: 'a function could not answer a login',
} as const satisfies Command;

await runCommand(COMMAND, async ({ values }) => {
  const region = values.region ?? process.env.AWS_REGION ?? DEFAULT_REGION;
  const client = new LambdaClient({ region });
  let exitCode: 0 | 1 = 0;
  for (const name of Object.values(FUNCTIONS)) {
    const report = await ask(client, `login-hooks-${values.stage}-${name}`);
    console.log(`${table([name, report.ok ? 'ok' : 'NOT OK'], rowsOf(report))}\n`);
    if (!report.ok) exitCode = 1;
  }
  return exitCode;
});

async function ask(client: LambdaClient, functionName: string): Promise<SelfTestReport> {
  const command = new InvokeCommand({ FunctionName: functionName, Payload: '{"selfTest":true}' });
  const { Payload, FunctionError } = await client.send(command).catch((error: Error) => {
    throw new UnusableInput(`${functionName} cannot be asked: ${error.name}: ${error.message}`);
  });
  const answer = Payload?.transformToString() ?? '';
  if (FunctionError) throw new UnusableInput(`${functionName} failed: ${answer}`);
  const report = JSON.parse(answer);
  if (typeof report?.ok === 'boolean') return report;
  throw new UnusableInput(`${functionName} has no self-test: it answered ${answer}`);
}

function rowsOf({ version, handler, settings, secrets, keySets }: SelfTestReport): string[][] {
  const { source, loaded, ...why } = handler;
  return [
    ['version', version],
    ['handler', `${source}: ${loaded ? 'loaded' : JSON.stringify(why)}`],
    ...Object.entries(secrets).map(([id, outcome]) => [`secret ${id}`, outcome]),
    ...Object.entries(keySets).map(([issuer, outcome]) => [`keys of ${issuer}`, outcome]),
    ...Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)]),
  ];
}
