/** What a deployment changes of the one before: told a line a change, and refused where it takes a protection away. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { awsFailure } from '../shared/awsFailures.ts';
import { problemsOfProviders, problemsOfSides } from './capacityProvider.ts';
import { changesOf } from './changes.ts';
import type { Refuse, Serverless } from './service.ts';

interface Options {
  refuse: Refuse;
  /** Whether a deployment may take a protection away. */
  acceptsWeaker: boolean;
  /** The names of functions by their logical ids. */
  names: ReadonlyMap<string, string>;
  /** Writes a line. */
  tell(line: string): void;
}

export interface Judged {
  /** Whether the template has ways in that something guards which no template shows. */
  hasExemptions: boolean;
}

/** What is used of the libraries of `serverless`. */
interface Libraries {
  '@aws-sdk/client-cloudformation': typeof import('@aws-sdk/client-cloudformation');
  '@aws-sdk/client-lambda': typeof import('@aws-sdk/client-lambda');
  '@aws-sdk/client-s3': {
    S3Client: new (
      config: object,
    ) => { send(command: object): Promise<{ Body: { transformToString(): Promise<string> } }> };
    GetObjectCommand: new (input: { Bucket: string; Key: string }) => object;
  };
}

const WEAKER = 'This removes a protection that is deployed. If you mean it, add --accept-weaker';

/** @returns compares a template with the deployed one, which it asks for once */
export function comparisonWithDeployed(
  serverless: Serverless,
  options: Options,
): (template: object, judged: Judged) => Promise<void> {
  const { refuse, acceptsWeaker, names, tell } = options;
  let deployed: Promise<object> | undefined;
  return async (template, judged) => {
    deployed ??= deployedTemplate(serverless, options);
    const sides = problemsOfSides(await deployed, template);
    const { problems, notes } = await problemsOfProviders(template, askForProvider(serverless));
    if (sides.length + problems.length > 0) refuse([...sides, ...problems].join('\n'));
    for (const note of notes) tell(note);
    const changes = changesOf(await deployed, template, judged);
    for (const { id, text, isWeaker } of changes) {
      tell(`${names.get(id) ?? id}: ${text}${isWeaker ? ' (weaker)' : ''}`);
    }
    if (changes.some(({ isWeaker }) => isWeaker) && !acceptsWeaker) refuse(WEAKER);
  };
}

/**
 * The template of the stack as it is deployed; an empty one where there is no stack. Where it cannot be read, nobody
 * knows which protections there are: that counts as taking one away.
 */
async function deployedTemplate(
  serverless: Serverless,
  { refuse, acceptsWeaker, tell }: Options,
): Promise<object> {
  const provider = serverless.getProvider('aws');
  const { CloudFormationClient, GetTemplateCommand } = libraryOf(
    serverless,
    '@aws-sdk/client-cloudformation',
  );
  const client = new CloudFormationClient(await provider.getAwsSdkV3Config());
  const StackName = provider.naming.getStackName();
  try {
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName }));
    return JSON.parse(TemplateBody ?? '');
  } catch (caught) {
    const error = caught as Error;
    if (error.name === 'ValidationError' && error.message.includes('does not exist')) return {};
    const cure =
      awsFailure(error) ?? `${error.name}: allow cloudformation:GetTemplate, or add --accept-weaker`;
    const problem = `the template of ${StackName} cannot be read, so nothing can be compared`;
    if (!acceptsWeaker) refuse(`${problem}: ${cure}`);
    tell(`${problem}: ${error.name}`);
    return {};
  }
}

function askForProvider(serverless: Serverless) {
  const { LambdaClient, GetCapacityProviderCommand } = libraryOf(serverless, '@aws-sdk/client-lambda');
  return async (CapacityProviderName: string) => {
    const client = new LambdaClient(await serverless.getProvider('aws').getAwsSdkV3Config());
    const { CapacityProvider } = await client.send(new GetCapacityProviderCommand({ CapacityProviderName }));
    return CapacityProvider ?? {};
  };
}

/** A template that an earlier deployment left in its bucket. */
export async function templateInBucket(
  serverless: Serverless,
  Bucket: string,
  folder: string,
): Promise<object> {
  const provider = serverless.getProvider('aws');
  const { S3Client, GetObjectCommand } = libraryOf(serverless, '@aws-sdk/client-s3');
  const client = new S3Client(await provider.getAwsSdkV3Config());
  const Key = `${folder}/${provider.naming.getCompiledTemplateS3Suffix()}`;
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return JSON.parse(await Body.transformToString());
}

/** One of those that `serverless` itself uses. */
function libraryOf<TName extends keyof Libraries>({ config }: Serverless, name: TName): Libraries[TName] {
  return createRequire(join(config.serverlessPath, 'serverless.js'))(name);
}
