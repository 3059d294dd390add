/**
 * Events and answers over a pipe to the process. The code of a handler can write to it too: what is no message, or comes out of
 * turn, ends the process.
 */
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import * as v from 'valibot';
import { hasEnded, PIPE_FD } from './childProcess.ts';
import { Asked, nothingAsked } from './exchanges.ts';
import { frameOf, frameReader } from './frames.mjs';
import { FunctionFailed, type Invocation, type Runtime } from './runtime.ts';

const Message = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('asking'), requestId: v.string() }),
  v.object({
    type: v.literal('response'),
    requestId: v.string(),
    answer: v.optional(v.unknown()),
    asked: v.optional(Asked, nothingAsked),
  }),
  v.object({ type: v.literal('error'), requestId: v.string(), errorMessage: v.string() }),
]);
type Message = v.InferOutput<typeof Message>;

interface Running extends Invocation {
  outcome: PromiseWithResolvers<unknown>;
  isAsking: boolean;
}

export interface PipeOptions {
  child: ChildProcess;
  /** The function's name. */
  name: string;
  /** For one invocation, in milliseconds: the function is told when it ends. */
  timeoutMs: number;
}

/** Until a process whose pipe closed has ended, in milliseconds: then its exit code says why. */
const EXIT_MS = 200;

export class PipeRuntime implements Runtime {
  readonly #options: PipeOptions;
  readonly #pipe: Duplex;
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #running: Running | null = null;
  #failure: FunctionFailed | null = null;
  asked = nothingAsked();

  constructor(options: PipeOptions) {
    this.#options = options;
    this.#pipe = options.child.stdio[PIPE_FD] as Duplex;
    // A process that fails before anybody waits for it is told of by the first invocation.
    this.#ready.promise.catch(() => {});
    const read = frameReader((body) => this.#take(body));
    this.#pipe.on('data', (chunk: Buffer) => {
      if (this.#failure) return;
      try {
        read(chunk);
      } catch (error) {
        this.#break(`wrote ${(error as Error).message} to`);
      }
    });
    this.#pipe.on('close', () => setTimeout(() => this.#endClosed(), EXIT_MS).unref());
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  async invoke(invocation: Invocation): Promise<unknown> {
    await this.#ready.promise;
    if (this.#failure) throw this.#failure;
    const { requestId, event, local, onTaken } = invocation;
    const deadline = Date.now() + this.#options.timeoutMs;
    const { moment = null, outside = 'live' } = local;
    const frame = framed({ requestId, deadline, event, moment, outside });
    this.asked = nothingAsked();
    const outcome = Promise.withResolvers<unknown>();
    this.#running = { ...invocation, outcome, isAsking: false };
    this.#pipe.write(frame);
    onTaken();
    return outcome.promise;
  }

  fail(failure: FunctionFailed): void {
    this.#failure ??= failure;
    this.#running?.outcome.reject(failure);
    this.#running = null;
    this.#ready.reject(failure);
  }

  close(): void {
    this.#pipe.destroy();
  }

  #take(body: Buffer): void {
    const message = messageIn(body);
    if (message === null) this.#break('wrote something other than a message to');
    else if (!this.#obey(message)) this.#break('wrote a message out of turn to');
  }

  /** @returns whether the message is in turn */
  #obey(message: Message): boolean {
    if (message.type === 'ready') {
      if (this.#isReady) return false;
      this.#isReady = true;
      this.#ready.resolve();
      return true;
    }
    const running = this.#running;
    if (running?.requestId !== message.requestId) return false;
    if (message.type === 'asking') {
      if (running.isAsking) return false;
      running.isAsking = true;
      running.onAsking();
      return true;
    }
    this.#running = null;
    if (message.type === 'response') {
      this.asked = message.asked;
      running.outcome.resolve(message.answer);
    } else running.outcome.reject(threw(message.errorMessage));
    return true;
  }

  #endClosed(): void {
    if (!hasEnded(this.#options.child)) this.#break('closed');
  }

  /** The pipe is of no use any more: where a message ends is not known. */
  #break(what: string): void {
    this.fail(
      new FunctionFailed(
        'crash',
        `the process of ${this.#options.name} was ended: it ${what} file descriptor ${PIPE_FD}, which is only for events and responses`,
      ),
    );
    this.#options.child.kill('SIGKILL');
  }
}

function messageIn(body: Buffer): Message | null {
  try {
    const { success, output } = v.safeParse(Message, JSON.parse(body.toString()));
    return success ? output : null;
  } catch {
    return null;
  }
}

/** @throws {FunctionFailed} */
function framed(message: unknown): Buffer {
  try {
    return frameOf(message);
  } catch (error) {
    throw new FunctionFailed('error', `the event cannot be sent: ${(error as Error).message}`);
  }
}

function threw(errorMessage: string): FunctionFailed {
  return new FunctionFailed('error', `the function threw: ${JSON.stringify({ errorMessage })}`);
}
