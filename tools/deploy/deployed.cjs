/** What a deployment changes of the one before: told a line a change, and refused where it takes a protection away. */
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { awsFailure } = require('../shared/awsFailures.ts');
const { problemsOfProviders, problemsOfSides } = require('./capacityProvider.cjs');
const { changesOf } = require('./changes.cjs');

const WEAKER = 'This takes a protection away from what is deployed. If you mean it, add --accept-weaker';

/**
 * @param refuse ends the command: `(text) => never`
 * @param acceptsWeaker whether a deployment may take a protection away
 * @param names the names of functions by their logical ids
 * @param tell writes a line
 * @returns compares a template with the deployed one, which it asks for once: `(template, { hasExemptions }) => Promise`
 */
function comparisonWithDeployed(serverless, { refuse, acceptsWeaker, names, tell }) {
  let deployed;
  return async (template, judged) => {
    deployed ??= deployedTemplate(serverless, { refuse, acceptsWeaker, tell });
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
async function deployedTemplate(serverless, { refuse, acceptsWeaker, tell }) {
  const provider = serverless.getProvider('aws');
  const { CloudFormationClient, GetTemplateCommand } = libraryOf(
    serverless,
    '@aws-sdk/client-cloudformation',
  );
  const client = new CloudFormationClient(await provider.getAwsSdkV3Config());
  const StackName = provider.naming.getStackName();
  try {
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName }));
    return JSON.parse(TemplateBody);
  } catch (error) {
    if (error.name === 'ValidationError' && error.message.includes('does not exist')) return {};
    const cure =
      awsFailure(error) ?? `${error.name}: allow cloudformation:GetTemplate, or add --accept-weaker`;
    const problem = `the template of ${StackName} cannot be read, and nothing compared with it`;
    if (!acceptsWeaker) refuse(`${problem}: ${cure}`);
    tell(`${problem}: ${error.name}`);
    return {};
  }
}

function askForProvider(serverless) {
  const { LambdaClient, GetCapacityProviderCommand } = libraryOf(serverless, '@aws-sdk/client-lambda');
  return async (CapacityProviderName) => {
    const client = new LambdaClient(await serverless.getProvider('aws').getAwsSdkV3Config());
    const { CapacityProvider } = await client.send(new GetCapacityProviderCommand({ CapacityProviderName }));
    return CapacityProvider ?? {};
  };
}

/** A template that an earlier deployment left in its bucket. */
async function templateInBucket(serverless, Bucket, folder) {
  const provider = serverless.getProvider('aws');
  const { S3Client, GetObjectCommand } = libraryOf(serverless, '@aws-sdk/client-s3');
  const client = new S3Client(await provider.getAwsSdkV3Config());
  const Key = `${folder}/${provider.naming.getCompiledTemplateS3Suffix()}`;
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return JSON.parse(await Body.transformToString());
}

/** One of those that `serverless` itself uses. */
function libraryOf({ config }, name) {
  return createRequire(join(config.serverlessPath, 'serverless.js'))(name);
}

module.exports = { comparisonWithDeployed, templateInBucket };
