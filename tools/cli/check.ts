/**
 * `npm run check`: runs sample events and compares with the expected answers beside them. Exit code 1 for any
 * difference, crash, time-out or invalid answer.
 *
 * An expected answer belongs to the handler that it names, or to the default one. Where no handler is configured or
 * given, each event is answered by that handler. Otherwise all are answered by the one configured or given, and
 * compared where the expected answer is its own. Callers, tokens and assertions are not checked, whatever the settings:
 * nobody signed the samples.
 */
import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { handlerName, isUnder } from '../build.ts';
import { answerSample, type Failure, type Result } from '../engine/answerSample.ts';
import { configuredHandler, environmentFor, NO_CHECKS, useStage } from '../engine/environment.ts';
import { EVENTS, type Expected, expectedFile, type SampleEvent, sampleEvents } from '../engine/events.ts';
import { type PreparedBundle, prepareBundle, SOURCE } from '../engine/prepareBundle.ts';
import { type Arguments, type Command, FUNCTIONS, runCommand, STAGE, UnusableInput } from './commandLine.ts';
import { table } from './table.ts';

const COMMAND = {
  name: 'npm run check',
  purpose: 'sends sample events through their handlers, and compares the answers with the expected ones',
  positionals: [
    {
      name: '<folder>',
      about: 'events/, or one like it: openidLoggedIn/*.json and samlLoggedIn/*.json',
      isOptional: true,
    },
  ],
  options: {
    handler: {
      type: 'string',
      value: '<module>',
      about: 'answers all events of a kind by this handler, not by the one that each expects',
    },
    against: { type: 'string', value: '<module>', about: 'shows what this handler answers differently' },
    stage: STAGE,
    only: {
      type: 'string',
      value: '<openid|saml>',
      choices: Object.keys(FUNCTIONS),
      about: 'one kind of events alone, which --handler and --against are for',
    },
    update: { type: 'boolean', about: 'writes the answers down as the expected ones' },
  },
  example: '--only saml --handler handlers/staff-group.ts',
  found: 'an answer differs, or a handler fails',
} as const satisfies Command;

/** A handler in its bundle, and the name under which its answers are written down. */
interface Handler extends PreparedBundle {
  given: string;
}

interface Options {
  folder: string;
  only: string | undefined;
  bundle: PreparedBundle;
  handler: Handler | null;
  against: Handler | null;
  update: boolean;
}

await runCommand(COMMAND, async ({ positionals, values }) => {
  const options = await readOptions(positionals, values);
  const samples = (await sampleEvents(options.folder)).filter(
    ({ functionName }) => options.only === undefined || functionName === options.only,
  );
  if (samples.length === 0)
    throw new UnusableInput(`${options.folder}: found no openidLoggedIn/*.json or samlLoggedIn/*.json`);
  const differences = await (options.against ? compare(samples, options) : check(samples, options));
  return differences > 0 ? 1 : 0;
});

async function readOptions(
  [folder = EVENTS]: string[],
  { handler, against, only, stage, update = false }: Arguments<typeof COMMAND.options>['values'],
): Promise<Options> {
  if (against !== undefined && update) throw new UnusableInput('expected --update or --against, found both');
  useStage(stage);
  const named = async (given: string | undefined, use: string) =>
    given === undefined ? null : { ...(await prepareBundle(given, use)), given: nameOf(given) };
  return {
    folder,
    only: FUNCTIONS[only ?? ''],
    bundle: await prepareBundle(),
    handler: await named(handler, 'handler'),
    against: await named(against, 'against'),
    update,
  };
}

/** A handler of the project as a setting names it; another one as it was given, for nothing else tells it apart. */
function nameOf(given: string): string {
  return isUnder('handlers', given) && SOURCE.test(given) ? handlerName(given) : given;
}

