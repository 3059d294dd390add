/** What a deployment has left in AWS, and its functions as they would run there. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStackResourceCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { type FunctionConfiguration, GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { FunctionProcess } from '../../tools/local/process/functionProcess.ts';
import { runtimeInterfaceClient } from '../aws/machine/runtimeInterfaceClient.ts';
import { ask, clientConfig, endpoint, REGION } from './aws.ts';
import { awsConfigFile } from './awsConfigFile.ts';
import type { FunctionName } from './bundle.ts';
import { startLambda } from './lambda/lambdaFunction.ts';

const STACK = 'login-hooks-dev';

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

/** The resources of the template that was deployed, of the types that begin so. */
export async function deployedResources(type: string): Promise<Resource[]> {
  const { TemplateBody = '{}' } = await cloudFormation((client) =>
    client.send(new GetTemplateCommand({ StackName: STACK })),
  );
  const { Resources } = JSON.parse(TemplateBody) as { Resources: Record<string, Resource> };
  return Object.values(Resources).filter(({ Type }) => Type.startsWith(type));
}

export interface DeployedFunction {
  configuration: FunctionConfiguration;
  /** Its package. */
  zip: Buffer;
}

/** @throws {Error} where the package is not the one that the function has */
export async function deployedFunction(name: FunctionName): Promise<DeployedFunction> {
  const client = new LambdaClient(clientConfig());
  const command = new GetFunctionCommand({ FunctionName: `${STACK}-${name}` });
  const { Configuration: configuration = {}, Code = {} } = await client.send(command);
  client.destroy();
  // moto names a bucket of AWS's own, which it has not got; the key is the one in the bucket that was deployed to.
  const { pathname } = new URL(Code.Location ?? '');
  const response = await ask('s3', `/${await deploymentBucket()}${pathname}`);
  const zip = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(zip).digest('base64');
  if (sha256 !== configuration.CodeSha256) throw new Error(`${name} has other code than was fetched`);
  return { configuration, zip };
}

async function deploymentBucket(): Promise<string> {
  const resource = { StackName: STACK, LogicalResourceId: 'ServerlessDeploymentBucket' };
  const { StackResourceDetail } = await cloudFormation((client) =>
    client.send(new DescribeStackResourceCommand(resource)),
  );
  return StackResourceDetail?.PhysicalResourceId ?? '';
}

async function cloudFormation<TResult>(
  use: (client: CloudFormationClient) => Promise<TResult>,
): Promise<TResult> {
  const client = new CloudFormationClient(clientConfig());
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
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
): Promise<FunctionProcess> {
  const clientFile = runtimeInterfaceClient();
  if (clientFile === null)
    throw new Error("expected Lambda's runtime interface client: run npm run test:aws");
  const { configuration, zip } = await deployedFunction(name);
  const { FunctionName = '', Handler = '', Timeout = 0, MemorySize = 0, Environment } = configuration;
  const code = {
    name: FunctionName,
    root: unpack(zip, folder),
    handler: Handler,
    timeoutMs: Timeout * 1_000,
    env: { ...Environment?.Variables, ...env, AWS_CONFIG_FILE: awsConfigFile(endpoint()) },
    clientFile,
  };
  const settings = { region: REGION, memorySizeMb: MemorySize, logFormat: await logFormat(FunctionName) };
  return startLambda(code, settings);
}

/** Unpacks a package, as Lambda does; the folder of its files. */
function unpack(zip: Buffer, folder: string): string {
  const root = mkdtempSync(join(folder, 'task-'));
  const file = `${root}.zip`;
  writeFileSync(file, zip);
  execFileSync('python3', ['-m', 'zipfile', '-e', file, root]);
  return root;
}

/** Out of the template: moto does not keep it. */
async function logFormat(functionName: string): Promise<string> {
  const functions = await deployedResources('AWS::Lambda::Function');
  const deployed = functions.find(({ Properties }) => Properties.FunctionName === functionName);
  return (deployed?.Properties.LoggingConfig as { LogFormat?: string } | undefined)?.LogFormat ?? 'Text';
}
