/** The one run of `check`, `test` and `verify --try`: events are answered and compared, and what else is asked for is looked at. */
import { writeFile } from 'node:fs/promises';
import { type AttackedSample, attackOn } from '../explain/attack/attack.ts';
import { type AttackResult, attackResult } from '../explain/attack/findings.ts';
import { mappingCoverages } from '../explain/coverage.ts';
import { expectsHandler, type Judged, JudgedSamples, verdictOf } from '../explain/judgedSamples.ts';
import { readsOf } from '../explain/reads.ts';
import type { Engine } from '../local/engine.ts';
import { expectedFile, isOwnSample, labelOf, type SampleEvent } from '../local/events.ts';
import { type HandlerOf, mappingOf } from '../local/mappingOf.ts';
import { DECISION } from '../local/process/logRecords.ts';
import { Samples } from '../local/samples.ts';
import type { Finding } from '../shared/finding.ts';
import { withProgress } from '../shared/progress.ts';
import { quoted, typed } from '../shared/usage.ts';
import { type Checked, handlerOf, type RunResult, shortType } from './checked.ts';
import { attackTotal, coverageFindings, coverageTotal, uncheckedLines } from './findings.ts';
import {
  answeredElsewhere,
  areUnloaded,
  guardFindings,
  inForceLines,
  isOnLambdaOnly,
  mappingFindings,
  secretFindings,
} from './guards.ts';
import { typeMistakes } from './typeMistakes.ts';

export interface RunOptions {
  /** Answers all events, in place of the handler that is configured or expected. */
  handler?: string | undefined;
  /** Whether these are all events: the handlers in force must be among those that are compared, and refuse somebody. */
  isOfAllEvents?: boolean;
  /** Whether each event must have an expected response. */
  isComplete?: boolean;
  update?: boolean | undefined;
  /** Events whose response is written although it refuses who got in before, or is of a look-up that failed. */
  accept?: readonly string[] | undefined;
  record?: boolean | undefined;
  offline?: boolean | undefined;
  types?: boolean | undefined;
  coverage?: boolean | undefined;
  attack?: boolean | undefined;
}

/** Answers events on an engine. */
export class Run {
  readonly #engine: Engine;
  readonly #options: RunOptions;
  readonly #judged: JudgedSamples;

  constructor(engine: Engine, options: RunOptions = {}) {
    this.#engine = engine;
    this.#options = options;
    const samples = new Samples(engine, {
      isOffline: options.offline === true,
      isRecording: options.record === true,
    });
    this.#judged = new JudgedSamples(engine, samples, options.handler);
  }