/** Prints a row an event, then what differs; returns how many do. */
async function check(samples: SampleEvent[], options: Options): Promise<number> {
  const rows = [];
  const details = [];
  const dropped: string[] = [];
  let compared = 0;
  for (const sample of samples) {
    const label = `${sample.functionName}/${sample.name}`;
    const handler = handlerFor(sample, options);
    const result = await answerOf(sample, handler);
    const expected = isSameHandler(sample.expected?.handler, handler?.given) ? sample.expected : null;
    const isUpdated = options.update && !('failed' in result) && (expected ?? sample.expected) === expected;
    if (isUpdated) await writeExpected(options.folder, sample, result, handler?.given);
    const verdict = isUpdated ? null : verdictOf(result, expected);
    if (expected || isUpdated || 'failed' in result) compared += 1;
    rows.push([label, ...cells(result), verdict === null ? '' : 'DIFFERS']);
    if (verdict !== null) details.push(`${label}\n${verdict}`);
    if (!('failed' in result)) dropped.push(...result.droppedFields);
  }
  console.log(table(['event', 'answer', 'reason', 'ms', ''], rows));
  for (const detail of details) console.log(`\n${detail}`);
  const names = [...new Set(dropped)].join(', ');
  if (names !== '') console.log(`\nFields of answers that are not known, and do not leave: ${names}`);
  const others = rows.length - compared;
  const notCompared = others > 0 ? `, ${others} with no expected answer of this handler` : '';
  console.log(`\n${compared - details.length} of ${compared} events as expected${notCompared}`);
  return details.length;
}

/** As a setting names it, or as a file of the project. */
function isSameHandler(one: string | undefined, other: string | undefined): boolean {
  const name = (handler?: string) => handler?.replace(/^\.\//, '').replace(/\.[cm]?[jt]s$/, '');
  return name(one) === name(other);
}

/** The handler in force: the one given, the one configured, or the one that the event expects. */
function handlerFor({ functionName, expected }: SampleEvent, { handler, bundle }: Options): Handler | null {
  if (handler) return handler;
  const given = configuredHandler(functionName) ?? expected?.handler;
  return given === undefined ? null : { ...bundle, given, handlerModule: given };
}

async function writeExpected(
  folder: string,
  sample: SampleEvent,
  { status, answer }: Result,
  handler: string | undefined,
) {
  const expected = { ...(handler !== undefined && { handler }), status, answer };
  // A file that says the same keeps its format.
  if (isDeepStrictEqual(expected, sample.expected)) return;
  await writeFile(expectedFile(folder, sample), `${JSON.stringify(expected, null, 2)}\n`);
}

/** Prints, event by event, what another handler answers differently; returns how many. */
async function compare(samples: SampleEvent[], options: Options): Promise<number> {
  let differences = 0;
  for (const sample of samples) {
    const before = await answerOf(sample, handlerFor({ ...sample, expected: null }, options));
    const after = await answerOf(sample, options.against);
    const verdict =
      'failed' in before || 'failed' in after ? describeBoth(before, after) : verdictOf(after, before);
    if (verdict === null) continue;
    differences += 1;
    console.log(`${sample.functionName}/${sample.name}\n${verdict}\n`);
  }
  console.log(`${differences} of ${samples.length} events are answered differently`);
  return differences;
}

function describeBoth(before: Result | Failure, after: Result | Failure): string {
  return [`  - ${cells(before).join('  ')}`, `  + ${cells(after).join('  ')}`].join('\n');
}

function answerOf({ functionName, event }: SampleEvent, bundle: PreparedBundle | null) {
  const env = { ...environmentFor(functionName, bundle?.handlerModule), ...NO_CHECKS };
  return answerSample(functionName, event, { ...(bundle && { root: bundle.root }), env });
}

/** What differs, as lines; null for nothing, or where nothing is expected. */
function verdictOf(
  result: Result | Failure,
  expected: Pick<Expected, 'status' | 'answer'> | null,
): string | null {
  if ('failed' in result) return `  failed: ${result.failed}`;
  if (expected === null) return null;
  const { status, answer } = result;
  if (status === expected.status && isDeepStrictEqual(answer, expected.answer)) return null;
  const show = (value: unknown) => JSON.stringify(value, null, 2).replaceAll('\n', '\n    ');
  return `  - ${expected.status} ${show(expected.answer)}\n  + ${status} ${show(answer)}`;
}

function cells(result: Result | Failure): string[] {
  if ('failed' in result) return ['-', result.failed, ''];
  return [String(result.answer.type), result.reason, result.ms.toFixed(1)];
}
