/** The logins that the studio shows: the samples, those that came since it started, and pastes. They stay in memory alone. */
import { relative } from 'node:path';
import { clock } from '../../bundle/watching.ts';
import type { Finding } from '../../capture/findings.ts';
import { type Difference, differencesOf } from '../../explain/differences.ts';
import { type Judged, JudgedSamples } from '../../explain/judgedSamples.ts';
import type { Answered } from '../../local/answered.ts';
import type { Engine } from '../../local/engine.ts';
import { type SampleEvent, sampleEvents } from '../../local/events.ts';
import { Samples } from '../../local/samples.ts';
import { UnusableInput } from '../../shared/commandLine.ts';
import { PROJECT } from '../../shared/project.ts';
import type { Origin } from '../api.ts';

/** Of logins that came and of pastes: the oldest one goes. */
const MAX_UNSTORED = 100;
/** How often the answers so far are told, where some take long, in milliseconds. */
const TELL_MS = 500;

export interface Login extends Judged {
  id: string;
  origin: Origin;
  /** When it came, in milliseconds since 1970; null for a sample. */
  at: number | null;
  /** Whether it was answered with the checks on and in real time, as it came. */
  isFresh: boolean;
  /** What later answers are compared with: the answer at the event's own time, with the checks off. */
  baseline: Answered | null;
  /** What the last change of a file changed in the response. */
  changes: Difference[];
  findings: Finding[];
}

