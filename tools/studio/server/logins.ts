/** The logins that the studio shows: the samples, those that came since it started, and pastes. They stay in memory alone. */
import { clock } from '../../bundle/watching.ts';
import type { Finding } from '../../capture/findings.ts';
import { type Difference, differencesOf } from '../../explain/differences.ts';
import { type Judged, JudgedSamples, verdictOf } from '../../explain/judgedSamples.ts';
import { type HandlerReads, readsOf } from '../../explain/reads.ts';
import type { Answered } from '../../local/answered.ts';
import type { Engine } from '../../local/engine.ts';
import { type SampleEvent, sampleEvents } from '../../local/events.ts';
import { Samples } from '../../local/samples.ts';
import { UnusableInput } from '../../shared/commandLine.ts';
import { ofProject } from '../../shared/project.ts';
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
  baseline: Answered;
  /** What the last change of a file changed in the response. */
  changes: Difference[];
  findings: Finding[];
}

export class Logins {
  readonly #engine: Engine;
  readonly #judged: JudgedSamples;
  readonly #noting: Samples;
  readonly #logins = new Map<string, Login>();
  readonly #listeners = new Set<(files: readonly string[]) => void>();
  #count = 0;
  #problem: string | null = null;
  /** The newest refresh, and what ends it: a newer one. */
  #latest: Promise<void> = Promise.resolve();
  #superseded = new AbortController();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#judged = new JudgedSamples(engine, new Samples(engine, { isOffline: true }));
    this.#noting = new Samples(engine, { isOffline: true, isNotingReads: true });
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
  async received(functionName: string, event: unknown, answered: Answered): Promise<void> {
    await this.#add('received', unstored(functionName, event, clock()), [], answered);
  }

  /** Answers an event at its own time, with the checks off. */
  pasted(functionName: string, event: unknown, name: string, findings: Finding[]): Promise<Login> {
    return this.#add('pasted', unstored(functionName, event, name), findings);
  }

  /** Answers a fresh sign-in in real time, with the checks that the settings turn on. */
  async signedIn(functionName: string, event: unknown, findings: Finding[]): Promise<Login> {
    const handlerModule = this.#judged.handlerFor({ functionName, expected: null })?.module;
    const way = { functionName, handlerModule, isChecked: true, isLive: true };
    const answered = await this.#engine.answer({ ...way, event, moment: null, outside: 'live' });
    const sample = unstored(functionName, event, `${clock()}, plain form`);
    return this.#add('signed in', sample, findings, answered);
  }

  /** Sends the requests to other systems that the handler makes; later answers replay their responses. */
  async ask(login: Login): Promise<void> {
    const samples = new Samples(this.#engine, { isOffline: false });
    const answered = await samples.answer({ ...login.sample, outside: null }, login.handler?.module);
    const sample = { ...login.sample, outside: answered.asked.exchanges };
    await this.#answerAgain({ ...login, sample }, this.#superseded.signal);
    this.#tell([]);
  }

  /** What the handler reads of the event: answers it once more. */
  reads({ answered, sample, handler }: Login): Promise<HandlerReads | null> {
    return readsOf({ answered, ...sample }, () => this.#noting.answer(sample, handler?.module));
  }

  /**
   * Reads the samples, and answers all logins, because files changed. A newer change takes its place: a handler that hangs
   * must not keep the next one from being seen.
   *
   * @param files their paths; empty at first
   * @returns resolves when the logins are answered as the files have them by then
   */
  refresh(files: readonly string[]): Promise<void> {
    this.#superseded.abort();
    this.#superseded = new AbortController();
    this.#latest = this.#refresh(files, this.#superseded.signal);
    return this.#latest;
  }

  async #refresh(files: readonly string[], superseded: AbortSignal): Promise<void> {
    const samples = await this.#readSamples();
    if (superseded.aborted) return this.#latest;
    this.#forgetOthers(samples);
    const logins = [...samples.map(ofSample), ...this.all().filter((login) => !isSample(login))];
    const telling = setInterval(() => this.#tell([]), TELL_MS);
    try {
      await Promise.all(logins.map((login) => this.#answerAgain(login, superseded)));
    } finally {
      clearInterval(telling);
    }
    if (superseded.aborted) return this.#latest;
    this.#tell(files);
  }

  /** Samples that are no longer there. */
  #forgetOthers(samples: readonly SampleEvent[]): void {
    const ids = new Set(samples.map(idOf));
    for (const login of this.all()) if (isSample(login) && !ids.has(login.id)) this.#logins.delete(login.id);
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
      return this.all().flatMap((login) => (isSample(login) ? [login.sample] : []));
    }
  }

  async #answerAgain(login: Unanswered, superseded: AbortSignal): Promise<void> {
    const judged = await this.#judged.judge(login.sample);
    const before = this.#logins.get(login.id);
    const isGone = !isSample(login) && !before;
    if (isGone || superseded.aborted) return;
    const { answered } = judged;
    // A typo in a handler: the page says where, and the answer before stays.
    if (answered.reason === 'not_built' && before) return;
    const changes = before ? differencesOf(before.baseline, answered) : [];
    this.#logins.set(login.id, { ...login, ...judged, isFresh: false, baseline: answered, changes });
  }

  /** @param fresh the answer with the checks on and in real time, where there is one: the login is listed with it at once */
  async #add(origin: Origin, sample: SampleEvent, findings: Finding[], fresh?: Answered): Promise<Login> {
    this.#count += 1;
    const id = `${origin.replace(' ', '-')}.${this.#count}`;
    const handler = this.#judged.handlerFor(sample);
    const list = (answered: Answered): Login => {
      const verdict = verdictOf(sample, answered, handler);
      const login: Login = {
        ...{ id, origin, at: Date.now(), sample, findings, handler, answered, verdict },
        ...{ isFresh: fresh !== undefined, baseline: answered, changes: [] },
      };
      this.#logins.set(id, login);
      this.#forgetOldest();
      this.#tell([]);
      return login;
    };
    const listed = fresh && list(fresh);
    const { answered } = await this.#judged.judge(sample);
    if (!listed) return list(answered);
    if (this.#logins.get(id) === listed) this.#logins.set(id, { ...listed, baseline: answered });
    return listed;
  }

  #forgetOldest(): void {
    const [oldest, ...newer] = this.all().filter((one) => !isSample(one));
    if (oldest && newer.length >= MAX_UNSTORED) this.#logins.delete(oldest.id);
  }

  #tell(files: readonly string[]): void {
    const shown = files.map(ofProject);
    for (const listener of this.#listeners) listener(shown);
  }
}

/** A login before the function has answered it. */
type Unanswered = Pick<Login, 'id' | 'origin' | 'at' | 'findings' | 'sample'>;

function ofSample(sample: SampleEvent): Unanswered {
  return { id: idOf(sample), origin: 'sample', at: null, findings: [], sample };
}

function isSample({ origin }: Pick<Login, 'origin'>): boolean {
  return origin === 'sample';
}

/** The same after each start: addresses of the page hold it. */
function idOf({ functionName, name }: SampleEvent): string {
  return `${functionName}.${name}`;
}

function unstored(functionName: string, event: unknown, name: string): SampleEvent {
  return { functionName, name, file: '', event, expected: null, outside: null };
}
