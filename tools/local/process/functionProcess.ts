/** A function in a process of its own, as on Lambda: it takes one event at a time, and ends when it does not respond in time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { DIST } from '../../bundle/build.ts';
import { handlerIn } from '../../shared/functions.ts';
import { coldStartIn } from '../coldStartReport.ts';
import { noRequests, RequestLog, type Requests } from '../recordings.ts';
import { DECISION, type LogRecord, recordsOf } from './logRecords.ts';

const DEFAULT_TIMEOUT_MS = 20_000;
/** For starting, before the process takes its first event: Lambda gives it 10 s. */
const INIT_TIMEOUT_MS = 10_000;
/** Stack frames lead to the sources. A handler that eats memory ends there, as on Lambda, and not with the machine. */
const NODE_OPTIONS = ['--enable-source-maps', '--max-old-space-size=512'];
/** In characters, of a message, and of what is written until it is forgotten. A login at level DEBUG writes some 10,000. */
const MAX_OUTPUT = 16_777_216;
/** Until what a process that has ended left in its pipes is read. A process that it started may hold them open. */
const LEFT_MS = 500;

/** The request id of an invocation that names none: it is always the same, so that results can be compared. */
export const REQUEST_ID = '00000000-0000-4000-8000-000000000000';
/** Events of records that are not looked for in what a process writes for an event. */
const TOLD: readonly unknown[] = ['cold_start', DECISION];
/** What the message that a process is ready has in the place of a request id. */
const START_ID = '';

export class FunctionFailed extends Error {
  /** `crash`, `error`, `time-out`, or why the event was not sent. */
  readonly kind: string;
  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

interface ProcessOptions {
  name: string;
  /** The environment of the process: nothing else is in it. */
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

export interface FunctionOptions extends ProcessOptions {
  root?: string;
  /** Whether the clock can be set, recordings can respond, and the process ends with this one. Default: false. */
  isLocal?: boolean;
}

/** An event, and what its function finds around it. */
export interface FunctionEvent {
  event: unknown;
  requestId: string;
  /** Where the function's clock stands when the event begins, in milliseconds since 1970; null for the real time. */
  frozenTime: number | null;
  requests: Requests;
}

/** What became of an event. A crash and a time-out are results too. */
export interface Outcome {
  /** What the function returned; undefined where it failed. */
  result: unknown;
  failure: FunctionFailed | null;
  requests: RequestLog;
  /** That of the start, what mappings and default handlers decided, which the handler may have called, and those of the log. */
  records: LogRecord[];
  /** What the process wrote since the event before, and while it started. */
  output: string;
  /** From sending the event to the response, in milliseconds. */
  ms: number;
}

export function failed(failure: FunctionFailed, records: LogRecord[] = []): Outcome {
  return { result: undefined, failure, requests: noRequests(), records, output: '', ms: 0 };
}

/** That the process is ready, or what became of an event. The code of a handler may send some too. */
const Message = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    requestId: v.string(),
    response: v.optional(v.unknown()),
    errorMessage: v.optional(v.string()),
    requests: v.optional(RequestLog, noRequests),
    decisions: v.optional(v.array(v.looseObject({ mapping: v.optional(v.string()) })), () => []),
  }),
);

const CLIENT = join(import.meta.dirname, 'client.mjs');

