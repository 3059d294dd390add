/** `login`: answers one event. An error that its handler decided is an answer, and no failure. */

import { KINDS } from '../../lib/kinds.ts';
import { moduleOf } from '../bundle/handlers.ts';
import { readsOf } from '../explain/reads.ts';
import { eventsPath, functionIn, functionOf } from '../local/events.ts';
import { frozenTimeOf } from '../local/httpEvent.ts';
import { printedLines } from '../local/process/logRecords.ts';
import { type Arguments, HANDLER, readJsonFile, STAGE, UnusableInput } from '../shared/commandLine.ts';
import { kindOf } from '../shared/functions.ts';
import { requireFunction } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { explain } from './explain.ts';
import { failureLines } from './failure.ts';
import { openEngine } from './samples.ts';

const WORDS = Object.values(KINDS).map(({ word }) => word);

export const COMMAND = {
  name: 'login',
  purpose: 'runs one event, and prints the response',
  positionals: [
    { name: '<openid|saml>', about: 'the kind of login', choices: WORDS },
    { name: '<event.json>', about: 'the file of an event, e.g. events/openidLoggedIn/entra.json' },
  ],
  options: {
    handler: HANDLER,
    explain: { type: 'boolean', about: 'explains the response' },
    values: { type: 'boolean', about: 'adds to --explain the values that the handler used' },
    verbose: { type: 'boolean', about: 'prints the log too, on stderr' },
    'at-event-time': { type: 'boolean', about: 'sets the clock of the function to the time of the event' },
    stage: STAGE,
  },
  example: 'openid events/openidLoggedIn/entra.json --explain',
  found: 'the handler or the function failed, or did not respond in time',
} as const satisfies Command;

export async function main({
  positionals: [kind = '', given = ''],
  values,
}: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const { functionName = '' } = Object.values(KINDS).find(({ word }) => word === kind) ?? {};
  if (values.values && !values.explain) throw new UnusableInput('expected --explain with --values');
  const stage = new Stage(values.stage);
  const file = eventsPath(given);
  const event = await readJsonFile(file);
  refuseOtherKind(event, file, functionName);
  const frozenTime = values['at-event-time'] ? frozenTimeOf(event) : null;
  await using engine = await openEngine(stage, [functionName], values.handler);
  const handlerModule = values.handler && moduleOf(values.handler);
  const question = { functionName, handlerModule, isChecked: true, event, frozenTime };
  const answered = await engine.invoke({ ...question, requests: 'live' });
  if (values.explain) {
    const reads = await readsOf({ answered, event, functionName }, engine);
    const options = { reads, showsValues: values.values === true };
    console.error(`${explain({ answered, event, functionName }, engine, options)}\n`);
  }
  for (const line of values.verbose ? [answered.output] : printedLines(answered.output)) console.error(line);
  if (answered.response !== null) console.log(JSON.stringify(answered.result, null, 2));
  const problems = failureLines(answered, process.stderr);
  for (const line of problems) console.error(line);
  if (problems.length === 0 && !values.explain) {
    const by = values.handler ?? stage.answeringOf(functionName);
    console.error(`${answered.reason} by ${by}: --explain says why, --verbose prints the log`);
  }
  return answered.failed === null && answered.unavailable === null ? 0 : 1;
}

/** An event of the other kind, or none at all: its log would name each field that an event of this kind has. */
function refuseOtherKind(event: unknown, file: string, functionName: string): void {
  const found = functionIn(event) ?? functionOf(event, file);
  requireFunction(found);
  if (found === functionName) return;
  const [expected, given] = [found, functionName].map((name) => KINDS[kindOf(name)].word);
  throw new UnusableInput(`${file}: this is an event of ${found}: write ${expected} instead of ${given}`);
}
