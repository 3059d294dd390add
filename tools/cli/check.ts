/**
 * `check`: runs sample events, and compares with the expected responses beside them. An expected response belongs to the
 * handler that it names, or to the default one. Where the default handler is in force, each event is answered by the handler that
 * it names. Otherwise all are answered by the one in force or given, and compared where the expected response is its own.
 */
import { dirname, resolve } from 'node:path';
import { changedFiles } from '../bundle/watchFiles.ts';
import { type Change, Engine } from '../local/engine.ts';
import { EVENTS, eventsPath, labelOf, type SampleEvent } from '../local/events.ts';
import { type Arguments, expectOneOf, STAGE, UnusableInput } from '../shared/commandLine.ts';
import type { Io } from '../shared/process.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { type Checked, isWrong, runReport } from './report.ts';
import { expectedAt, reviewText } from './review.ts';
import { Run } from './run.ts';
import { expectHandler, handlersOf, samplesIn } from './samples.ts';

export const COMMAND = {
  name: 'check',
  purpose: 'sends sample events through their handlers, and compares the responses with the expected ones',
  positionals: [
    {
      name: '<events>',
      about: 'an event by its file or its short name, or a folder like events/; default: events/',
      isOptional: true,
    },
  ],
  options: {
    handler: {
      type: 'string',
      value: '<module>',
      about: 'sends all events through this handler, or default, not through the one that each expects',
    },
    stage: STAGE,
    update: { type: 'boolean', about: 'writes the responses as the expected ones' },
    accept: {
      type: 'string',
      value: '<event>',
      multiple: true,
      about:
        'with --update, writes a refusal of this event in the place of a login, or a look-up that failed. May be given several times',
    },
    record: { type: 'boolean', about: 'records the responses of other systems, for later checks' },
    offline: { type: 'boolean', about: 'sends no request to other systems' },
    coverage: { type: 'boolean', about: 'names the rules and table rows of the mapping that no event hits' },
    attack: { type: 'boolean', about: 'changes each login that is authorized, and shows what still gets in' },
    report: {
      type: 'boolean',
      about: 'prints all this for a pull request, in Markdown, without values and without a request',
    },
    against: {
      type: 'string',
      value: '<commit>',
      about: 'with --report, says how the responses differ from those that this commit of git expects',
    },
    watch: { type: 'boolean', about: 'runs again after each change of a file, and shows what changed' },
  },
  example: 'events/samlLoggedIn/keycloak.json --handler handlers/staff-group.ts',
  found:
    'a response differs, a handler fails, the one in force refuses nobody, --coverage finds a rule or row that no event hits, or --attack gets in',
} as const satisfies Command;

type Given = Arguments<typeof COMMAND.options>;

/** Options of which one makes the others pointless. */
const MODES = ['attack', 'record', 'report', 'update', 'watch'] as const;

export async function main({ positionals: [place], values }: Given, { untilEnded }: Io): Promise<0 | 1> {
  expectOneMode(values);
  const { handler, report = false, watch = false, against, accept = [] } = values;
  const offline = [values.offline, values.attack, report].includes(true);
  const stage = new Stage(values.stage, process.env, { asksForSecrets: !offline });
  expectHandler(handler);
  const path = place === undefined ? EVENTS : eventsPath(place);
  const read = () => samplesIn(path, handler);
  const samples = await read();
  for (const label of accept) expectOneOf('--accept', label, samples.map(labelOf));
  const earlier = against === undefined ? null : await expectedAt(against, samples);
  await using engine = await Engine.open({
    stage,
    handlers: handler === undefined ? handlersOf(samples, stage) : [handler],
    // A check of all events names each handler that cannot be built.
    isAlone: handler !== undefined || (place !== undefined && !watch),
    ...(watch && { watched: [path.endsWith('.json') ? dirname(path) : path] }),
  });
  const all = { coverage: true, attack: true };
  const isOfAllEvents = resolve(path) === EVENTS;
  const run = new Run(engine, { ...values, ...(report && all), offline, isOfAllEvents });
  if (watch) return await watchSamples({ engine, read, run, untilEnded });
  const result = await run.of(samples);
  const rows = values.attack ? [] : result.events;
  console.log(report ? reviewText(result, earlier) : runReport(result, rows));
  return isWrong(result) ? 1 : 0;
}

/** @throws {UnusableInput} for options that have no use for each other */
function expectOneMode(values: Given['values']): void {
  const [one, other] = MODES.filter((mode) => values[mode]);
  if (other) throw new UnusableInput(`expected --${one} or --${other}, found both`);
  if (values.offline && values.record) throw new UnusableInput('expected --offline or --record, found both');
  if (values.accept && !values.update) throw new UnusableInput('expected --update with --accept');
  if (values.against && !values.report) throw new UnusableInput('expected --report with --against');
}

interface WatchedSamples extends Io {
  engine: Engine;
  read: () => Promise<readonly SampleEvent[]>;
  run: Run;
}

/** Ends with Ctrl-C. */
async function watchSamples({ engine, read, run, untilEnded }: WatchedSamples): Promise<0> {
  let before = await run.of(await read());
  console.log(runReport(before, before.events));

  async function answerAgain({ files, problem }: Change): Promise<void> {
    if (problem !== null) return console.error(problem);
    const begun = performance.now();
    try {
      const now = await run.of(await read());
      const ms = Math.round(performance.now() - begun);
      console.log(`\n${changedFiles(files)}: ${now.events.length} events in ${ms} ms\n`);
      const known = before.events.map(comparable);
      const rows = now.events.filter((checked) => !known.includes(comparable(checked)));
      console.log(runReport(now, rows, rows));
      before = now;
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      console.error(error.message);
    }
  }

  engine.watch({ onChange: answerAgain });
  console.log('\nWatching. Ctrl-C ends it.');
  await untilEnded();
  return 0;
}

/** All that is shown of an event. */
function comparable({ sample, verdict, answered }: Checked): string {
  const { status, response, reason, failed } = answered;
  return JSON.stringify([labelOf(sample), verdict, status, response, reason, failed]);
}
