/** What there is in the AWS account, as moto shows it. */
import { ask } from './aws.ts';

/** The names of all that a deployment makes and moto keeps: no API, which moto does not make. */
export async function account() {
  const describeLogGroups = {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'Logs_20140328.DescribeLogGroups',
    },
    body: '{}',
  };
  return {
    stacks: await namesIn('cloudformation', '/?Action=DescribeStacks&Version=2010-05-15', 'StackName'),
    functions: await namesIn('lambda', '/2015-03-31/functions/', 'FunctionName'),
    roles: await namesIn('iam', '/?Action=ListRoles&Version=2010-05-08', 'RoleName'),
    buckets: await namesIn('s3', '/', 'Name'),
    logGroups: await namesIn('logs', '/', 'logGroupName', describeLogGroups),
  };
}

/** What stands in each field of this name, in XML or JSON. */
async function namesIn(service: string, path: string, field: string, init?: RequestInit): Promise<string[]> {
  const text = await (await ask(service, path, init)).text();
  const values = text.matchAll(new RegExp(`(?:<${field}>|"${field}": ?")([^<"]*)`, 'g'));
  return Array.from(values, ([, value = '']) => value).sort();
}
