/** Judges each template at the moment when it is written or uploaded, after all that other plugins do to it. */
const { comparisonWithDeployed, templateInBucket } = require('./deployed.cjs');
const { loginFunctions } = require('./functions.ts');
const { judge, problemsOfExemptions } = require('./waysIn/judge.ts');

/**
 * Lifecycle hooks run in the order of the plugins, so a later plugin could edit the template after ours. The template
 * is judged right before these steps of `serverless` itself instead, and compared with the one that is deployed.
 */
const STEPS = [
  { plugin: 'AwsPackage', step: 'saveCompiledTemplate', templateOf: finishedTemplate },
  // With `deploy --package`, the template in memory is the one of the package.
  { plugin: 'AwsDeploy', step: 'createStack', templateOf: finishedTemplate, isCompared: true },
  { plugin: 'AwsDeploy', step: 'createStack', templateOf: firstTemplate, isPartial: true },
  { plugin: 'AwsDeploy', step: 'uploadCloudFormationFile', templateOf: finishedTemplate, isCompared: true },
  // What an earlier deployment had may have needed no exemption.
  {
    plugin: 'AwsRollback',
    step: 'updateStack',
    templateOf: uploadedTemplate,
    isPartial: true,
    isCompared: true,
  },
];

/**
 * @param refuse ends the command: `(text) => never`
 * @param acceptsWeaker whether a deployment may take a protection away
 */
function judgeUploads(serverless, { refuse, acceptsWeaker }) {
  // Read once: `deploy --package` replaces the configuration by that of the package.
  const guardedElsewhere = serverless.service.custom?.loginHooks?.guardedElsewhere ?? {};
  const { naming } = serverless.getProvider('aws');
  const names = new Map(
    loginFunctions(serverless.service).map(({ name }) => [naming.getLambdaLogicalId(name), name]),
  );
  const tell = tellOnce();
  const judgeTemplate = (template, isPartial) => {
    const options = { guardedElsewhere, functions: isPartial ? [] : [...names.keys()] };
    const { problems, guarded, notes } = judge(template, options);
    const unused = problemsOfExemptions(guardedElsewhere, isPartial ? null : guarded);
    const texts = [...problems.map(({ text }) => text), ...unused];
    if (texts.length > 0) refuse(texts.join('\n'));
    for (const { id, reason } of guarded) tell(`${id} is guarded elsewhere: ${reason}`);
    for (const note of notes) tell(note);
    return { hasExemptions: guarded.length > 0 };
  };
  const compare = comparisonWithDeployed(serverless, { refuse, acceptsWeaker, names, tell });
  for (const { plugin: name, step, templateOf, isPartial = false, isCompared = false } of STEPS) {
    const plugin = serverless.pluginManager.getPlugins().find((one) => one.constructor.name === name);
    const run = plugin?.[step];
    if (typeof run !== 'function') refuse(`expected a version of serverless that has ${name}.${step}`);
    plugin[step] = async (...args) => {
      const template = await templateOf(plugin);
      const judged = judgeTemplate(template, isPartial);
      if (isCompared) await compare(template, judged);
      return run.apply(plugin, args);
    };
  }
}

/** The steps of one command see the same things. */
function tellOnce() {
  const told = new Set();
  return (line) => {
    if (!told.has(line)) console.error(line);
    told.add(line);
  };
}

function finishedTemplate({ serverless }) {
  return serverless.service.provider.compiledCloudFormationTemplate;
}

/** What a new stack begins with, or an old one gets first: the bucket for deployments, unless that is elsewhere. */
function firstTemplate({ serverless }) {
  return serverless.service.provider.coreCloudFormationTemplate ?? {};
}

/** The template of an earlier deployment, as `serverless rollback` has chosen it. */
function uploadedTemplate({ serverless, bucketName }) {
  return templateInBucket(serverless, bucketName, serverless.service.package.artifactDirectoryName);
}

module.exports = { judgeUploads };