export class Logins {
  readonly #engine: Engine;
  readonly #judged: JudgedSamples;
  readonly #logins = new Map<string, Login>();
  readonly #listeners = new Set<(files: readonly string[]) => void>();
  #count = 0;
  #problem: string | null = null;
  /** Counts the changes. */
  #generation = 0;
  /** The newest refresh. */
  #latest: Promise<void> = Promise.resolve();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#judged = new JudgedSamples(engine, new Samples(engine, { isOffline: true }));
  }

  /** Why the samples cannot be read; null where they can. */
  get problem(): string | null {
    return this.#problem;
  }

  all(): Login[] {
    return [...this.#logins.values()];
  }

  get(id: string): Login | undefined {
    return this.#logins.get(id);
  }

  /** @returns what ends it */
  listen(onChange: (files: readonly string[]) => void): () => void {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  }

  /** A login that came to one of the ports, and its answer. */
  received(functionName: string, event: unknown, answered: Answered): void {
    this.#fresh('received', unstored(functionName, event, clock()), answered, []);
  }

  /** Answers an event at its own time, with the checks off. */
  async pasted(functionName: string, event: unknown, name: string, findings: Finding[]): Promise<Login> {
    const judged = await this.#judged.judge(unstored(functionName, event, name));
    const login = this.#add('pasted', judged, { findings });
    this.#tell([]);
    return login;
  }

  /** Answers a fresh sign-in in real time, with the checks that the settings turn on. */
  async signedIn(functionName: string, event: unknown, findings: Finding[]): Promise<Login> {
    const handlerModule = this.#judged.handlerFor({ functionName, expected: null })?.module;
    const way = { functionName, handlerModule, isChecked: true, isLive: true };
    const answered = await this.#engine.answer({ ...way, event, moment: null, outside: 'live' });
    const sample = unstored(functionName, event, `${clock()}, plain form`);
    return this.#fresh('signed in', sample, answered, findings);
  }

  /** Sends the requests to other systems that the handler makes; later answers replay their responses. */
  async ask(login: Login): Promise<void> {
    const samples = new Samples(this.#engine, { isOffline: false });
    const answered = await samples.answer({ ...login.sample, outside: null }, login.handler?.module);
    await this.#answerAgain({ ...login, sample: { ...login.sample, outside: answered.asked.exchanges } });
    this.#tell([]);
  }

  /**
   * Reads the samples, and answers all logins, because files changed. A newer change takes its place: a handler that hangs
   * must not keep the next one from being seen.
   *
   * @param files their paths; empty at first
   * @returns resolves when the logins are answered as the files have them by then
   */
  refresh(files: readonly string[]): Promise<void> {
    this.#latest = this.#refresh(files);
    return this.#latest;
  }

  async #refresh(files: readonly string[]): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    const samples = await this.#readSamples();
    if (generation !== this.#generation) return this.#latest;
    this.#forgetOthers(samples);
    const stored = samples.map((sample) => ofSample(sample));
    const others = this.all().filter(({ origin }) => origin !== 'sample');
    const telling = setInterval(() => this.#tell([]), TELL_MS);
    try {
      await Promise.all([...stored, ...others].map((login) => this.#answerAgain(login, generation)));
    } finally {
      clearInterval(telling);
    }
    if (generation !== this.#generation) return this.#latest;
    this.#tell(files);
  }

  /** Samples that are no longer there. */
  #forgetOthers(samples: readonly SampleEvent[]): void {
    const ids = new Set(samples.map(idOf));
    for (const { id, origin } of this.all()) if (origin === 'sample' && !ids.has(id)) this.#logins.delete(id);
  }

  /** Where a sample cannot be read, those read before stay. */
  async #readSamples(): Promise<SampleEvent[]> {
    try {
      const samples = await sampleEvents();
      this.#problem = null;
      return samples;
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      this.#problem = error.message;
      return this.all().flatMap(({ origin, sample }) => (origin === 'sample' ? [sample] : []));
    }
  }

  async #answerAgain(login: Unanswered, generation = this.#generation): Promise<void> {
    const judged = await this.#judged.judge(login.sample);
    const isGone = login.origin !== 'sample' && !this.#logins.has(login.id);
    if (isGone || generation !== this.#generation) return;
    // A typo in a handler: the page says where, and the answer before stays.
    if (judged.answered.reason === 'not_built' && this.#logins.has(login.id)) return;
    this.#put({ ...login, ...judged, isFresh: false, baseline: judged.answered, changes: [] });
  }

  /** With what is different from the answer before. */
  #put(login: Login): void {
    const before = this.#logins.get(login.id)?.baseline;
    this.#logins.set(login.id, {
      ...login,
      changes: before ? differencesOf(before, login.answered) : [],
    });
  }

  #fresh(origin: Origin, sample: SampleEvent, answered: Answered, findings: Finding[]): Login {
    const handler = this.#judged.handlerFor(sample);
    const isFailed = answered.failed !== null || answered.unavailable !== null;
    const kind = isFailed ? 'failed' : 'unknown';
    const judged: Judged = { sample, handler, answered, verdict: { kind } };
    const login = this.#add(origin, judged, { isFresh: true, findings });
    this.#tell([]);
    void this.#judged.judge(sample).then((later) => {
      login.baseline = later.answered;
    });
    return login;
  }

  #add(origin: Origin, judged: Judged, { isFresh = false, findings = [] }: Partial<Login>): Login {
    this.#count += 1;
    const id = `${origin.replace(' ', '-')}.${this.#count}`;
    const baseline = isFresh ? null : judged.answered;
    const login: Login = { ...judged, id, origin, at: Date.now(), isFresh, baseline, changes: [], findings };
    this.#logins.set(id, login);
    const unstoredLogins = this.all().filter((one) => one.origin !== 'sample');
    const [oldest] = unstoredLogins;
    if (oldest && unstoredLogins.length > MAX_UNSTORED) this.#logins.delete(oldest.id);
    return login;
  }

  #tell(files: readonly string[]): void {
    const shown = files.map((file) => relative(PROJECT, file));
    for (const listener of this.#listeners) listener(shown);
  }
}

/** A login before the function has answered it. */
type Unanswered = Pick<Login, 'id' | 'origin' | 'at' | 'findings' | 'sample'>;

function ofSample(sample: SampleEvent): Unanswered {
  return { id: idOf(sample), origin: 'sample', at: null, findings: [], sample };
}

/** The same after each start: addresses of the page hold it. */
function idOf({ functionName, name }: SampleEvent): string {
  return `${functionName}.${name}`;
}

function unstored(functionName: string, event: unknown, name: string): SampleEvent {
  return { functionName, name, file: '', event, expected: null, outside: null };
}
