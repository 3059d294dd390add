/** The one run of `check`, `test` and `verify --try`: events are answered and compared, and what else is asked for is looked at. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { type AttackedSample, attackOn } from '../explain/attack/attack.ts';
import { type AttackResult, attackResult } from '../explain/attack/findings.ts';
import { mappingCoverages } from '../explain/coverage.ts';
import { decidedIn } from '../explain/decided.ts';
import {
  type HandlerOptions,
  handlerFor,
  isSameHandler,
  type Judged,
  verdictOf,
} from '../explain/judgedSamples.ts';
import { readsOf } from '../explain/reads.ts';
import type { Engine } from '../local/engine.ts';
import { expectedFile, isOwnSample, labelOf, type SampleEvent } from '../local/events.ts';
import { mappingOf } from '../local/mappingOf.ts';
import { DECISION } from '../local/process/logRecords.ts';
import { Samples } from '../local/samples.ts';
import { error, type Finding, note, warning } from '../shared/finding.ts';
import { PROJECT } from '../shared/project.ts';
import { quoted, typed } from '../shared/usage.ts';
import {
  answeredElsewhere,
  areFailed,
  attackTotal,
  coverageFindings,
  coverageTotal,
  guardFindings,
  inForceLines,
  isOnLambdaOnly,
  mappingFindings,
  secretFindings,
  uncheckedLines,
} from './guards.ts';
import { type Checked, handlerOf, type RunResult, shortType } from './report.ts';

export interface RunOptions extends HandlerOptions {
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
  readonly #samples: Samples;

  constructor(engine: Engine, options: RunOptions = {}) {
    this.#engine = engine;
    this.#options = options;
    this.#samples = new Samples(engine, {
      isOffline: options.offline === true,
      isRecording: options.record === true,
    });
  }

  async of(samples: readonly SampleEvent[]): Promise<RunResult> {
    const { stage, broken } = this.#engine;
    const { handler, isAsExpected, isOfAllEvents, isComplete, ...asked } = this.#options;
    const isInForce = handler === undefined && !isAsExpected;
    const elsewhere = isInForce ? answeredElsewhere(samples, stage) : [];
    const here = samples.filter((sample) => !elsewhere.includes(sample));
    const events = await Promise.all(here.map((sample) => this.#check(sample)));
    const coverage = asked.coverage ? mappingCoverages(events) : [];
    const attack = asked.attack && !areFailed(events) ? await this.#attack(events) : null;
    const types = asked.types ? await typeMistakes() : [];
    const isGuarded = isOfAllEvents === true && handler === undefined;
    return {
      events,
      problems: [...types, ...broken.map(({ message }) => message)],
      findings: [
        ...events.flatMap(({ written }) => written ?? []),
        ...(isGuarded ? guardFindings(events, stage) : []),
        ...secretFindings(events, stage),
        ...mappingFindings(ownMappings(events)),
        ...(isComplete ? incomplete(events) : []),
        ...coverageFindings(coverage),
        ...(attack?.findings ?? []),
      ],
      inForce: [
        ...(attack === null ? [] : uncheckedLines(attack, stage)),
        ...(isGuarded ? inForceLines(events, stage) : []),
      ],
      totals: [
        elsewhere.length > 0 ? `${elsewhere.length} not compared: their handler is on Lambda only` : null,
        isOfAllEvents ? null : 'only the named events sent',
        coverage.length > 0 ? coverageTotal(coverage) : null,
        attack && attackTotal(attack),
      ].filter((total) => total !== null),
    };
  }

  /** Other systems are not asked. */
  async #attack(events: readonly Checked[]): Promise<AttackResult> {
    const samples = new Samples(this.#engine, { isOffline: true });
    const attack = attackOn(samples, (handler) => mappingOf(handler, this.#engine));
    const attackOne = async (checked: Checked): Promise<AttackedSample> => {
      const { functionName, name, expected } = checked.sample;
      const isOwn = expected !== null && isSameHandler(expected.handler, checked.handler?.given);
      return {
        sample: { functionName, name },
        handler: handlerOf(checked),
        meant: (isOwn ? expected.mayBe : undefined) ?? {},
        attempts: await attack(checked),
      };
    };
    return attackResult(await Array.fromAsync(events, attackOne));
  }

  async #check(sample: SampleEvent): Promise<Checked> {
    const own = handlerFor(sample, this.#engine.stage, this.#options);
    const answered = await this.#samples.invoke(sample, own?.module ?? null);
    const handler = this.#standingFor(sample, own);
    const verdict = verdictOf(sample, answered, handler);
    const checked = { sample, handler, answered, verdict };
    const isOwn = sample.expected === null || isSameHandler(sample.expected.handler, handler?.given);
    // A file that says the same keeps its format.
    if (this.#options.update && isOwn && answered.failed === null && verdict.kind !== 'expected')
      return this.#update(checked);
    if (verdict.kind === 'differs')
      return { ...checked, reads: await readsOf({ ...sample, answered }, this.#engine) };
    // Of its log nobody is shown more than what was decided: beside all that is attacked, the rest would fill the memory.
    const records = answered.records.filter((one) => one.event === DECISION || one.explanation !== undefined);
    return { ...checked, answered: { ...answered, output: '', records } };
  }

  /** A file of the command line stands for the handler of a layer that is in force. */
  #standingFor({ functionName }: SampleEvent, handler: Judged['handler']): Judged['handler'] {
    const inForce = this.#engine.stage.handlerOf(functionName);
    const isStandIn = this.#options.handler !== undefined && inForce !== undefined && isOnLambdaOnly(inForce);
    return handler !== null && isStandIn ? { ...handler, given: inForce } : handler;
  }

  /** Writes the response as the expected one; a failed look-up, or a refusal of who got in before, only where that is accepted. */
  async #update(checked: Checked): Promise<Checked> {
    const { sample, answered, verdict } = checked;
    const subject = labelOf(sample);
    const before = sample.expected && String(sample.expected.answer.type);
    const now = String(answered.response?.type);
    // A sample may expect that a look-up fails; no other one gets such a response by chance.
    const isFailure = answered.unavailable !== null && before !== now;
    const isOther = isFailure || (before !== null && before !== now);
    const other = `${shortType(before)} is expected, and ${shortType(now)} (${answered.reason}) is the response now`;
    const mustBeMeant = isFailure || (isOther && before === 'AuthorizedUserResponse');
    if (mustBeMeant && !this.#options.accept?.includes(subject)) {
      const accept = typed('check', `${quoted(subject)} --update --accept ${quoted(subject)}`);
      const message = `${other}: it is not written`;
      return { ...checked, written: error('not_written', subject, message, `If this is meant: ${accept}`) };
    }
    await writeExpected(checked);
    const fields = verdict.kind === 'differs' ? verdict.differences.map(({ field }) => field) : [];
    const because = fields.length > 0 ? `, because of ${fields.join(', ')}` : '';
    const anew = `The response is written as the expected one${because}.`;
    const written = isOther ? warning('other_kind', subject, other) : note('written', subject, anew);
    return { ...checked, verdict: { kind: 'expected' }, written };
  }
}

/** Those that decided on events of one's own, by the handler. */
function ownMappings(events: readonly Checked[]): Map<string, Mapping> {
  const decided = events.flatMap(({ sample, handler, answered }) => {
    const { mapping = null } = decidedIn(answered) ?? {};
    return handler && mapping && isOwnSample(sample) ? [[handler.module, mapping] as const] : [];
  });
  return new Map(decided);
}

function incomplete(events: readonly Checked[]): Finding[] {
  return events
    .filter(({ verdict }) => verdict.kind === 'unknown')
    .map(({ sample }) => {
      const change = `${typed('check', '--update')} writes it.`;
      return error('not_expected', labelOf(sample), 'It has no expected response.', change);
    });
}

async function writeExpected({ sample, handler, answered: { status, response } }: Checked): Promise<void> {
  const { mayBe } = sample.expected ?? {};
  const expected = {
    ...(handler !== null && { handler: handler.given }),
    status,
    answer: response,
    ...(mayBe && { mayBe }),
  };
  await writeFile(expectedFile(sample), `${JSON.stringify(expected, null, 2)}\n`);
}

/** Of the TypeScript that comes with login-hooks. */
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** @returns what `tsc` prints, in one text; an empty list where all is right, or the project has no `tsconfig.json` */
async function typeMistakes(): Promise<string[]> {
  if (!existsSync(join(PROJECT, 'tsconfig.json'))) return [];
  const args = [TSC, '--noEmit', '--pretty', String(process.stdout.isTTY === true)];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: PROJECT }, (error, stdout, stderr) =>
      resolve(error === null ? [] : [(stdout + stderr).trim() || error.message]),
    ),
  );
}
