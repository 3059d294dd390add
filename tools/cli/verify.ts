/**
 * `npm run verify`: whether the functions start with the settings of a stage, and what is in force then. `serverless`
 * verifies its functions in the same way before it packages them. No handler is called, unless `--try` asks for it.
 */
import { join, relative } from 'node:path';
import { KINDS } from '../../lib/kinds.ts';
import { prepareBundle } from '../bundle/prepareBundle.ts';
import { type Judgement, note, problem, verifyFunction } from '../deploy/verify.ts';
import { answerSample } from '../local/answerSample.ts';
import { indented, withSource } from '../local/coldStartReport.ts';
import { EVENTS } from '../local/events.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { type Arguments, readJsonFile, STAGE, UnusableInput } from '../shared/commandLine.ts';
import { kindOf } from '../shared/functions.ts';
import { PROJECT } from '../shared/project.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { Stage, withoutChecks } from '../shared/stage.ts';
import { type Command, typed } from '../shared/usage.ts';

const NAMES: readonly string[] = FUNCTION_NAMES;

export const COMMAND = {
  name: 'verify',
  purpose: 'starts the functions with the settings of a stage, and prints what is in force or what is wrong',
  positionals: [
    {
      name: '<function>',
      about: `${NAMES.join(' or ')}; default: all of the project`,
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: {
    stage: STAGE,
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

export async function main({
  positionals,
  values: { stage = STAGE.default, try: isTried },
}: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const settings = new Stage(stage);
  const unknown = positionals.find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new UnusableInput(
      `${unknown} is not a function: expected ${NAMES.join(' or ')}; a stage goes after --stage`,
    );
  const names = positionals.length > 0 ? positionals : NAMES;
  await prepareBundle();
  const deployment = settings.judgeDeployment();
  for (const text of deployment.notes) console.error(text);
  let isGood = tell(ofDeployment(deployment.problems, settings));
  for (const name of names) {
    const env = settings.environmentOf(name);
    const verified = await verifyFunction({ label: name, name, env, sourceOf: settings.sourceOf });
    isGood = tell(verified) && isGood;
    if (isTried && verified.problems.length === 0)
      isGood = tell(await tryHandler(name, env, stage, verified.coldStart)) && isGood;
  }
  return isGood ? 0 : 1;
}

/** @returns whether nothing is wrong */
function tell({ notes, problems }: Judgement): boolean {
  for (const text of notes) console.log(text);
  for (const text of problems) console.error(text);
  return problems.length === 0;
}

/** What a deployment with these settings would be refused for. */
function ofDeployment(problems: readonly string[], { sourceOf }: Stage): Judgement {
  if (problems.length === 0) return { notes: [], problems: [] };
  const told = problems.map((one) => withSource(one, sourceOf));
  return problem(`a deployment would be refused:\n${indented(told)}`);
}

/** Calls the configured handler with a sample event: a problem where it answers with none of the three responses. */
async function tryHandler(
  name: string,
  env: NodeJS.ProcessEnv,
  stage: string,
  { handler, reason }: LogRecord,
): Promise<Judgement> {
  if (handler === 'default' || reason !== undefined) return note(`${name}: no handler of your own to try`);
  const file = join(EVENTS, name, SAMPLE);
  const result = await answerSample(name, await readJsonFile(file), withoutChecks(env));
  const sample = relative(PROJECT, file);
  const login = typed('login', KINDS[kindOf(name)].word);
  if ('failed' in result)
    return problem(`${name}: ${sample} → failed: ${result.failed}\nSee ${login} ${sample} --stage ${stage}`);
  const answered = `${name}: ${sample} → ${result.answer.type} (${result.reason})`;
  if (result.reason !== 'issuer_not_listed') return note(answered);
  return note(
    `${answered}\n  the handler does not list the sample's issuer, so nothing else of it was tried; ` +
      `${login} <event.json> --stage ${stage} tries an event of your own`,
  );
}