export function startFunction({
  root = DIST,
  isLocal = false,
  ...options
}: FunctionOptions): FunctionProcess {
  const module = join(root, 'functions', `${options.name}.mjs`);
  const child = spawn(process.execPath, [...NODE_OPTIONS, CLIENT, module, ...(isLocal ? ['local'] : [])], {
    env: options.env ?? {},
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  // The pipe before the last closes when this process ends, and nothing is written to it.
  return new FunctionProcess(options, child, child.stdio[4] as Duplex);
}

export class FunctionProcess {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  /** Settles when the process takes events, or has failed to, with whether it does. */
  readonly started: Promise<boolean>;
  /** What the next message must be about: the start, or an event. */
  #awaited: { requestId: string; settle: (outcome: Outcome) => void } | null = null;
  /** Why the process takes no more events. */
  failure: FunctionFailed | null = null;
  #output = '';
  #coldStart: LogRecord = {};
  /** By their text, each once: a mapping may be large, and decides many logins. */
  readonly #mappings = new Map<string, unknown>();

  /** @param channel takes each event, and has each message back, as a line of JSON */
  constructor(
    { name, env = {}, timeoutMs = DEFAULT_TIMEOUT_MS }: ProcessOptions,
    child: ChildProcess,
    channel: Duplex,
  ) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
    this.#child = child;
    this.#channel = channel;
    this.started = this.#awaitOutcome(START_ID, INIT_TIMEOUT_MS).then(({ failure }) => {
      this.#coldStart = coldStartIn(this.#output, failure, handlerIn(env, name));
      return failure === null;
    });
    this.#listen();
    for (const stream of child.stdio) stream?.on('error', () => {});
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.#write(text));
    child.on('error', ({ message }) => this.#fail(`could not be started: ${message}`));
    child.on('close', (code, signal) => this.#fail(`ended (${signal ?? `exit code ${code}`})`));
    child.on('exit', () => {
      setTimeout(() => child.stdio.forEach((stream) => void stream?.destroy()), LEFT_MS).unref();
    });
  }

  /** All that the process wrote since this was called before. */
  take(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  #write(text: string): void {
    if (this.#output.length + text.length <= MAX_OUTPUT) this.#output += text;
    else this.#fail(`wrote more than ${MAX_OUTPUT} characters`);
  }

  /** Never throws for what the function does. @param limitMs how long the event may take */
  async run(event: FunctionEvent, limitMs = this.#timeoutMs): Promise<Outcome> {
    await this.started;
    const begun = performance.now();
    const outcome = await this.#answer(event, limitMs);
    const ms = performance.now() - begun;
    const output = this.take();
    // A handler may print any record. Start and decisions are told already; and what comes late is of an event before.
    const isOwn = ({ event: name, requestId }: LogRecord) =>
      !TOLD.includes(name) && (requestId === undefined || requestId === event.requestId);
    const records = [this.#coldStart, ...outcome.records, ...recordsOf(output).filter(isOwn)];
    return { ...outcome, records, output, ms };
  }

  async #answer(event: FunctionEvent, limitMs: number): Promise<Outcome> {
    if (this.failure) return failed(this.failure);
    try {
      const deadline = Date.now() + this.#timeoutMs;
      this.#channel.write(`${JSON.stringify({ ...event, deadline })}\n`);
    } catch (error) {
      // The event is no JSON, or nested too deeply.
      return failed(new FunctionFailed('error', (error as Error).message));
    }
    return this.#awaitOutcome(event.requestId, limitMs);
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  /** What the process wrote before a message may be read after the message, in the same turn. */
  #awaitOutcome(requestId: string, ms: number): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => this.#fail(`did not respond within ${ms} ms`, 'time-out'), ms);
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      this.#awaited = null;
      resolve(outcome);
    };
    this.#awaited = { requestId, settle };
    return promise.finally(() => setImmediate());
  }

  /** Fails what runs and what comes later. */
  #fail(what: string, kind = 'crash'): void {
    this.failure ??= new FunctionFailed(kind, `the process of ${this.#name} ${what}`);
    this.#awaited?.settle(failed(this.failure));
    this.#child.kill('SIGKILL');
  }

  /** Node's own channel would end the process that reads something else than messages out of it. */
  #listen(): void {
    let received = '';
    this.#channel.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      // A long one comes in many parts.
      if (!text.endsWith('\n') && received.length <= MAX_OUTPUT) return;
      this.#take(received);
      received = '';
    });
  }

  #take(text: string): void {
    if (this.failure) return;
    const outcome = this.#outcomeIn(text);
    if (outcome === null) this.#fail('sent something other than its response');
    else this.#awaited?.settle(outcome);
  }

  /** @returns null for what is not the message that is awaited: the code of a handler may write to the pipe */
  #outcomeIn(text: string): Outcome | null {
    try {
      const { requestId, response: result, errorMessage, requests, decisions } = v.parse(Message, text);
      if (requestId !== this.#awaited?.requestId) return null;
      const failure = errorMessage === undefined ? null : new FunctionFailed('error', errorMessage);
      const records = decisions.map(({ mapping, ...decision }) => ({
        ...decision,
        mapping: mapping && this.#mappingOf(mapping),
        event: DECISION,
      }));
      return { result, failure, requests, records, output: '', ms: 0 };
    } catch {
      return null;
    }
  }

  #mappingOf(text: string): unknown {
    const mapping = this.#mappings.get(text) ?? JSON.parse(text);
    this.#mappings.set(text, mapping);
    return mapping;
  }
}
