/** A function in a process of its own, as on Lambda: it takes one event at a time, and ends when it does not respond in time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { DIST } from '../../bundle/build.ts';
import { noRequests, RequestLog, type Requests } from '../recordings.ts';
import { type LogRecord, recordsOf } from './logRecords.ts';

export const DEFAULT_TIMEOUT_MS = 20_000;
/** For starting, before the process takes its first event: Lambda gives it 10 s. */
const INIT_TIMEOUT_MS = 10_000;
/** Stack frames lead to the sources. A handler that eats memory ends there, as on Lambda, and not with the machine. */
const NODE_OPTIONS = ['--enable-source-maps', '--max-old-space-size=512'];
/** In characters, until it is forgotten. A login at level DEBUG writes some 10,000. */
const MAX_OUTPUT = 16_777_216;
/** Until what a process that has ended left in its pipes is read. A process that it started may hold them open. */
const LEFT_MS = 500;
/** Until a process whose channel closed has ended: then its exit code says why. */
const EXIT_MS = 200;

/** The request id of an invocation that names none: it is always the same, so that results can be compared. */
export const REQUEST_ID = '00000000-0000-4000-8000-000000000000';

/** Thrown when the process ended, threw or hung instead of responding. */
export class FunctionFailed extends Error {
  readonly kind: 'crash' | 'error' | 'time-out';
  constructor(kind: FunctionFailed['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface FunctionOptions {
  name: string;
  /** The bundle's root. */
  root?: string;
  /** The environment of the process: nothing else is in it. */
  env?: NodeJS.ProcessEnv;
  /** The function's time-out in milliseconds, as Lambda would have it. */
  timeoutMs?: number;
  /** Whether the clock can be set, recordings can respond, and the process ends with this one. Default: false. */
  isLocal?: boolean;
  /** Options of Node. Default: source maps, and a limit of the heap. */
  nodeOptions?: readonly string[];
}

export interface InvokeOptions {
  /** Where the process's clock stands when the event begins, in milliseconds since 1970. Default: the real time. */
  frozenTime?: number | null;
  /** Default: `live`. */
  requests?: Requests;
  /** How long the process may be busy, in milliseconds, where it waits for no other system. Default: the time-out. */
  busyMs?: number;
}

export interface InvokeMessage {
  requestId: string;
  /** In milliseconds since 1970. */
  deadline: number;
  event: unknown;
}

/** How events get to the process, and its messages back. */
export interface Channel {
  /** @throws {Error} for an event that cannot be sent */
  send(message: InvokeMessage, onSent: () => void): unknown;
  on(event: 'message', take: (message: unknown) => void): unknown;
}

/**
 * The code of a handler may send some too. They are text: the objects that Node makes of JSON are of another realm than those of
 * a test, and equal to none of them.
 */
const Message = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('type', [
    v.object({ type: v.literal('ready') }),
    v.object({ type: v.literal('asking'), requestId: v.string() }),
    v.object({
      type: v.literal('response'),
      requestId: v.string(),
      response: v.optional(v.unknown()),
      requests: v.optional(RequestLog, noRequests),
      decisions: v.optional(v.array(v.record(v.string(), v.unknown())), () => []),
    }),
    v.object({ type: v.literal('error'), requestId: v.string(), errorMessage: v.string() }),
  ]),
);

const CLIENT = join(import.meta.dirname, 'client.mjs');

export function startFunction(options: FunctionOptions): FunctionProcess {
  const { name, root = DIST, env = {}, timeoutMs = DEFAULT_TIMEOUT_MS, isLocal = false } = options;
  const { nodeOptions = NODE_OPTIONS } = options;
  const module = join(root, 'functions', `${name}.mjs`);
  const child = fork(CLIENT, [module, ...(isLocal ? ['local'] : [])], {
    env,
    execArgv: [...nodeOptions],
    // The fourth closes when this process ends; nothing is written to it.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
  });
  return new FunctionProcess(name, timeoutMs, child);
}

export class FunctionProcess {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #child: ChildProcess;
  readonly #channel: Channel;
  readonly #started = Promise.withResolvers<void>();
  #isStarted = false;
  #running: (PromiseWithResolvers<unknown> & { requestId: string; isAsking: boolean }) | null = null;
  #failure: FunctionFailed | null = null;
  #timer: NodeJS.Timeout | undefined;
  #output = '';
  /** What it asked other systems for since the last invocation began. */
  requests = noRequests();
  /** What was decided in it since then, by mappings and default handlers that its handler may have called. */
  decisions: LogRecord[] = [];
  readonly #mappings: unknown[] = [];

