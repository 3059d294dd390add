/** The work of `npm run check`: which handler answers an event, and whether its response is the expected one. */
import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { Attack } from '../explain/attack/attack.ts';
import { type AttackResult, attackResult, hasErrors } from '../explain/attack/findings.ts';
import { expectsHandler, JudgedSamples, shownName } from '../explain/judgedSamples.ts';
import type { Engine } from '../local/engine.ts';
import { expectedFile, type SampleEvent } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { Samples } from '../local/samples.ts';
import { withProgress } from '../shared/progress.ts';
import { attackReport } from './attackReport.ts';
import { type Checked, type Compared, checkReport, compareReport } from './checkReport.ts';
import { coverageReport } from './coverageReport.ts';
import { attackFindings, coverageFindings } from './policyFindings.ts';
import type { Earlier } from './review/earlier.ts';
import { REPORTS } from './review/reports.ts';
import { changesIn, comparedWithEarlier, wrongIn } from './review/review.ts';

export interface CheckOptions {
  /** Answers all events, in place of the handler that is configured or expected. */
  handler?: string | undefined;
  update?: boolean | undefined;
  record?: boolean | undefined;
  offline?: boolean | undefined;
  coverage?: boolean | undefined;
  /** Whether samples that login-hooks ships are shown like one's own. */
  showsAll: boolean;
}

/** Answers events on an engine, and compares. */
export class Check {
  readonly #engine: Engine;
  readonly #options: CheckOptions;
  readonly #samples: Samples;
  readonly #judged: JudgedSamples;

  constructor(engine: Engine, options: CheckOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#samples = new Samples(engine, {
      isOffline: options.offline === true,
      isRecording: options.record === true,
    });
    this.#judged = new JudgedSamples(engine, this.#samples, options.handler);
  }

  async run(samples: SampleEvent[]): Promise<0 | 1> {
    const all = await this.checkAll(samples);
    console.log(checkReport(all, process.stdout, this.#options.showsAll));
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
    const handlers = new Set<string>();
    const all = await withProgress(samples, 'events', async (sample): Promise<Compared> => {
      const handler = this.#judged.handlerFor({ ...sample, expected: null });
      const [before, after] = await Promise.all([
        this.#samples.invoke(sample, handler?.module),
        this.#samples.invoke(sample, other),
      ]);
      handlers.add(before.handler);
      return { sample, before, after };
    });
    return this.#tellCompared(all, `from ${shownName(against)} than from ${[...handlers].join(', ')}`);
  }

  /** Prints, event by event, what is answered differently than another commit expects. */
  async compareWithEarlier(samples: SampleEvent[], earlier: Earlier): Promise<0 | 1> {
    const compared = comparedWithEarlier(await this.checkAll(samples), earlier);
    return this.#tellCompared(
      compared.map(({ sample, before, answered }) => ({ sample, before, after: answered })),
      `than is expected at ${earlier.ref}`,
    );
  }

  /**
   * Prints one report on the responses, the coverage and the attack.
   *
   * @param form of `REPORTS`
   * @returns 1 for what is wrong now; a difference from another commit is for people to judge
   */
  async report(samples: SampleEvent[], form: string, earlier: Earlier | null): Promise<0 | 1> {
    const events = await this.checkAll(samples);
    const parts = [
      await coverageFindings(events, this.#engine),
      attackFindings(await this.attackAll(samples)),
    ];
    const compared = earlier === null ? [] : comparedWithEarlier(events, earlier);
    const review = {
      ...{ against: earlier?.ref ?? null, events, wrong: wrongIn(events) },
      ...{ compared: compared.length, changes: changesIn(compared) },
      findings: [
        ...this.#engine.broken.map(({ message }) => message),
        ...parts.flatMap(({ findings }) => findings),
      ],
      totals: parts.flatMap(({ total }) => total ?? []),
    };
    console.log(REPORTS[form]?.(review, process.env));
    return review.wrong.length + review.findings.length > 0 ? 1 : 0;
  }

  #tellCompared(all: Compared[], than: string): 0 | 1 {
    const { text, differ } = compareReport(all, than, process.stdout);
    console.log(text);
    return this.#brokenHandlers() || differ > 0 ? 1 : 0;
  }

  /** Prints what still gets in when authorized logins are changed. Other systems are not asked. */
  async attack(samples: SampleEvent[], isJson: boolean): Promise<0 | 1> {
    const result = await this.attackAll(samples);
    console.log(
      isJson ? JSON.stringify({ attack: result }, null, 2) : attackReport(result, this.#engine.stage),
    );
    return this.#brokenHandlers() || hasErrors(result) ? 1 : 0;
  }

  async attackAll(samples: readonly SampleEvent[]): Promise<AttackResult> {
    const attack = new Attack(this.#samples, this.#engine);
    const all = await withProgress(samples, 'events', async (sample) =>
      attack.on(await this.#judged.judge(sample)),
    );
    return attackResult(all);
  }

  /** Prints the coverage; returns how many rules and rows no event hits. */
  async #cover(all: Checked[]): Promise<number> {
    const { text, notHit } = await coverageReport(all, this.#engine);
    console.log(`\n${text}`);
    return notHit;
  }

  async #check(sample: SampleEvent): Promise<Checked> {
    const { handler, answered, verdict } = await this.#judged.judge(sample);
    const isOwn = sample.expected === null || expectsHandler(sample.expected, handler?.given);
    // A sample may expect that a look-up fails; no other one gets such a response by chance.
    const isServed =
      answered.unavailable === null || sample.expected?.answer.type === answered.response?.type;
    const isWritten = this.#options.update === true && isOwn && isServed && answered.failed === null;
    if (isWritten) await writeExpected(sample, answered, handler?.given);
    return {
      ...{ sample, handler: handler?.given ?? 'default', answered },
      verdict: isWritten ? { kind: 'expected' } : verdict,
    };
  }

  /** Names the files that cannot be built; returns whether there are any. */
  #brokenHandlers(): boolean {
    for (const { message } of this.#engine.broken) console.error(message);
    return this.#engine.broken.length > 0;
  }
}

async function writeExpected(
  sample: SampleEvent,
  { status, response }: InvocationResult,
  handler: string | undefined,
) {
  const { mayBe } = sample.expected ?? {};
  const expected = {
    ...{ ...(handler !== undefined && { handler }), status, answer: response },
    ...(mayBe && { mayBe }),
  };
  // A file that says the same keeps its format.
  if (isDeepStrictEqual(expected, sample.expected)) return;
  await writeFile(expectedFile(sample), `${JSON.stringify(expected, null, 2)}\n`);
}
