/**
 * `npm run verify`: whether both functions start with the settings of the environment: the settings usable, the
 * configured handlers and shadows there. `serverless` runs it before it packages; a mistake would answer every login with an
 * error. It says what is in force. Exit code 1 where a mistake is found. No handler is called, unless `--try` asks for it.
 */
import { isAbsolute, join, relative } from 'node:path';
import { prepareBundle } from '../bundle/prepareBundle.ts';
import { answerSample } from '../local/answerSample.ts';
import { type ColdStart, coldStartFailed, coldStartIn } from '../local/coldStart.ts';
import { EVENTS } from '../local/events.ts';
import { indented, inForce, refusals, type SourceOf, shadowRefusals, withSource } from '../local/inForce.ts';
import { startFunction } from '../local/process/functionProcess.ts';
import type { LogRecord } from '../local/process/records.ts';
import { FunctionFailed } from '../local/process/runtime.ts';
import { FUNCTIONS, readJsonFile, runCommand, STAGE, UnusableInput } from '../shared/commandLine.ts';
import {
  environmentFor,
  handlerIn,
  judgeDeployment,
  sourceOfSetting,
  useStage,
  withoutChecks,
} from '../shared/environment.ts';
import { PROJECT } from '../shared/project.ts';
import type { Command } from '../shared/usage.ts';

const NAMES = Object.values(FUNCTIONS);