  constructor(name: string, timeoutMs: number, child: ChildProcess, channel: Channel = child) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
    this.#child = child;
    this.#channel = channel;
    // A process that fails before anybody waits for it is told of by the first invocation.
    this.#started.promise.catch(() => {});
    this.#allow(INIT_TIMEOUT_MS);
    channel.on('message', (message) => this.#take(message));
    for (const stream of child.stdio) stream?.on('error', () => {});
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.write(text));
    child.on('error', ({ message }) => this.#end(`could not be started: ${message}`));
    child.on('close', (code, signal) => this.#end(`ended (${signal ?? `exit code ${code}`})`));
    child.on('disconnect', () => {
      setTimeout(() => this.#hasExited || this.#end('closed its channel'), EXIT_MS).unref();
    });
    child.on('exit', () => {
      setTimeout(() => child.stdio.forEach((stream) => void stream?.destroy()), LEFT_MS).unref();
    });
  }

  /** Whether it ended, or is about to. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** All that the process wrote since it was forgotten. */
  output(): string {
    return this.#output;
  }

  /** The log records among it. */
  records(): LogRecord[] {
    return recordsOf(this.#output);
  }

  /** Drops what the process wrote so far. */
  forget(): void {
    this.#output = '';
  }

  /** Adds what the process wrote. */
  write(text: string): void {
    if (this.#output.length + text.length <= MAX_OUTPUT) this.#output += text;
    else this.#end(`wrote more than ${MAX_OUTPUT} characters`);
  }

  /** Resolves when the process takes events. @throws {FunctionFailed} where it does not start in time */
  ready(): Promise<void> {
    return settled(this.#started.promise);
  }

  /** @throws {FunctionFailed} */
  async invoke(event: unknown, requestId = REQUEST_ID, options: InvokeOptions = {}): Promise<unknown> {
    const { frozenTime = null, requests = 'live', busyMs = this.#timeoutMs } = options;
    await this.#started.promise;
    if (this.#failure) throw this.#failure;
    this.requests = noRequests();
    this.decisions = [];
    const running = { ...Promise.withResolvers<unknown>(), requestId, isAsking: false };
    const message = { requestId, deadline: Date.now() + this.#timeoutMs, event, frozenTime, requests };
    try {
      this.#channel.send(message, () => {});
    } catch (error) {
      throw new FunctionFailed('error', `the event cannot be sent: ${(error as Error).message}`);
    }
    this.#running = running;
    this.#allow(busyMs);
    return settled(running.promise);
  }

  async stop(): Promise<void> {
    if (this.#hasExited) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  get #hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #allow(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(`did not respond within ${ms} ms`, 'time-out'), ms);
  }

  #take(received: unknown): void {
    if (this.#failure) return;
    const message = v.safeParse(Message, received);
    if (!message.success) this.#end('sent something other than a message');
    else if (!this.#obey(message.output)) this.#end('sent a message out of turn');
  }

  /** @returns whether the message is in turn */
  #obey(message: v.InferOutput<typeof Message>): boolean {
    const running = this.#running;
    if (message.type === 'ready') {
      if (this.#isStarted) return false;
      this.#isStarted = true;
      clearTimeout(this.#timer);
      this.#started.resolve();
      return true;
    }
    if (running === null || running.requestId !== message.requestId) return false;
    if (message.type === 'asking') {
      if (running.isAsking) return false;
      running.isAsking = true;
      this.#allow(this.#timeoutMs);
      return true;
    }
    clearTimeout(this.#timer);
    this.#running = null;
    if (message.type === 'error') running.reject(new FunctionFailed('error', message.errorMessage));
    else {
      this.requests = message.requests;
      this.decisions = message.decisions.map((decision) => this.#withMapping(decision));
      running.resolve(message.response);
    }
    return true;
  }

  /** The process tells each mapping once, and later by its number. */
  #withMapping({ mapping, ...decision }: LogRecord): LogRecord {
    if (typeof mapping === 'number') return { ...decision, mapping: this.#mappings[mapping] };
    this.#mappings.push(mapping);
    return { ...decision, mapping };
  }

  /** Fails what runs and what comes later. */
  #end(what: string, kind: FunctionFailed['kind'] = 'crash'): void {
    clearTimeout(this.#timer);
    this.#failure ??= new FunctionFailed(kind, `the process of ${this.#name} ${what}`);
    this.#running?.reject(this.#failure);
    this.#running = null;
    this.#started.reject(this.#failure);
    this.#child.kill('SIGKILL');
  }
}

/** What the process wrote before a message may be read after the message, in the same turn. */
function settled<TResult>(promise: Promise<TResult>): Promise<TResult> {
  return promise.finally(() => setImmediate());
}
