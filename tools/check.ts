/**
 * `npm run check [-- <folder>] [--handler <module>] [--against <module>] [--update]`: runs sample events through
 * the configured handlers, or the one given, and compares with the expected answers beside them. Exit code 1 for
 * any difference, crash, time-out or invalid answer.
 */
import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { FUNCTIONS, readCommandLine, run, UnusableInput } from './arguments.ts';
import { environmentFor } from './environment.ts';
import { EVENTS, type Expected, expectedFile, type SampleEvent, sampleEvents, unwrap } from './events.ts';
import { FunctionFailed, startFunction } from './lambda/functionProcess.ts';
import { recordsOf } from './lambda/records.ts';
import { type PreparedBundle, prepareBundle } from './prepareBundle.ts';
import { table } from './table.ts';

const USAGE = `usage: npm run check [-- <folder>] [--handler <module>] [--against <module>] [--update]

  <folder>             events/, or one like it: openidLoggedIn/*.json and samlLoggedIn/*.json
  --handler <module>   answers all events of a kind by this handler, not by the one that each expects
  --against <module>   shows what this handler answers differently
  --only <openid|saml> one kind of events alone, which --handler and --against are for
  --update             writes the answers down as the expected ones`;

/** Reasons that say a handler failed, whatever was expected. */
const FAILURES = [
  'handler_threw',
  'handler_timed_out',
  'answer_invalid',
  'handler_not_loaded',
  'configuration_unusable',
  'unforeseen',
];

interface Result {
  status: number;
  answer: { type?: unknown };
  reason: string;
  ms: number;
}

interface Options {
  folder: string;
  only: string | undefined;
  handler: PreparedBundle | null;
  against: PreparedBundle | null;
  update: boolean;
}

await run(async () => {
  const options = await readOptions();
  const samples = (await sampleEvents(options.folder)).filter(
    ({ functionName }) => options.only === undefined || functionName === options.only,
  );
  if (samples.length === 0)
    throw new UnusableInput(`${options.folder}: found no openidLoggedIn/*.json or samlLoggedIn/*.json`);
  const differences = await (options.against ? compare(samples, options) : check(samples, options));
  if (differences > 0) process.exitCode = 1;
});

async function readOptions(): Promise<Options> {
  const { positionals, values } = readCommandLine(USAGE, 1, {
    handler: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string' },
    update: { type: 'boolean' },
  });
  if (values.only !== undefined && !(values.only in FUNCTIONS))
    throw new UnusableInput(`--only: expected openid or saml\n${USAGE}`);
  if (values.against !== undefined && values.update)
    throw new UnusableInput(`--update goes without --against\n${USAGE}`);
  await prepareBundle();
  return {
    folder: positionals[0] ?? EVENTS,
    only: FUNCTIONS[values.only ?? ''],
    handler: values.handler === undefined ? null : await prepareBundle(values.handler, 'handler'),
    against: values.against === undefined ? null : await prepareBundle(values.against, 'against'),
    update: values.update === true,
  };
}

/** Prints a row an event, then what differs; returns how many do. */
async function check(samples: SampleEvent[], { folder, handler, update }: Options): Promise<number> {
  const rows = [];
  const details = [];
  for (const sample of samples) {
    const bundle = handler ?? (await expectedBundle(sample));
    const result = await answerOf(sample, bundle);
    const verdict = verdictOf(result, handler ? withoutHandler(sample.expected) : sample.expected);
    if (update && !('failed' in result)) {
      await writeFile(
        expectedFile(folder, sample),
        `${JSON.stringify(expectedOf(result, sample.expected), null, 2)}\n`,
      );
    }
    const isFine = verdict === null || (update && !('failed' in result));
    rows.push([`${sample.functionName}/${sample.name}`, ...cells(result), isFine ? '' : 'DIFFERS']);
    if (!isFine) details.push(`${sample.functionName}/${sample.name}\n${verdict}`);
  }
  console.log(table(['event', 'answer', 'reason', 'ms', ''], rows));
  for (const detail of details) console.log(`\n${detail}`);
  console.log(`\n${rows.length - details.length} of ${rows.length} events as expected`);
  return details.length;
}

/** Prints, event by event, what another handler answers differently; returns how many. */
async function compare(samples: SampleEvent[], { handler, against }: Options): Promise<number> {
  let differences = 0;
  for (const sample of samples) {
    const [before, after] = [await answerOf(sample, handler), await answerOf(sample, against)];
    const verdict =
      'failed' in before || 'failed' in after
        ? describeBoth(before, after)
        : verdictOf(after, expectedOf(before, null));
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

interface Failure {
  failed: string;
}

async function answerOf(
  { functionName, event }: SampleEvent,
  bundle: PreparedBundle | null,
): Promise<Result | Failure> {
  let output = '';
  const fn = await startFunction({
    name: functionName,
    ...(bundle && { root: bundle.root }),
    env: environmentFor(functionName, bundle?.handlerModule),
    onOutput: (text) => {
      output += text;
    },
  });
  try {
    const { status, answer } = unwrap(await fn.invoke(event));
    const login = recordsOf(output).find((record) => record.event === 'login');
    const reason = String(login?.reason ?? 'no log record');
    const result = {
      status: status ?? 200,
      answer: answer as Result['answer'],
      reason,
      ms: Number(login?.durationMs),
    };
    return FAILURES.includes(reason) ? { failed: reason } : result;
  } catch (error) {
    if (error instanceof FunctionFailed) return { failed: `${error.kind}: ${error.message}` };
    throw error;
  } finally {
    await fn.stop();
  }
}

async function expectedBundle({ expected }: SampleEvent): Promise<PreparedBundle | null> {
  return expected?.handler === undefined ? null : prepareBundle(expected.handler);
}

function withoutHandler(expected: Expected | null): Expected | null {
  return expected === null || expected.handler !== undefined ? null : expected;
}

function expectedOf({ status, answer }: Result, before: Expected | null): Expected {
  return { ...(before?.handler !== undefined && { handler: before.handler }), status, answer };
}

/** What differs, as lines; null for nothing, or where nothing is expected. */
function verdictOf(result: Result | Failure, expected: Expected | null): string | null {
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
