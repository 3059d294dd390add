/** The work of `npm run check`: which handler answers an event, and whether its response is the expected one. */
import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { handlerName, isUnder } from '../build.ts';
import type { Answered } from '../engine/answered.ts';
import { withoutExtension } from '../engine/bundle.ts';
import { differencesOf } from '../engine/differences.ts';
import type { Engine } from '../engine/engine.ts';
import { configuredHandler } from '../engine/environment.ts';
import { expectedFile, type SampleEvent } from '../engine/events.ts';
import { SOURCE } from '../engine/handlers.ts';
import { Samples } from '../engine/samples.ts';
import { type Checked, type Compared, checkReport, compareReport, type Verdict } from './checkReport.ts';
import { coverageReport } from './coverageReport.ts';
import { withProgress } from './progress.ts';

/** A handler: the name under which its responses are written down, and what the setting must say. */
interface Handler {
  given: string;
  module: string;
}

export interface CheckOptions {
  /** Answers all events, in place of the handler that is configured or expected. */
  handler?: string | undefined;
  update?: boolean | undefined;
  record?: boolean | undefined;
  offline?: boolean | undefined;
  coverage?: boolean | undefined;
}

/** Answers events on an engine, and compares. */
export class Check {
  readonly #engine: Engine;
  readonly #options: CheckOptions;
  readonly #samples: Samples;

  constructor(engine: Engine, options: CheckOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#samples = new Samples(engine, {
      isOffline: options.offline === true,
      isRecording: options.record === true,
    });
  }

  async run(samples: SampleEvent[]): Promise<0 | 1> {
    const all = await this.checkAll(samples);
    console.log(checkReport(all, process.stdout));
    const notHit = this.#options.coverage ? await this.#cover(all) : 0;
    const broken = this.#brokenHandlers();
    const isWrong = all.some(({ verdict }) => verdict.kind === 'differs' || verdict.kind === 'failed');
    return broken || isWrong || notHit > 0 ? 1 : 0;
  }

  checkAll(samples: SampleEvent[]): Promise<Checked[]> {
    return withProgress(samples, 'events', (sample) => this.#check(sample));
  }

  /** Prints, event by event, what another handler answers differently. */
  async compare(samples: SampleEvent[], against: string): Promise<0 | 1> {
    const other = this.#engine.moduleOf(against);
    const all = await withProgress(samples, 'events', async (sample): Promise<Compared> => {
      const handler = this.#handlerFor({ ...sample, expected: null });
      const [before, after] = await Promise.all([
        this.#samples.answer(sample, handler?.module),
        this.#samples.answer(sample, other),
      ]);
      return { sample, before, after };
    });
    const { text, differ } = compareReport(all, shownName(against), process.stdout);
    console.log(text);
    return this.#brokenHandlers() || differ > 0 ? 1 : 0;
  }

  /** Prints the coverage; returns how many rules and rows no event hits. */
  async #cover(all: Checked[]): Promise<number> {
    const { text, notHit } = await coverageReport(all, this.#engine.root);
    console.log(`\n${text}`);
    return notHit;
  }

  async #check(sample: SampleEvent): Promise<Checked> {
    const handler = this.#handlerFor(sample);
    const answered = await this.#samples.answer(sample, handler?.module);
    const verdict = await this.#verdictOf(sample, answered, handler?.given);
    return { sample, handler: handler?.given ?? 'default', answered, verdict };
  }

  async #verdictOf(sample: SampleEvent, answered: Answered, given: string | undefined): Promise<Verdict> {
    const { expected } = sample;
    if (answered.failed !== null) return { kind: 'failed' };
    const isOwn = expected !== null && nameOf(expected.handler) === nameOf(given);
    if (this.#options.update && (isOwn || !expected)) {
      await writeExpected(sample, answered, given);
      return { kind: 'expected' };
    }
    if (expected === null) return { kind: 'unknown' };
    if (!isOwn) return { kind: 'other', handler: expected.handler ?? 'default' };
    const differences = differencesOf({ status: expected.status, response: expected.answer }, answered);
    return differences.length > 0 ? { kind: 'differs', differences } : { kind: 'expected' };
  }

  /** The handler in force: the one given, the one configured, or the one that the event expects. */
  #handlerFor({ functionName, expected }: SampleEvent): Handler | null {
    const { handler } = this.#options;
    if (handler !== undefined) return { given: shownName(handler), module: this.#engine.moduleOf(handler) };
    const given = configuredHandler(functionName) ?? expected?.handler;
    return given === undefined ? null : { given, module: given };
  }

  /** Names the files that cannot be built; returns whether there are any. */
  #brokenHandlers(): boolean {
    for (const { message } of this.#engine.broken) console.error(message);
    return this.#engine.broken.length > 0;
  }
}

/** A handler of the project as a setting names it; another one as it was given, for nothing else tells it apart. */
function shownName(given: string): string {
  return isUnder('handlers', given) && SOURCE.test(given) ? handlerName(given) : given;
}

/** As a setting names it, or as a file of the project. */
function nameOf(handler: string | undefined): string | undefined {
  return handler === undefined ? undefined : withoutExtension(handler);
}

async function writeExpected(
  sample: SampleEvent,
  { status, response }: Answered,
  handler: string | undefined,
) {
  const expected = { ...(handler !== undefined && { handler }), status, answer: response };
  // A file that says the same keeps its format.
  if (isDeepStrictEqual(expected, sample.expected)) return;
  await writeFile(expectedFile(sample), `${JSON.stringify(expected, null, 2)}\n`);
}