  async of(samples: readonly SampleEvent[]): Promise<RunResult> {
    const { stage, broken } = this.#engine;
    const { handler, isOfAllEvents, isComplete, ...asked } = this.#options;
    const elsewhere = handler === undefined ? answeredElsewhere(samples, stage) : [];
    const here = samples.filter((sample) => !elsewhere.includes(sample));
    let events = await withProgress(here, 'events', (sample) => this.#check(sample));
    const coverage = asked.coverage ? mappingCoverages(events) : [];
    if (asked.attack) events = events.map(withDecisions);
    const attack = asked.attack && !areUnloaded(events) ? await this.#attack(events) : null;
    const types = asked.types ? await typeMistakes() : [];
    const isGuarded = isOfAllEvents === true && handler === undefined;
    return {
      events,
      problems: [...types, ...broken.map(({ message }) => message)],
      findings: [
        ...events.flatMap(({ written }) => written ?? []),
        ...(isGuarded ? guardFindings(events, stage) : []),
        ...secretFindings(events, stage),
        ...(await mappingFindings(ownHandlers(events), this.#engine)),
        ...(isComplete ? incomplete(events) : []),
        ...coverageFindings(coverage),
        ...(attack?.findings ?? []),
      ],
      inForce: [
        ...(attack === null ? [] : uncheckedLines(attack, stage)),
        ...(isGuarded ? inForceLines(events, stage) : []),
      ],
      totals: [
        ...(elsewhere.length > 0
          ? [`${elsewhere.length} not compared: their handler is on Lambda only`]
          : []),
        ...(isOfAllEvents ? [] : ['of all events not asked']),
        ...(coverage.length > 0 ? [coverageTotal(coverage)] : []),
        ...(attack === null ? [] : [attackTotal(attack)]),
      ],
    };
  }

  /** Other systems are not asked. */
  async #attack(events: readonly Checked[]): Promise<AttackResult> {
    const samples = new Samples(this.#engine, { isOffline: true });
    const attack = attackOn(samples, (handler) => mappingOf(handler, this.#engine));
    const attackOne = async (checked: Checked): Promise<AttackedSample> => {
      const { functionName, name, expected } = checked.sample;
      const isOwn = expected !== null && expectsHandler(expected, checked.handler?.given);
      return {
        sample: { functionName, name },
        handler: handlerOf(checked),
        meant: (isOwn ? expected.mayBe : undefined) ?? {},
        attempts: await attack(checked),
      };
    };
    return attackResult(await withProgress(events, 'events', attackOne, 1));
  }

  async #check(sample: SampleEvent): Promise<Checked> {
    const judged = await this.#judged.judge(sample);
    const { answered } = judged;
    const handler = this.#standingFor(judged);
    const verdict = verdictOf(sample, answered, handler);
    const checked = { sample, handler, answered, verdict };
    const isOwn = sample.expected === null || expectsHandler(sample.expected, handler?.given);
    if (!this.#options.update || !isOwn || answered.failed !== null) {
      if (verdict.kind !== 'differs') return checked;
      return { ...checked, reads: await readsOf({ ...sample, answered }, this.#engine) };
    }
    // A file that says the same keeps its format.
    if (verdict.kind === 'expected') return checked;
    const written = this.#ofAnotherKind(checked) ?? writtenAnew(checked);
    if (written.level === 'error') return { ...checked, written };
    await writeExpected(checked);
    return { ...checked, verdict: { kind: 'expected' }, written };
  }

  /** A file of the command line stands for the handler of a layer that is in force. */
  #standingFor({ sample: { functionName }, handler }: Judged): Judged['handler'] {
    const inForce = this.#engine.stage.namedHandlerOf(functionName);
    const isStandIn = this.#options.handler !== undefined && inForce !== undefined && isOnLambdaOnly(inForce);
    return handler !== null && isStandIn ? { ...handler, given: inForce } : handler;
  }

  /** What is said of a response of another kind than the expected one: an error where it is not written. */
  #ofAnotherKind({ sample, answered }: Checked): Finding | null {
    const before = sample.expected && String(sample.expected.answer.type);
    const now = String(answered.response?.type);
    // A sample may expect that a look-up fails; no other one gets such a response by chance.
    const isFailure = answered.unavailable !== null && before !== now;
    if (!isFailure && (before === null || before === now)) return null;
    const subject = labelOf(sample);
    const message = `${shortType(before)} is expected, and ${shortType(now)} (${answered.reason}) is the response now`;
    const isAccepted = this.#options.accept?.includes(subject) === true;
    if (isAccepted || (before !== 'AuthorizedUserResponse' && !isFailure))
      return { code: 'other_kind', level: 'warning', subject, message, change: null };
    const accept = typed('check', `${quoted(subject)} --update --accept ${quoted(subject)}`);
    return {
      code: 'not_written',
      level: 'error',
      subject,
      message: `${message}: it is not written`,
      change: `If this is meant: ${accept}`,
    };
  }
}

function writtenAnew({ sample, verdict }: Checked): Finding {
  const fields = verdict.kind === 'differs' ? verdict.differences.map(({ field }) => field) : [];
  const changed = fields.length > 0 ? `, because of ${fields.join(', ')}` : '';
  const message = `The response is written as the expected one${changed}.`;
  return { code: 'written', level: 'note', subject: labelOf(sample), message, change: null };
}

/** Of the log of an event that nobody is shown, what was decided: beside all that is attacked, the rest would fill the memory. */
function withDecisions(checked: Checked): Checked {
  const { answered, verdict } = checked;
  if (verdict.kind === 'differs' || verdict.kind === 'failed') return checked;
  const records = answered.records.filter(
    ({ event, explanation }) => event === DECISION || explanation !== undefined,
  );
  return { ...checked, answered: { ...answered, output: '', records } };
}

/** Those that answer events of one's own, each once. */
function ownHandlers(events: readonly Checked[]): HandlerOf[] {
  const all = events.flatMap(({ sample, handler }) =>
    handler !== null && isOwnSample(sample)
      ? [{ functionName: sample.functionName, handlerModule: handler.module }]
      : [],
  );
  return [...new Map(all.map((one) => [`${one.functionName} ${one.handlerModule}`, one])).values()];
}

function incomplete(events: readonly Checked[]): Finding[] {
  return events
    .filter(({ verdict }) => verdict.kind === 'unknown')
    .map(({ sample }) => ({
      ...{ code: 'not_expected', level: 'error', subject: labelOf(sample) },
      message: 'It has no expected response.',
      change: `${typed('check', '--update')} writes it.`,
    }));
}

async function writeExpected({ sample, handler, answered: { status, response } }: Checked): Promise<void> {
  const { mayBe } = sample.expected ?? {};
  const expected = {
    ...(handler !== null && { handler: handler.given }),
    ...{ status, answer: response },
    ...(mayBe && { mayBe }),
  };
  await writeFile(expectedFile(sample), `${JSON.stringify(expected, null, 2)}\n`);
}
