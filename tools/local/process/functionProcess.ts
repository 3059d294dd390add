/** A function in a process of its own, as on Lambda: it takes one event at a time, and ends when it does not respond in time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { DIST } from '../../bundle/build.ts';
import { noRequests, RequestLog, type Requests } from '../recordings.ts';
import { type LogRecord, recordsOf } from './logRecords.ts';

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
/** What the message that a process is ready has in the place of a request id. */
const START_ID = '';

export class FunctionFailed extends Error {
  readonly kind: 'crash' | 'error' | 'time-out';
  constructor(kind: FunctionFailed['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface FunctionOptions {
  name: string;
  root?: string;
  /** The environment of the process: nothing else is in it. */
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
  /** Whether the clock can be set, recordings can respond, and the process ends with this one. Default: false. */
  isLocal?: boolean;
}

export interface InvokeOptions {
  /** Where the process's clock stands when the event begins, in milliseconds since 1970; null for the real time. */
  frozenTime: number | null;
  requests: Requests;
  /** How long the event may take, in milliseconds. Default: the function's time-out. */
  limitMs?: number;
}

export interface InvokeMessage {
  requestId: string;
  deadline: number;
  event: unknown;
}

/** How events get to the process, and its messages back, each a text of JSON. */
export interface Channel {
  send(message: InvokeMessage): void;
  on(event: 'message', take: (message: string) => void): unknown;
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

/** Lines over a pipe. Node's own channel ends the process that reads something else out of it. */
class PipeChannel extends EventEmitter<{ message: [string] }> implements Channel {
  readonly #pipe: Duplex;

  constructor(pipe: Duplex) {
    super();
    this.#pipe = pipe;
    let rest = '';
    pipe.setEncoding('utf8').on('data', (text: string) => {
      rest += text;
      // A long one comes in many parts.
      if (!text.includes('\n') && rest.length <= MAX_OUTPUT) return;
      const lines = rest.split('\n');
      rest = lines.length > 1 ? (lines.pop() ?? '') : '';
      for (const line of lines) this.emit('message', line);
    });
  }

  send(message: InvokeMessage): void {
    this.#pipe.write(`${JSON.stringify(message)}\n`);
  }
}

const CLIENT = join(import.meta.dirname, 'client.mjs');

export function startFunction(options: FunctionOptions): FunctionProcess {
  const { name, root = DIST, env = {}, timeoutMs = DEFAULT_TIMEOUT_MS, isLocal = false } = options;
  const module = join(root, 'functions', `${name}.mjs`);
  const child = spawn(process.execPath, [...NODE_OPTIONS, CLIENT, module, ...(isLocal ? ['local'] : [])], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  // The pipe before the last closes when this process ends, and nothing is written to it.
  return new FunctionProcess(name, timeoutMs, child, new PipeChannel(child.stdio[4] as Duplex));
}

export class FunctionProcess {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #child: ChildProcess;
  readonly #channel: Channel;
  /** Resolves when the process takes events; rejects with a `FunctionFailed` where it does not start in time. */
  readonly started: Promise<unknown>;
  /** What the next message must be about: the start, or an event. */
  #awaited: (PromiseWithResolvers<unknown> & { requestId: string }) | null = null;
  failure: FunctionFailed | null = null;
  #timer: NodeJS.Timeout | undefined;
  #output = '';
  /** Of the last event. */
  requests = noRequests();
  /** What mappings and default handlers decided on the last event, which its handler may have called. */
  decisions: LogRecord[] = [];
  /** By their text, each once: a mapping may be large, and decides many logins. */
  readonly #mappings = new Map<string, unknown>();

  constructor(name: string, timeoutMs: number, child: ChildProcess, channel: Channel) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
    this.#child = child;
    this.#channel = channel;
    this.started = this.#responseTo(START_ID, INIT_TIMEOUT_MS);
    // A process that fails before anybody waits for it is told of by the first invocation.
    this.started.catch(() => {});
    channel.on('message', (message) => this.#take(message));
    for (const stream of child.stdio) stream?.on('error', () => {});
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.write(text));
    child.on('error', ({ message }) => this.end(`could not be started: ${message}`));
    child.on('close', (code, signal) => this.end(`ended (${signal ?? `exit code ${code}`})`));
    child.on('exit', () => {
      setTimeout(() => child.stdio.forEach((stream) => void stream?.destroy()), LEFT_MS).unref();
    });
  }

  /** All that the process wrote since it was taken. */
  output(): string {
    return this.#output;
  }

  records(): LogRecord[] {
    return recordsOf(this.#output);
  }

  take(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  write(text: string): void {
    if (this.#output.length + text.length <= MAX_OUTPUT) this.#output += text;
    else this.end(`wrote more than ${MAX_OUTPUT} characters`);
  }

  /** @throws {FunctionFailed} and what `JSON.stringify` throws for an event that is no JSON */
  async invoke(
    event: unknown,
    requestId = REQUEST_ID,
    { limitMs = this.#timeoutMs, ...options }: InvokeOptions = { frozenTime: null, requests: 'live' },
  ): Promise<unknown> {
    await this.started;
    if (this.failure) throw this.failure;
    this.requests = noRequests();
    this.decisions = [];
    this.#channel.send({ requestId, deadline: Date.now() + this.#timeoutMs, event, ...options });
    return this.#responseTo(requestId, limitMs);
  }

  /** Fails what runs and what comes later. */
  end(what: string, kind: FunctionFailed['kind'] = 'crash'): void {
    clearTimeout(this.#timer);
    this.failure ??= new FunctionFailed(kind, `the process of ${this.#name} ${what}`);
    this.#awaited?.reject(this.failure);
    this.#awaited = null;
    this.#child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  /** What the process wrote before a message may be read after the message, in the same turn. */
  #responseTo(requestId: string, ms: number): Promise<unknown> {
    const awaited = { requestId, ...Promise.withResolvers<unknown>() };
    this.#awaited = awaited;
    this.#timer = setTimeout(() => this.end(`did not respond within ${ms} ms`, 'time-out'), ms);
    return awaited.promise.finally(() => setImmediate());
  }

  #take(text: string): void {
    if (this.failure) return;
    const { success, output: message } = v.safeParse(Message, text);
    const awaited = this.#awaited;
    if (!success || message.requestId !== awaited?.requestId) {
      this.end('sent something other than its response');
      return;
    }
    clearTimeout(this.#timer);
    this.#awaited = null;
    this.requests = message.requests;
    this.decisions = message.decisions.map(({ mapping, ...decision }) => ({
      ...decision,
      ...(mapping !== undefined && { mapping: this.#mappingOf(mapping) }),
    }));
    if (message.errorMessage === undefined) awaited.resolve(message.response);
    else awaited.reject(new FunctionFailed('error', message.errorMessage));
  }

  #mappingOf(text: string): unknown {
    const mapping = this.#mappings.get(text) ?? JSON.parse(text);
    this.#mappings.set(text, mapping);
    return mapping;
  }
}
