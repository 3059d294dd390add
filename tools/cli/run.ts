/** The one run of `check`, `test` and `verify --try`: events are answered and compared, and what else is asked for is looked at. */
import { writeFile } from 'node:fs/promises';
import { Attack, type AttackedSample } from '../explain/attack/attack.ts';
import { type AttackResult, attackResult } from '../explain/attack/findings.ts';
import { mappingCoverages } from '../explain/coverage.ts';
import {
  expectsHandler,
  type Judged,
  JudgedSamples,
  shownName,
  verdictOf,
} from '../explain/judgedSamples.ts';
import type { Engine } from '../local/engine.ts';
import { expectedFile, isOwnSample, labelOf, type SampleEvent } from '../local/events.ts';
import type { HandlerOf } from '../local/mappingOf.ts';
import { DECISION } from '../local/process/logRecords.ts';
import { Samples } from '../local/samples.ts';
import type { Finding } from '../shared/finding.ts';
import { withProgress } from '../shared/progress.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { quoted, typed } from '../shared/usage.ts';
import { attackFindings, attackTotal } from './attackReport.ts';
import type { Checked, Compared, RunResult } from './checked.ts';
import { coverageFindings, coverageTotal } from './coverageReport.ts';
import {
  answeredElsewhere,
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
  /** Whether responses are written as the expected ones. */
  update?: boolean | undefined;
  /** Events whose response is written although it refuses who got in before, or is of a look-up that failed. */
  accept?: readonly string[] | undefined;
  record?: boolean | undefined;
  offline?: boolean | undefined;
}

/** What is looked at besides the responses. */
interface Parts {
  types?: boolean | undefined;
  coverage?: boolean | undefined;
  attack?: boolean | undefined;
  /** Whether these are all events: the handlers in force must be among those that are compared, and refuse somebody. */
  isOfAllEvents?: boolean;
  /** Whose handlers in force these are; default: of all functions of the project. */
  functions?: readonly string[];
  /** Whether each event must have an expected response. */
  isComplete?: boolean;
}

/** Answers events on an engine. */
export class Run {
  readonly #engine: Engine;
  readonly #options: RunOptions;
  readonly #samples: Samples;
  readonly #judged: JudgedSamples;