const COMMAND = {
  name: 'npm run verify',
  purpose: 'starts the functions with the settings of a stage, and prints what is in force or what is wrong',
  positionals: [
    {
      name: '<function>',
      about: 'openidLoggedIn, samlLoggedIn; or name:samlLoggedIn for one of another name; default: both',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: {
    stage: STAGE,
    sources: {
      type: 'string',
      value: '<list>',
      about: 'for serverless, which has read the settings into the environment: the source of each',
    },
    try: {
      type: 'boolean',
      about: 'calls each configured handler with a sample event, unchecked, and prints the response',
    },
  },
  example: '--stage prod --try',
  found:
    'a function would respond to every login with an error, its shadow cannot be loaded, or a deployment would be refused',
} as const satisfies Command;

/** A login as a known service sends it, of a person who does not exist. */
const SAMPLE = 'service-form.json';

/** What is about to be packaged must not have what is for one's own machine alone. */
const AS_ON_LAMBDA = { ...process.env, AWS_LAMBDA_RUNTIME_API: 'none' };

interface Started {
  /** The name in the service. */
  label: string;
  /** The function's name in the bundle. */
  name: string;
  env: NodeJS.ProcessEnv;
  /** Whose settings these are. */
  stage: string;
}

await runCommand(COMMAND, async ({ positionals, values: { stage, sources, try: isTried } }) => {
  useStage(stage);
  const functions = (positionals.length > 0 ? positionals : NAMES).map((given) => {
    const [label = '', name = label] = given.split(':');
    if (!NAMES.includes(name)) {
      throw new UnusableInput(
        `${given} is not a function: expected ${NAMES.join(' or ')}; a stage goes after --stage`,
      );
    }
    return { label, name, stage, env: sources === undefined ? environmentFor(name) : AS_ON_LAMBDA };
  });
  const sourceOf = sources === undefined ? sourceOfSetting : sourceAmong(sources);
  await prepareBundle();
  // `serverless` judges them itself, and this process does not have them then.
  const isDeployable = sources !== undefined || tellDeployment(judgeDeployment());
  let exitCode: 0 | 1 = isDeployable ? 0 : 1;
  for (const one of functions) {
    const { handler, shadow } = await startOf(one);
    const isUsable = [tell(one, handler, sourceOf), tellShadow(one, shadow, sourceOf)].every(Boolean);
    const isGood = isUsable && (!isTried || (await tryHandler(one, handler)));
    if (!isGood) exitCode = 1;
  }
  return exitCode;
});

/** @param list e.g. `CALLER_CHECK=.env.prod,SAML_HANDLER_MODULE=serverless.yml` */
function sourceAmong(list: string): SourceOf {
  const sources = Object.fromEntries(list.split(',').map((one) => one.split('=')));
  return (setting) => sources[setting] ?? 'environment';
}

/** The event is no login, so that no handler is called with it. */
async function startOf({ name, env }: Started): Promise<ColdStart> {
  const fn = await startFunction({ name, env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'INFO' }, isLocal: true });
  try {
    await fn.invoke({});
    return coldStartIn(fn.output());
  } catch (error) {
    if (!(error instanceof FunctionFailed)) throw error;
    process.stderr.write(fn.output());
    return coldStartFailed(error, handlerIn(env, name));
  } finally {
    await fn.stop();
  }
}

/** Says what is wrong with the settings of the deployment, and what it leaves out; returns whether nothing is wrong. */
function tellDeployment({ problems, notes }: ReturnType<typeof judgeDeployment>): boolean {
  for (const note of notes) console.error(note);
  if (problems.length === 0) return true;
  const told = problems.map((problem) => withSource(problem, sourceOfSetting));
  console.error(`a deployment would be refused:\n${indented(told)}`);
  return false;
}

/** Says what is in force, or what is wrong; returns whether logins can be answered. */
function tell(
  { label, name }: Pick<Started, 'label' | 'name'>,
  record: LogRecord,
  sourceOf: SourceOf,
): boolean {
  if (record.reason === undefined) {
    console.log(`${label}: ${inForce(name, record)}`);
    return true;
  }
  if (isOfLayer(record)) {
    console.log(
      `${label}: ${inForce(name, record)}; the handler is not on this machine, and was not verified`,
    );
    return true;
  }
  console.error(
    `${label} would respond to every login with an error:\n${indented(refusals(name, record, sourceOf))}`,
  );
  return false;
}

/** Logins do not need the shadow, and a deployment whose shadow does not load would compare nothing. */
function tellShadow(
  { label, name }: Pick<Started, 'label' | 'name'>,
  record: LogRecord | undefined,
  sourceOf: SourceOf,
): boolean {
  if (record === undefined) return true;
  if (isOfLayer(record)) {
    console.log(`${label}: the shadow is not on this machine, and was not verified`);
    return true;
  }
  console.error(
    `${label} would compare no login, because its shadow cannot be loaded:\n${indented(shadowRefusals(name, record, sourceOf))}`,
  );
  return false;
}

/** A module of a layer is on Lambda alone: that it is not here says nothing. */
function isOfLayer({ module, lookedFor }: LogRecord): boolean {
  return lookedFor !== undefined && typeof module === 'string' && isAbsolute(module);
}

/** Calls the configured handler with a sample event; returns whether it answered with one of the three responses. */
async function tryHandler(
  { label, name, env, stage }: Started,
  { handler, reason }: LogRecord,
): Promise<boolean> {
  if (handler === 'default' || reason !== undefined) {
    console.log(`${label}: no handler of your own to try`);
    return true;
  }
  const file = join(EVENTS, name, SAMPLE);
  const result = await answerSample(name, await readJsonFile(file), withoutChecks(env));
  const sample = relative(PROJECT, file);
  const login = `npm run login -- ${Object.keys(FUNCTIONS).find((one) => FUNCTIONS[one] === name)}`;
  if ('failed' in result) {
    console.error(`${label}: ${sample} → failed: ${result.failed}`);
    console.error(`See ${login} ${sample} --stage ${stage}`);
    return false;
  }
  console.log(`${label}: ${sample} → ${result.answer.type} (${result.reason})`);
  if (result.reason === 'issuer_not_listed') {
    console.log(
      `  the handler does not list the sample's issuer, so nothing else of it was tried; ` +
        `${login} <event.json> --stage ${stage} tries an event of your own`,
    );
  }
  return true;
}
