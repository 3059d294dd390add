/** The logins that the studio shows: the samples, those that came since it started, and pastes. They stay in memory alone. */
import { isDeepStrictEqual } from 'node:util';
import { clock } from '../bundle/watchFiles.ts';
import { knownFormFindings, withAnswer } from '../capture/answerFindings.ts';
import type { ServiceEvents } from '../capture/serviceEvent.ts';
import { type Difference, differencesOf } from '../explain/differences.ts';
import { handlerFor, type Judged, verdictOf } from '../explain/judgedSamples.ts';
import { type HandlerReads, readsOf } from '../explain/reads.ts';
import type { Engine } from '../local/engine.ts';
import { type SampleEvent, sampleEvents } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { joinRecordings, type Recording } from '../local/recordings.ts';
import { invokeStored, Samples } from '../local/samples.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Finding } from '../shared/finding.ts';

/** Where a login is from: a stored sample event, one of the ports of `npm start`, a paste, or a sign-in at one's own provider. */
export type Origin = 'sample' | 'received' | 'pasted' | 'signed in';

export interface Login extends Judged {
  id: string;
  origin: Origin;
  /** When it came, in milliseconds since 1970; null for a sample. */
  at: number | null;
  /** The answer as it came, with the checks on and in real time; null for a sample and a paste. */
  live: InvocationResult | null;
  /** What later answers are compared with: the answer at the event's own time, with the checks off. */
  previous: InvocationResult;
  /** What the last change of a file changed in the response. */
  changes: Difference[];
  /** In what was caught, before the function answers. */
  findings: Finding[];
  /** What other systems answered since the start: when the login came, or when they were asked. */
  heard: readonly Recording[];
}

/** A login before the function has answered it. */
export type Unanswered = Pick<Login, 'id' | 'origin' | 'at' | 'live' | 'findings' | 'sample' | 'heard'>;

/** Of logins that came and of pastes, which stay in memory: the oldest one goes. */
const MAX_UNSTORED = 200;
/** Between two times that a page is told of the answers to a change: to show each one costs more than to answer it. */
const TOLD_MS = 500;
/** In characters, of an event that was sent to a port: no login has as many. */
const MAX_LISTED = 1_000_000;

