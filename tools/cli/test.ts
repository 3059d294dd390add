/**
 * `login-hooks test`: all that can be wrong with a project, for its `npm test`. Each event has the handler that it expects, whatever
 * the settings name, and no request is sent to another system: the result is the same on each machine.
 */
import { Engine } from '../local/engine.ts';
import { EVENTS } from '../local/events.ts';
import { type Arguments, STAGE } from '../shared/commandLine.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { isWrong, runReport } from './report.ts';
import { Run } from './run.ts';
import { handlersOf, samplesIn } from './samples.ts';

export const COMMAND = {
  name: 'test',
  purpose: "checks a project's types, events and the coverage of its mappings, for its npm test",
  options: { stage: STAGE },
  example: '--stage prod',
  found:
    'a type is wrong, a handler fails, a response differs, no event hits a rule or table row, the handler in force refuses nobody, or an attack gets in',
} as const satisfies Command;

export async function main({ values }: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const stage = new Stage(values.stage, process.env, { asksForSecrets: false });
  const samples = await samplesIn(EVENTS);
  await using engine = await Engine.open({ stage, handlers: handlersOf(samples, stage) });
  const parts = { types: true, coverage: true, attack: true, isOfAllEvents: true, isComplete: true };
  const result = await new Run(engine, { ...parts, isAsExpected: true, offline: true }).of(samples);
  const findings = result.findings.filter(({ level }) => level !== 'note');
  console.log(runReport({ ...result, findings }, []));
  return isWrong(result) ? 1 : 0;
}
