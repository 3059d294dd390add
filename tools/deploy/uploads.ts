/** Judges each template at the moment when it is written or uploaded, after all that other plugins do to it. */
import { comparisonWithDeployed, type Judged, templateInBucket } from './deployed.ts';
import { loginFunctions } from './loginFunctions.ts';
import type { PluginOfServerless, Refuse, Serverless } from './service.ts';
import { judge, problemsOfExemptions } from './waysIn/judge.ts';

interface Step {
  /** The class of a plugin of `serverless`, and its method. */
  plugin: string;
  step: string;
  templateOf(plugin: PluginOfServerless): object | Promise<object>;
  /** Whether the template need not have all login functions. */
  isPartial?: boolean;
  isCompared?: boolean;
}

/**
 * Lifecycle hooks run in the order of the plugins, so a later plugin could edit the template after ours. The template
 * is judged right before these steps of `serverless` itself instead, and compared with the one that is deployed.
 */
const STEPS: readonly Step[] = [
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

/** @param options `acceptsWeaker`: whether a deployment may take a protection away */
export function judgeUploads(
  serverless: Serverless,
  options: { refuse: Refuse; acceptsWeaker: boolean },
): void {
  // Read once: `deploy --package` replaces the configuration by that of the package.
  const guardedElsewhere = serverless.service.custom?.loginHooks?.guardedElsewhere ?? {};
  const { naming } = serverless.getProvider('aws');
  const names = new Map(
    loginFunctions(serverless.service).map(({ name }) => [naming.getLambdaLogicalId(name), name]),
  );
  const tell = tellOnce();
  const judgeTemplate = (template: object, isPartial: boolean): Judged => {
    const functions = isPartial ? [] : [...names.keys()];
    const { problems, guarded, notes } = judge(template, { guardedElsewhere, functions });
    const unused = problemsOfExemptions(guardedElsewhere, isPartial ? null : guarded);
    const texts = [...problems.map(({ text }) => text), ...unused];
    if (texts.length > 0) options.refuse(texts.join('\n'));
    for (const { id, reason } of guarded) tell(`${id} is guarded elsewhere: ${reason}`);
    for (const note of notes) tell(note);
    return { hasExemptions: guarded.length > 0 };
  };
  const compare = comparisonWithDeployed(serverless, { ...options, names, tell });
  for (const { plugin: name, step, templateOf, isPartial = false, isCompared = false } of STEPS) {
    const plugin = serverless.pluginManager.getPlugins().find((one) => one.constructor.name === name);
    const run = plugin?.[step];
    if (plugin === undefined || typeof run !== 'function')
      options.refuse(`expected a version of serverless that has ${name}.${step}`);
    plugin[step] = async (...args: unknown[]) => {
      const template = await templateOf(plugin);
      const judged = judgeTemplate(template, isPartial);
      if (isCompared) await compare(template, judged);
      return run.apply(plugin, args);
    };
  }
}

/** The steps of one command see the same things. */
function tellOnce(): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    if (!told.has(line)) console.error(line);
    told.add(line);
  };
}

function finishedTemplate({ serverless }: PluginOfServerless): object {
  return serverless.service.provider.compiledCloudFormationTemplate;
}

/** What a new stack begins with, or an old one gets first: the bucket for deployments, unless that is elsewhere. */
function firstTemplate({ serverless }: PluginOfServerless): object {
  return serverless.service.provider.coreCloudFormationTemplate ?? {};
}

/** The template of an earlier deployment, as `serverless rollback` has chosen it. */
function uploadedTemplate({ serverless, bucketName = '' }: PluginOfServerless): Promise<object> {
  return templateInBucket(serverless, bucketName, serverless.service.package.artifactDirectoryName);
}
