/**
 * `npm run verify`: whether both functions start with the settings of the environment: the settings usable, the
 * configured handlers there. `serverless` runs it before it packages; a mistake would answer every login with an
 * error. It says what is in force. Exit code 1 where a mistake is found. No handler is called, unless `--try` asks for it.
 */
import { isAbsolute, join, relative } from 'node:path';
import { PROJECT } from '../build.ts';
import { answerSample } from '../engine/answerSample.ts';
import { environmentFor, NO_CHECKS, useStage } from '../engine/environment.ts';
import { EVENTS } from '../engine/events.ts';
import { prepareBundle } from '../engine/prepareBundle.ts';
import { startFunction } from '../lambda/functionProcess.ts';
import type { LogRecord } from '../lambda/records.ts';
import { type Command, expectOneOf, FUNCTIONS, readJsonFile, runCommand, STAGE } from './commandLine.ts';
import { inForce, refusal } from './inForce.ts';

const NAMES = Object.values(FUNCTIONS);

const COMMAND = {
  name: 'npm run verify',
  purpose: 'starts the functions with the settings of a stage, and says what is in force or what is wrong',
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
    'no-dotenv': {
      type: 'boolean',
      about: 'the environment as it is, without a look at its names: serverless has read the file',
    },
    try: {
      type: 'boolean',
      about: 'calls each configured handler with a sample event, unchecked, and says what it answers',
    },
  },
  example: '--stage prod --try',
  found: 'a function would answer every login with an error',
} as const satisfies Command;

/** A login as a known service sends it, of a person who does not exist. */
const SAMPLE = 'service-form.json';

interface Started {
  /** The name in the service. */
  label: string;
  /** The function's name in the bundle. */
  name: string;
  root: string;
  env: NodeJS.ProcessEnv;
}

await runCommand(COMMAND, async ({ positionals, values }) => {
  useStage(values.stage);
  const functions = (positionals.length > 0 ? positionals : NAMES).map((given) => {
    const [label = '', name = label] = given.split(':');
    expectOneOf('<function>', name, NAMES);
    return { label, name, env: values['no-dotenv'] ? process.env : environmentFor(name) };
  });
  const { root } = await prepareBundle();
  let exitCode: 0 | 1 = 0;
  for (const one of functions) {
    const record = await coldStartOf({ ...one, root });
    const isGood = tell(one.label, record) && (!values.try || (await tryHandler({ ...one, root }, record)));
    if (!isGood) exitCode = 1;
  }
  return exitCode;
});

/** The event is no login, so that no handler is called with it. */
async function coldStartOf({ name, root, env }: Started): Promise<LogRecord> {
  const fn = await startFunction({ name, root, env: { ...env, AWS_LAMBDA_LOG_LEVEL: 'INFO' } });
  try {
    await fn.invoke({});
  } catch (error) {
    console.error(fn.output());
    throw error;
  } finally {
    await fn.stop();
  }
  return fn.records().find(({ event }) => event === 'cold_start') ?? { reason: 'found no log record' };
}

/** Says what is in force, or what is wrong; returns whether logins can be answered. */
function tell(label: string, record: LogRecord): boolean {
  const { reason, module, lookedFor } = record;
  if (reason === undefined) {
    console.log(`${label}: ${inForce(record)}`);
    return true;
  }
  // A module of a layer is on Lambda alone: that it is not here says nothing.
  if (lookedFor !== undefined && typeof module === 'string' && isAbsolute(module)) {
    console.log(`${label}: ${inForce(record)}; the handler is not on this machine, and was not verified`);
    return true;
  }
  console.error(`${label} would answer every login with an error: ${refusal(record)}`);
  return false;
}

/** Calls the configured handler with a sample event; returns whether it answered with one of the three responses. */
async function tryHandler(
  { label, name, root, env }: Started,
  { handler, reason }: LogRecord,
): Promise<boolean> {
  if (handler === 'default' || reason !== undefined) {
    console.log(`${label}: no handler of your own to try`);
    return true;
  }
  const file = join(EVENTS, name, SAMPLE);
  const result = await answerSample(name, await readJsonFile(file), { root, env: { ...env, ...NO_CHECKS } });
  const answer = 'failed' in result ? `failed: ${result.failed}` : `${result.answer.type} (${result.reason})`;
  console.log(`${label}: ${relative(PROJECT, file)} → ${answer}`);
  return !('failed' in result);
}
