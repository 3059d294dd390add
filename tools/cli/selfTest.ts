/**
 * `npm run self-test [-- --stage prod --region eu-central-1]`: asks both deployed functions what is in force and within
 * reach, by a direct invocation with the credentials of the AWS SDK. Exit code 1 where a login could not be answered.
 */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SelfTestReport } from '../../lib/login/selfTestReport.ts';
import { FUNCTIONS, readCommandLine, run, UnusableInput } from './commandLine.ts';
import { table } from './table.ts';

const USAGE = 'usage: npm run self-test [-- --stage dev --region eu-central-1]';
const DEFAULT_REGION = 'eu-central-1';

await run(async () => {
  const { values } = readCommandLine(USAGE, 0, { stage: { type: 'string' }, region: { type: 'string' } });
  const region = values.region ?? process.env.AWS_REGION ?? DEFAULT_REGION;
  const client = new LambdaClient({ region });
  for (const name of Object.values(FUNCTIONS)) {
    const report = await ask(client, `login-hooks-${values.stage ?? 'dev'}-${name}`);
    console.log(`${table([name, report.ok ? 'ok' : 'NOT OK'], rowsOf(report))}\n`);
    if (!report.ok) process.exitCode = 1;
  }
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