export class Logins {
  readonly #engine: Engine;
  readonly #samples: Samples;
  readonly #logins = new Map<string, Login>();
  readonly #listeners = new Set<() => void>();
  readonly #seen = new Set<string>();
  readonly #reads = new Map<string, { answered: InvocationResult; reads: Promise<HandlerReads | null> }>();
  /** Why the samples cannot be read; null where they can. */
  problem: string | null = null;
  /** Whether each sample has its first answer. */
  isAnswered = false;
  /** The login that a page shows: a change answers it first. */
  #shown = '';
  #count = 0;
  #readAhead: Promise<SampleEvent[]> | null = null;
  /** The newest refresh, and what ends it: a newer one. */
  #latest: Promise<void> = Promise.resolve();
  #superseded = new AbortController();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#samples = new Samples(engine, { isOffline: true });
  }

  all(): Login[] {
    return [...this.#logins.values()];
  }

  get(id: string): Login | undefined {
    return this.#logins.get(id);
  }

  /** @returns what ends it */
  listen(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  }

  /** A login that came to one of the ports, and its answer. Anybody on this machine may send one: a huge one is not listed. */
  async received(functionName: string, event: unknown, answered: InvocationResult): Promise<void> {
    if (JSON.stringify(event).length > MAX_LISTED) return;
    await this.#add('received', unstored(functionName, event, clock()), [], answered);
  }

  /** Answers an event at its own time, with the checks off. */
  pasted(functionName: string, event: unknown, name: string, findings: Finding[]): Promise<Login> {
    return this.#add('pasted', unstored(functionName, event, name), findings);
  }

  /** Whether the event that a known service would send has another response. */
  async knownForm(functionName: string, { plain, known }: ServiceEvents): Promise<Finding[]> {
    if (isDeepStrictEqual(plain, known)) return [];
    const [ofPlain, ofKnown] = await Promise.all([
      this.#judge(unstored(functionName, plain, '')),
      this.#judge(unstored(functionName, known, '')),
    ]);
    return knownFormFindings(ofPlain.answered, ofKnown.answered);
  }

  /** Answers a fresh sign-in in real time, with the checks that the settings turn on. */
  async signedIn(functionName: string, event: unknown, findings: Finding[]): Promise<Login> {
    const handlerModule = handlerFor({ functionName, expected: null }, this.#engine.stage)?.module;
    const way = { functionName, handlerModule, isChecked: true };
    const answered = await this.#engine.invoke({ ...way, event, frozenTime: null, requests: 'live' });
    const sample = unstored(functionName, event, clock());
    return this.#add('signed in', sample, findings, answered);
  }

  /** Without those that the answer says itself. */
  findingsOf({ sample: { event, functionName }, answered, findings }: Login): Finding[] {
    return withAnswer(findings, { answered, event, functionName });
  }

  /** Sends the requests that the handler makes; later answers replay the responses. @returns those that got none */
  async ask(login: Login): Promise<string[]> {
    const { sample, handler } = login;
    const way = { ...sample, handlerModule: handler?.module ?? null, hasDefaultResponses: isSample(login) };
    const { requests } = await invokeStored(this.#engine, { ...way, requests: 'live' });
    const before = this.#logins.get(login.id);
    if (before) await this.#hear({ ...before, heard: joinRecordings(requests.recordings, before.heard) });
    return requests.missing;
  }

  /** No file changed: what is answered differently is no change. */
  async #hear(login: Login): Promise<void> {
    this.#keep(login);
    const { handler, answered, verdict } = await this.#judge(withRecordings(login));
    if (this.#logins.get(login.id) !== login) return;
    this.#keep({ ...login, handler, answered, verdict, previous: answered, changes: [] });
    this.tell();
  }

  /** What another handler of the project answers; the list keeps its own. */
  answerOf(handler: string, login: Login): Promise<InvocationResult> {
    return this.#samples.invoke(withRecordings(login), handler === 'default' ? null : handler);
  }

  /** Whether a login that came was open on the page, or is a sample. */
  isSeen(login: Login): boolean {
    return isSample(login) || this.#seen.has(login.id);
  }

  see(login: Login): void {
    this.#shown = login.id;
    if (this.isSeen(login)) return;
    this.#seen.add(login.id);
    this.tell();
  }

  /** What the handler reads of the event: answers it once more. Until that is known, it is what was known before the handler changed. */
  reads(login: Login): Promise<HandlerReads | null> {
    const { id, answered, sample } = login;
    const known = this.#reads.get(id);
    if (known?.answered === answered) return known.reads;
    const reads = readsOf({ answered, ...sample }, this.#engine);
    // Of another handler, what was read says nothing of this one.
    const isKnown = known?.answered.handler === answered.handler;
    this.#reads.set(id, { answered, reads: isKnown ? known.reads : reads });
    if (!isKnown) return reads;
    const tellReads = () => {
      if (this.#reads.get(id)?.answered !== answered) return;
      this.#reads.set(id, { answered, reads });
      this.tell();
    };
    reads.then(tellReads, tellReads);
    return known.reads;
  }

  /**
   * Reads the samples, and answers all logins, because files changed. A newer change takes its place, for a handler may hang.
   * Settles when the logins are answered as the files have them by then.
   */
  refresh(): Promise<void> {
    this.#superseded.abort();
    this.#superseded = new AbortController();
    this.#latest = this.#refresh(this.#superseded.signal, this.#readAhead ?? this.#readSamples());
    this.#readAhead = null;
    return this.#latest;
  }

  /** A change is seen: the samples are read while the functions are built. */
  refreshLater(): void {
    this.#readAhead = this.#readSamples();
    this.tell();
  }

  async #refresh(superseded: AbortSignal, stored: Promise<SampleEvent[]>): Promise<void> {
    const samples = await stored;
    if (superseded.aborted) return this.#latest;
    const ids = new Set(samples.map(idOf));
    for (const login of this.all()) if (isSample(login) && !ids.has(login.id)) this.#logins.delete(login.id);
    const known = samples.map((sample): Unanswered => {
      const id = idOf(sample);
      const heard = this.#logins.get(id)?.heard ?? [];
      return { id, origin: 'sample', at: null, live: null, findings: [], sample, heard };
    });
    const unstored = this.all().filter((login) => !isSample(login));
    const logins: Unanswered[] = [...known, ...unstored.reverse()];
    const isShown = ({ id }: Unanswered) => Number(id === this.#shown);
    const inTurn = logins.toSorted((a, b) => isShown(b) - isShown(a));
    const telling = setInterval(() => this.tell(), TOLD_MS);
    const answering = Promise.all(inTurn.map((login) => this.#answerAgain(login, superseded)));
    await answering.finally(() => clearInterval(telling));
    if (superseded.aborted) return this.#latest;
    this.isAnswered = true;
    this.tell();
  }

  /** Where a sample cannot be read, those read before stay. */
  async #readSamples(): Promise<SampleEvent[]> {
    try {
      const samples = await sampleEvents();
      this.problem = null;
      return samples;
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      this.problem = error.message;
      return this.all().flatMap((login) => (isSample(login) ? [login.sample] : []));
    }
  }

  async #judge(sample: SampleEvent): Promise<Judged> {
    const handler = handlerFor(sample, this.#engine.stage);
    const answered = await this.#samples.invoke(sample, handler?.module ?? null);
    return { sample, handler, answered, verdict: verdictOf(sample, answered, handler) };
  }

  async #answerAgain(login: Unanswered, superseded: AbortSignal): Promise<void> {
    const { handler, answered, verdict } = await this.#judge(withRecordings(login));
    const before = this.#logins.get(login.id);
    const isGone = !isSample(login) && !before;
    if (isGone || superseded.aborted || (before && before.heard !== login.heard)) return;
    // A typo in a handler: the page says where, and the answer before stays.
    if (answered.reason === 'not_built' && before) return;
    const isComparable = before !== undefined && before.previous.reason !== 'not_built';
    const changes = isComparable ? differencesOf(before.previous, answered) : [];
    this.#keep({ ...login, handler, answered, verdict, previous: answered, changes });
    if (login.id === this.#shown) this.tell();
  }

  /** @param fresh the answer with the checks on and in real time, where there is one: the login is listed with it at once */
  async #add(
    origin: Origin,
    sample: SampleEvent,
    findings: Finding[],
    fresh?: InvocationResult,
  ): Promise<Login> {
    this.#count += 1;
    const id = `${origin.replace(' ', '-')}.${this.#count}`;
    const handler = handlerFor(sample, this.#engine.stage);
    const heard = fresh?.requests.recordings ?? [];
    const list = (answered: InvocationResult): Login => {
      const login: Login = {
        id,
        origin,
        at: Date.now(),
        sample,
        findings,
        heard,
        handler,
        answered,
        live: fresh ?? null,
        previous: answered,
        changes: [],
        verdict: verdictOf(sample, answered, handler),
      };
      this.#keep(login);
      this.tell();
      return login;
    };
    const listed = fresh && list(fresh);
    const { answered } = await this.#judge(withRecordings({ sample, heard }));
    if (!listed) return list(answered);
    if (this.#logins.get(id) === listed)
      this.#keep({ ...listed, heard: usedOf(answered, heard), previous: answered });
    return listed;
  }

  #keep(login: Login): void {
    this.#logins.set(login.id, login);
    const [oldest, ...newer] = this.all().filter((one) => !isSample(one));
    if (oldest === undefined || newer.length < MAX_UNSTORED) return;
    this.#logins.delete(oldest.id);
    this.#reads.delete(oldest.id);
  }

  /** Tells those who show the logins that something of them, or of what answers them, is another. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The event of a login, with all that is known of other systems: what was heard takes precedence over what is recorded. */
export function withRecordings({ sample, heard }: Pick<Login, 'sample' | 'heard'>): SampleEvent {
  return { ...sample, recordings: joinRecordings(heard, sample.recordings ?? []) };
}

/** Without what the checks asked for, and what other logins did: a handler that got all it asks for needs no more. */
function usedOf({ requests }: InvocationResult, heard: readonly Recording[]): readonly Recording[] {
  return requests.missing.length > 0 ? heard : heard.filter((_, index) => requests.used.includes(index));
}

export function isSample({ origin }: Pick<Login, 'origin'>): boolean {
  return origin === 'sample';
}

/** The same after each start: addresses of the page hold it. */
function idOf({ functionName, name }: SampleEvent): string {
  return `${functionName}.${name}`;
}

function unstored(functionName: string, event: unknown, name: string): SampleEvent {
  return { functionName, name, file: '', event, expected: null, recordings: null };
}
