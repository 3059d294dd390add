/**
 * `npm run verify`: whether the functions start with the settings of a stage, and what is in force then. `serverless`
 * verifies its functions in the same way before it packages them. No handler is called, unless `--try` asks for it.
 */
import { DIST, prepareBundle } from '../bundle/build.ts';
import { type Judgement, note, problem, verifyFunction } from '../deploy/verify.ts';
import { expectsHandler } from '../explain/judgedSamples.ts';
import { indented, withSource } from '../local/coldStartReport.ts';
import { Engine } from '../local/engine.ts';
import { sampleEvents } from '../local/events.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { type Arguments, STAGE, UnusableInput } from '../shared/commandLine.ts';
import { findingText } from '../shared/finding.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { isWrong, runReport } from './checkReport.ts';
import { isOnLambdaOnly, MAPPING_WARNING, mappingFindings, notCompared } from './guards.ts';
import { Run } from './run.ts';

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
      about: 'sends the events that expect a configured handler through it, unchecked, and compares',
    },
  },
  example: '--stage prod --try',
  found:
    'a function would respond to every login with an error, a deployment would be refused, or --try finds a difference or no event',
} as const satisfies Command;

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
    const verified = await verifyFunction({ name, env, sourceOf: settings.sourceOf });
    isGood = tell(verified) && isGood;
    const handlerModule = settings.handlerOf(name);
    const loaded = { root: DIST, stage: settings };
    const odd = handlerModule ? await mappingFindings([{ functionName: name, handlerModule }], loaded) : [];
    for (const finding of odd) console.log(findingText(finding));
    if (isTried && verified.problems.length === 0)
      isGood = tell(await tryHandler(name, settings, verified.coldStart)) && isGood;
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

/** Sends the events that expect the handler in force through it, unchecked: a problem where one differs, or there is none. */
async function tryHandler(name: string, stage: Stage, { reason }: LogRecord): Promise<Judgement> {
  const handler = stage.handlerOf(name);
  if (handler === undefined || reason !== undefined) return note(`${name}: no handler of your own to try`);
  if (isOnLambdaOnly(handler)) return note(`${name}: ${handler} is on Lambda only, and was not tried`);
  const samples = (await sampleEvents()).filter(
    ({ functionName, expected }) =>
      functionName === name && expected !== null && expectsHandler(expected, handler),
  );
  if (samples.length === 0) return problem(findingText(notCompared(name, handler, stage), process.stderr));
  const engine = await Engine.open({ stage, handlers: [handler], isAlone: true });
  try {
    const result = await new Run(engine).of(samples, { isOfAllEvents: true, functions: [name] });
    // These are told without a try too.
    const findings = result.findings.filter(({ code }) => code !== MAPPING_WARNING);
    const told = runReport({ ...result, findings }, { hasRows: false, showsAll: true }, process.stderr);
    return isWrong(result) ? problem(told) : note(told);
  } finally {
    await engine.close();
  }
}
