/** What a deployment has left in AWS, and its functions as they would run there. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { type FunctionConfiguration, GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CLIENT } from '../aws/machine/runtimeInterfaceClient.ts';
import { account } from './account.ts';
import { ask, clientConfig, endpoint } from './aws.ts';
import type { FunctionName, RunningFunction } from './bundle.ts';
import { startLambda } from './lambda.ts';

const STACK = 'login-hooks-dev';
const cloudFormation = new CloudFormationClient(clientConfig());
const lambda = new LambdaClient(clientConfig());

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

/** The resources of the template that was deployed, of the types that begin so. */
async function deployedResources(type: string): Promise<Resource[]> {
  const { TemplateBody = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName: STACK }));
  const { Resources } = JSON.parse(TemplateBody) as { Resources: Record<string, Resource> };
  return Object.values(Resources).filter(({ Type }) => Type.startsWith(type));
}

interface DeployedFunction {
  configuration: FunctionConfiguration;
  /** Its package. */
  zip: Buffer;
}

/** @throws {Error} where the package is not the one that the function has */
export async function deployedFunction(name: FunctionName): Promise<DeployedFunction> {
  const command = new GetFunctionCommand({ FunctionName: `${STACK}-${name}` });
  const { Configuration: configuration = {}, Code = {} } = await lambda.send(command);
  // moto names a bucket of AWS's own, which it has not got; the key is the one in the bucket that was deployed to.
  const { pathname } = new URL(Code.Location ?? '');
  const { buckets } = await account();
  const response = await ask('s3', `/${buckets[0]}${pathname}`);
  const zip = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(zip).digest('base64');
  if (sha256 !== configuration.CodeSha256) throw new Error(`${name} has other code than was fetched`);
  return { configuration, zip };
}

/**
 * Runs a function's package under the client that runs it on Lambda, with the environment that its configuration
 * says, what Lambda sets, and where moto is.
 *
 * @param folder to unpack it in
 * @param env of this machine
 */
export async function startDeployed(
  name: FunctionName,
  folder: string,
  env: Record<string, string> = {},
): Promise<RunningFunction> {
  const { configuration, zip } = await deployedFunction(name);
  const { FunctionName = '', Handler = '', Timeout = 0, MemorySize = 0, Environment } = configuration;
  const root = mkdtempSync(join(folder, 'task-'));
  writeFileSync(`${root}.zip`, zip);
  execFileSync('python3', ['-m', 'zipfile', '-e', `${root}.zip`, root]);
  // Where AWS is, as a file of its own library says it: a function on Lambda refuses the variable for it.
  const AWS_CONFIG_FILE = `${root}.config`;
  writeFileSync(AWS_CONFIG_FILE, `[default]\nendpoint_url = ${endpoint()}\n`);
  return startLambda({
    name: FunctionName,
    root,
    handler: Handler,
    timeoutMs: Timeout * 1_000,
    memorySizeMb: MemorySize,
    logFormat: await logFormat(FunctionName),
    env: { ...Environment?.Variables, ...env, AWS_CONFIG_FILE },
    clientFile: CLIENT,
  });
}

/** Out of the template: moto does not keep it. */
async function logFormat(functionName: string): Promise<string> {
  const functions = await deployedResources('AWS::Lambda::Function');
  const deployed = functions.find(({ Properties }) => Properties.FunctionName === functionName);
  return (deployed?.Properties.LoggingConfig as { LogFormat?: string } | undefined)?.LogFormat ?? 'Text';
}
