/** Judges each template at the moment when it is written or uploaded, after all that other plugins do to it. */
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { loginFunctions } = require('./functions.cjs');
const { judge, problemsOfExemptions } = require('./waysIn/judge.cjs');

/**
 * Lifecycle hooks run in the order of the plugins, so a later plugin could edit the template after ours. The template
 * is judged right before these steps of `serverless` itself instead.
 */
const STEPS = [
  { plugin: 'AwsPackage', step: 'saveCompiledTemplate', templateOf: finishedTemplate },
  // With `deploy --package`, the template in memory is the one of the package.
  { plugin: 'AwsDeploy', step: 'createStack', templateOf: finishedTemplate },
  { plugin: 'AwsDeploy', step: 'createStack', templateOf: firstTemplate, isPartial: true },
  { plugin: 'AwsDeploy', step: 'uploadCloudFormationFile', templateOf: finishedTemplate },
  // What an earlier deployment had may have needed no exemption.
  { plugin: 'AwsRollback', step: 'updateStack', templateOf: uploadedTemplate, isPartial: true },
];

const ELSEWHERE =
  'Where something else guards a way in, such as mutual TLS or a private network, say so: ' +
  'custom.loginHooks.guardedElsewhere: {LogicalId: reason}';

/** @param refuse ends the command: `(text) => never` */
function judgeUploads(serverless, refuse) {
  // Read once: `deploy --package` replaces the configuration by that of the package.
  const guardedElsewhere = serverless.service.custom?.loginHooks?.guardedElsewhere ?? {};
  const { naming } = serverless.getProvider('aws');
  const functions = loginFunctions(serverless.service).map(({ name }) => naming.getLambdaLogicalId(name));
  const told = new Set();
  const judgeTemplate = (template, isPartial) => {
    const options = { guardedElsewhere, functions: isPartial ? [] : functions };
    const { problems, guarded } = judge(template, options);
    const unused = problemsOfExemptions(guardedElsewhere, isPartial ? null : guarded);
    const texts = [...problems.map(({ text }) => text), ...unused];
    if (texts.length > 0) refuse([...texts, ...(problems.length > 0 ? [ELSEWHERE] : [])].join('\n'));
    for (const { id, reason } of guarded.filter(({ id }) => !told.has(id))) {
      console.error(`${id} is guarded elsewhere: ${reason}`);
      told.add(id);
    }
  };
  for (const { plugin: name, step, templateOf, isPartial = false } of STEPS) {
    const plugin = serverless.pluginManager.getPlugins().find((one) => one.constructor.name === name);
    const run = plugin?.[step];
    if (typeof run !== 'function') refuse(`expected a version of serverless that has ${name}.${step}`);
    plugin[step] = async (...args) => {
      judgeTemplate(await templateOf(plugin), isPartial);
      return run.apply(plugin, args);
    };
  }
}

function finishedTemplate({ serverless }) {
  return serverless.service.provider.compiledCloudFormationTemplate;
}

/** What a new stack begins with, or an old one gets first: the bucket for deployments, unless that is elsewhere. */
function firstTemplate({ serverless }) {
  return serverless.service.provider.coreCloudFormationTemplate ?? {};
}

/** The template of an earlier deployment, as `serverless rollback` has chosen it. */
async function uploadedTemplate({ serverless, provider, bucketName }) {
  const ofServerless = createRequire(join(serverless.config.serverlessPath, 'serverless.js'));
  const { S3Client, GetObjectCommand } = ofServerless('@aws-sdk/client-s3');
  const client = new S3Client(await provider.getAwsSdkV3Config());
  const folder = serverless.service.package.artifactDirectoryName;
  const Key = `${folder}/${provider.naming.getCompiledTemplateS3Suffix()}`;
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucketName, Key }));
  return JSON.parse(await Body.transformToString());
}

module.exports = { judgeUploads };
