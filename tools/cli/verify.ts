/** `verify`: whether the functions start with the settings of a stage, as `serverless` verifies them before it packages. */
import { KINDS } from '../../lib/kinds.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { readSetting } from '../../lib/readSettings.ts';
import { variableOf } from '../../lib/settings.ts';
import { DIST, prepareBundle } from '../bundle/build.ts';
import { verifyFunction } from '../deploy/verify.ts';
import { listedIssuers } from '../doctor/issuers.ts';
import { isSameHandler } from '../explain/judgedSamples.ts';
import { indented, withSource } from '../local/coldStartReport.ts';
import { Engine } from '../local/engine.ts';
import { type SampleEvent, sampleEvents } from '../local/events.ts';
import { mappingOf } from '../local/mappingOf.ts';
import { type Arguments, STAGE } from '../shared/commandLine.ts';
import { concurrencyProblems, DEPLOYMENT } from '../shared/deployment.ts';
import { type Finding, findingText } from '../shared/finding.ts';
import { kindOf } from '../shared/functions.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { isOnLambdaOnly, mappingFindings } from './guards.ts';
import { isWrong, runReport } from './report.ts';
import { Run } from './run.ts';
import { handlersOf } from './samples.ts';

export const COMMAND = {
  name: 'verify',
  purpose: 'starts the functions with the settings of a stage, and prints what is in force or what is wrong',
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

export async function main({ values }: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const stage = new Stage(values.stage);
  await prepareBundle();
  for (const text of stage.notes) console.error(text);
  const ofDeployment = DEPLOYMENT.flatMap(({ variable, schema }) => {
    const text = stage.env[variable];
    return text === undefined ? [] : readSetting(variable, schema, text).problems;
  });
  const { RESERVED_CONCURRENCY, PROVISIONED_CONCURRENCY } = stage.env;
  ofDeployment.push(...concurrencyProblems(RESERVED_CONCURRENCY, PROVISIONED_CONCURRENCY));
  const problems = ofDeployment.map((one) => withSource(one, stage.sourceOf));
  const refused = problems.length > 0 ? [`a deployment would be refused:\n${indented(problems)}`] : [];
  const ofFunctions = await Array.fromAsync(FUNCTION_NAMES, (name) =>
    verifyFunction({ name, env: stage.environmentOf(name), sourceOf: stage.sourceOf }),
  );
  const judged = [{ notes: [], problems: refused }, ...ofFunctions];
  for (const { notes, problems } of judged) {
    for (const text of notes) console.log(text);
    for (const text of problems) console.error(text);
  }
  const starts = judged.every(({ problems }) => problems.length === 0);
  const refusedIssuers = starts ? await refusedIssuersOf(stage) : [];
  for (const one of refusedIssuers) console.error(findingText(one));
  const isGood = starts && refusedIssuers.length === 0;
  if (isGood && values.try) return tryHandlers(stage);
  const mappings = new Map<string, Mapping>();
  for (const functionName of FUNCTION_NAMES) {
    const handlerModule = stage.handlerOf(functionName);
    if (handlerModule === undefined) continue;
    const mapping = await mappingOf({ functionName, handlerModule }, { root: DIST, stage });
    if (mapping) mappings.set(handlerModule, mapping);
  }
  for (const one of mappingFindings(mappings)) console.log(findingText(one));
  return isGood ? 0 : 1;
}

/** Issuers of which a setting and the mapping in force refuse all logins together. */
async function refusedIssuersOf(stage: Stage): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of FUNCTION_NAMES) {
    const kind = kindOf(name);
    const isSet = stage.env[variableOf(KINDS[kind].issuers)] !== undefined;
    if (isSet && !isOnLambdaOnly(stage.handlerOf(name) ?? ''))
      findings.push(...(await listedIssuers(stage, kind, { root: DIST, stage })).findings);
  }
  return findings.filter(({ level }) => level === 'error');
}

/** Sends the events that expect a handler in force through it, unchecked. */
async function tryHandlers(stage: Stage): Promise<0 | 1> {
  const isForOne = ({ functionName, expected }: SampleEvent) => {
    const handler = stage.handlerOf(functionName);
    return handler !== undefined && expected !== null && isSameHandler(expected.handler, handler);
  };
  const samples = (await sampleEvents()).filter(isForOne);
  await using engine = await Engine.open({ stage, handlers: handlersOf(samples, stage), isAlone: true });
  const result = await new Run(engine, { isOfAllEvents: true }).of(samples);
  console.log(runReport(result, []));
  return isWrong(result) ? 1 : 0;
}
