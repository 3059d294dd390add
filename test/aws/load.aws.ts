/**
 * `npm run load --function` with signatures that are checked: moto checks them by botocore, which AWS wrote. It runs no
 * code here, which takes Docker, and answers as the test says.
 */
import { CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sampleEvents } from '../../tools/local/events.ts';
import { REGION } from '../support/aws.ts';
import { runTool } from '../support/tools.ts';
import { startMoto } from './machine/moto.ts';
import type { Server } from './machine/server.ts';

const FUNCTION = 'login-hooks-dev-openidLoggedIn';
const SAMPLE = 'events/openidLoggedIn/entra.json';
const LOGINS = 20;
/** The one before the load. */
const FIRST = 1;
const POLICY = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'lambda:*', Resource: '*' }] };
const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

/** One of its own: from `reset-auth` on, it lets nobody in without a signature. */
let moto: Server;
let credentials: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };

beforeAll(async () => {
  moto = await startMoto();
  await post('/moto-api/config', JSON.stringify({ lambda: { use_docker: false } }));
  await createFunction();
  credentials = await createUser();
  const [sample] = await sampleEvents(SAMPLE);
  const results = Array(LOGINS + FIRST).fill(JSON.stringify(sample?.expected?.answer));
  await post('/moto-api/static/lambda-simple/response', JSON.stringify({ region: REGION, results }));
  await post('/moto-api/reset-auth', '0');
}, 60_000);
afterAll(() => moto.stop());

async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(moto.url + path, { method: 'POST', body, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

async function iam(Action: string, parameters: Record<string, string>): Promise<string> {
  const scope = `test/20260101/us-east-1/iam/aws4_request`;
  return post('/', new URLSearchParams({ Action, Version: '2010-05-08', ...parameters }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`,
  });
}

async function createFunction(): Promise<void> {
  await iam('CreateRole', { RoleName: 'load', AssumeRolePolicyDocument: JSON.stringify(POLICY) });
  const client = new LambdaClient({
    endpoint: moto.url,
    region: REGION,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  await client.send(
    new CreateFunctionCommand({
      FunctionName: FUNCTION,
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Role: 'arn:aws:iam::123456789012:role/load',
      Code: { ZipFile: EMPTY_ZIP },
    }),
  );
  client.destroy();
}

async function createUser(): Promise<typeof credentials> {
  const UserName = 'load';
  await iam('CreateUser', { UserName });
  await iam('PutUserPolicy', { UserName, PolicyName: 'invoke', PolicyDocument: JSON.stringify(POLICY) });
  const key = await iam('CreateAccessKey', { UserName });
  const textIn = (name: string) => new RegExp(`<${name}>([^<]+)<`).exec(key)?.[1] ?? '';
  return { AWS_ACCESS_KEY_ID: textIn('AccessKeyId'), AWS_SECRET_ACCESS_KEY: textIn('SecretAccessKey') };
}

function load(args: string[], env: Record<string, string>) {
  const all = ['openid', SAMPLE, '--rate', String(LOGINS), '--seconds', '1', ...args];
  return runTool('load', all, { AWS_ENDPOINT_URL: moto.url, AWS_REGION: REGION, ...env });
}

const ARN = `arn:aws:lambda:${REGION}:123456789012:function:${FUNCTION}`;

test('each login is signed rightly, and answered', async () => {
  const { status, stdout, stderr } = await load(['--function', ARN, '--sign', 'iam'], credentials);
  expect(stderr).toContain('signature: iam');
  expect(stdout).toMatch(/^as expected {2}200 {5}AuthorizedUserResponse {2}20$/m);
  expect(status).toBe(0);
});

test.each<[string, Record<string, string>]>([
  ['another secret', { AWS_SECRET_ACCESS_KEY: 'other' }],
  ['an unknown key', { AWS_ACCESS_KEY_ID: 'AKIAOTHER' }],
])('a load with %s does not begin', async (_, env) => {
  const args = ['--function', FUNCTION, '--sign', 'iam'];
  const { status, stdout, stderr } = await load(args, { ...credentials, ...env });
  expect(stderr).toContain('invocations: status 403 ');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
});
