/** What there is in the AWS account, as moto shows it. */
import { CloudFormationClient, ListStacksCommand } from '@aws-sdk/client-cloudformation';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ask, clientConfig } from './aws.ts';

/** The names of all that a deployment makes and moto keeps: no API, which moto does not make. */
export async function account() {
  return {
    stacks: await stacks(),
    functions: (await functions()).sort(),
    roles: xmlTexts(await textOf('iam', '/?Action=ListRoles&Version=2010-05-08'), 'RoleName'),
    buckets: xmlTexts(await textOf('s3', '/'), 'Name'),
    logGroups: (await logGroups()).sort(),
  };
}

async function stacks(): Promise<string[]> {
  const client = new CloudFormationClient(clientConfig());
  const { StackSummaries = [] } = await client.send(new ListStacksCommand());
  client.destroy();
  const there = StackSummaries.filter(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
  return there.map(({ StackName = '' }) => StackName);
}

async function functions(): Promise<string[]> {
  const client = new LambdaClient(clientConfig());
  const { Functions = [] } = await client.send(new ListFunctionsCommand());
  client.destroy();
  return Functions.map(({ FunctionName = '' }) => FunctionName);
}

async function logGroups(): Promise<string[]> {
  const response = await ask('logs', '/', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'Logs_20140328.DescribeLogGroups',
    },
    body: '{}',
  });
  const { logGroups } = (await response.json()) as { logGroups: { logGroupName: string }[] };
  return logGroups.map(({ logGroupName }) => logGroupName);
}

async function textOf(service: string, path: string): Promise<string> {
  return (await ask(service, path)).text();
}

/** What stands in each element of this name that holds text alone. */
function xmlTexts(xml: string, element: string): string[] {
  return Array.from(
    xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g')),
    ([, text = '']) => text,
  );
}
