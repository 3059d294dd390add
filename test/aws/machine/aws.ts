/** AWS as moto plays it, on this machine. */

export const REGION = 'eu-central-1';

/** @throws {Error} outside of `npm run test:aws` */
export function endpoint(): string {
  const { AWS_ENDPOINT_URL } = process.env;
  if (!AWS_ENDPOINT_URL) throw new Error('expected AWS_ENDPOINT_URL: run npm run test:aws');
  return AWS_ENDPOINT_URL;
}

/** For AWS's own clients. moto takes whatever credentials there are. */
export function clientConfig() {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return { endpoint: endpoint(), region: REGION, credentials };
}

/** The same for other processes. */
export function awsEnvironment() {
  return {
    AWS_ENDPOINT_URL: endpoint(),
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
}

/**
 * Asks a service that the project has no client for. moto takes the service's name out of the signature, which it
 * does not check.
 */
export async function ask(service: string, path: string, init: RequestInit = {}): Promise<Response> {
  const scope = `test/20260101/${REGION}/${service}/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`;
  const response = await fetch(endpoint() + path, { ...init, headers: { authorization, ...init.headers } });
  if (!response.ok) throw new Error(`${service} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** The names of all that a deployment makes and moto keeps: no API, which moto does not make. */
export async function account() {
  return {
    stacks: await namesIn('cloudformation', '/?Action=DescribeStacks&Version=2010-05-15', 'StackName'),
    functions: await namesIn('lambda', '/2015-03-31/functions/', 'FunctionName'),
    roles: await namesIn('iam', '/?Action=ListRoles&Version=2010-05-08', 'RoleName'),
    buckets: await namesIn('s3', '/', 'Name'),
    logGroups: await namesIn('logs', '/', 'logGroupName', {
      method: 'POST',
      headers: { 'x-amz-target': 'Logs_20140328.DescribeLogGroups' },
      body: '{}',
    }),
  };
}

/** What stands in each field of this name, in XML or JSON. */
async function namesIn(service: string, path: string, field: string, init?: RequestInit): Promise<string[]> {
  const text = await (await ask(service, path, init)).text();
  const values = text.matchAll(new RegExp(`(?:<${field}>|"${field}": ?")([^<"]*)`, 'g'));
  return Array.from(values, ([, value = '']) => value).sort();
}