  constructor(engine: Engine, options: RunOptions = {}) {
    this.#engine = engine;
    this.#options = options;
    this.#samples = new Samples(engine, {
      isOffline: options.offline === true,
      isRecording: options.record === true,
    });
    this.#judged = new JudgedSamples(engine, this.#samples, options.handler);
  }

  async of(samples: readonly SampleEvent[], parts: Parts = {}): Promise<RunResult> {
    const { stage } = this.#engine;
    const elsewhere = this.#options.handler === undefined ? answeredElsewhere(samples, stage) : [];
    let events = await this.events(samples.filter((sample) => !elsewhere.includes(sample)));
    const coverage = parts.coverage ? mappingCoverages(events) : null;
    if (parts.attack) events = events.map(withDecisions);
    const attack = parts.attack ? await this.#attack(events) : null;
    const { isOfAllEvents = false, functions = FUNCTION_NAMES } = parts;
    const isGuarded = isOfAllEvents && this.#options.handler === undefined;
    return {
      events,
      coverage,
      attack,
      problems: [
        ...(parts.types ? await typeMistakes() : []),
        ...this.#engine.broken.map(({ message }) => message),
      ],
      findings: [
        ...events.flatMap(({ notWritten }) => notWritten ?? []),
        ...(isGuarded ? guardFindings(events, stage, functions) : []),
        ...secretFindings(events, stage),
        ...(await mappingFindings(ownHandlers(events), this.#engine)),
        ...(parts.isComplete ? incomplete(events) : []),
        ...(coverage === null ? [] : coverageFindings(coverage)),
        ...(attack === null ? [] : attackFindings(attack)),
      ],
      inForce: isGuarded ? inForceLines(events, stage, functions) : [],
      totals: [
        ...(elsewhere.length > 0
          ? [`${elsewhere.length} not compared: their handler is on Lambda only`]
          : []),
        ...(isOfAllEvents ? [] : ['of all events not asked']),
        ...(coverage === null || coverage.length === 0 ? [] : [coverageTotal(coverage)]),
        ...(attack === null ? [] : [attackTotal(attack)]),
      ],
    };
  }

  events(samples: readonly SampleEvent[]): Promise<Checked[]> {
    return withProgress(samples, 'events', (sample) => this.#check(sample));
  }

  /** What another handler answers differently. @returns what says so, and each event as both answer it */
  async compare(samples: SampleEvent[], against: string): Promise<{ than: string; all: Compared[] }> {
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
    return { than: `from ${shownName(against)} than from ${[...handlers].join(', ')}`, all };
  }

  /** Other systems are not asked. */
  async #attack(events: readonly Checked[]): Promise<AttackResult> {
    const samples = new Samples(this.#engine, { isOffline: true });
    const attack = new Attack(samples, this.#engine);
    const attackOne = async (checked: Checked): Promise<AttackedSample> => {
      const { functionName, name, expected } = checked.sample;
      const isOwn = expected !== null && expectsHandler(expected, checked.by?.given);
      return {
        sample: { functionName, name },
        handler: checked.handler,
        meant: (isOwn ? expected.mayBe : undefined) ?? {},
        attempts: await attack.on({ ...checked, handler: checked.by }),
      };
    };
    return attackResult(await withProgress(events, 'events', attackOne, 1));
  }

  async #check(sample: SampleEvent): Promise<Checked> {
    const judged = await this.#judged.judge(sample);
    const { answered } = judged;
    const handler = this.#standingFor(judged);
    const verdict = verdictOf(sample, answered, handler);
    const checked = { sample, handler: handler?.given ?? 'default', by: handler, answered, verdict };
    const isOwn = sample.expected === null || expectsHandler(sample.expected, handler?.given);
    if (!this.#options.update || !isOwn || answered.failed !== null) {
      if (verdict.kind !== 'differs') return checked;
      return { ...checked, reads: await this.#judged.reads(sample, judged) };
    }
    // A file that says the same keeps its format.
    if (verdict.kind === 'expected') return checked;
    const notWritten = this.#notWritten(checked);
    if (notWritten?.level === 'error') return { ...checked, notWritten };
    await writeExpected(checked);
    return { ...checked, verdict: { kind: 'expected' }, ...(notWritten && { notWritten }) };
  }

  /** A file of the command line stands for the handler of a layer that is in force. */
  #standingFor({ sample: { functionName }, handler }: Judged): Judged['handler'] {
    const inForce = this.#engine.stage.namedHandlerOf(functionName);
    const isStandIn = this.#options.handler !== undefined && inForce !== undefined && isOnLambdaOnly(inForce);
    return handler !== null && isStandIn ? { ...handler, given: inForce } : handler;
  }

  /** What is said of a response of another kind than the expected one: an error where it is not written. */
  #notWritten({ sample, answered }: Checked): Finding | null {
    const label = labelOf(sample);
    const before = sample.expected && String(sample.expected.answer.type);
    const now = String(answered.response?.type);
    // A sample may expect that a look-up fails; no other one gets such a response by chance.
    const isFailure = answered.unavailable !== null && before !== now;
    const isOther = before !== null && before !== now;
    if (!isOther && !isFailure) return null;
    const isAccepted = this.#options.accept?.includes(label) === true;
    const message = `${kindOf(before)} is expected, and ${kindOf(now)} (${answered.reason}) is the response now`;
    if (isAccepted || (before !== AUTHORIZED && !isFailure))
      return { code: 'other_kind', level: 'warning', subject: label, message, change: null };
    const accept = typed('check', `${quoted(label)} --update --accept ${quoted(label)}`);
    return {
      code: 'not_written',
      level: 'error',
      subject: label,
      message: `${message}: it is not written`,
      change: `If this is meant: ${accept}`,
    };
  }
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
  const all = events.flatMap(({ sample, by }) =>
    by !== null && isOwnSample(sample)
      ? [{ functionName: sample.functionName, handlerModule: by.module }]
      : [],
  );
  return [...new Map(all.map((one) => [`${one.functionName} ${one.handlerModule}`, one])).values()];
}

const AUTHORIZED = 'AuthorizedUserResponse';

function kindOf(type: string | null): string {
  return (type ?? 'no response').replace(/(?:User)?Response$/, '');
}

function incomplete(events: readonly Checked[]): Finding[] {
  const labels = events
    .filter(({ verdict }) => verdict.kind === 'unknown')
    .map(({ sample }) => labelOf(sample));
  if (labels.length === 0) return [];
  return [
    {
      code: 'not_expected',
      level: 'error',
      message: `Events without an expected response: ${labels.join(', ')}`,
      change: `${typed('check', '--update')} writes it.`,
    },
  ];
}

async function writeExpected({ sample, by, answered: { status, response } }: Checked): Promise<void> {
  const { mayBe } = sample.expected ?? {};
  const expected = {
    ...{ ...(by !== null && { handler: by.given }), status, answer: response },
    ...(mayBe && { mayBe }),
  };
  await writeFile(expectedFile(sample), `${JSON.stringify(expected, null, 2)}\n`);
}
