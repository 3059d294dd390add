/** Stored events: answered at their own time, without checks, and by recorded answers of other systems. */
import { rm } from 'node:fs/promises';
import { ofProject } from '../shared/project.ts';
import { quoted, typed } from '../shared/usage.ts';
import type { Answered } from './answered.ts';
import type { Engine, Way } from './engine.ts';
import { outsideFile, type SampleEvent } from './events.ts';
import { momentOf } from './moment.ts';
import type { Exchange, Outside } from './process/exchanges.ts';
import { REQUEST_ID } from './process/functionProcess.ts';
import { writeExchanges } from './recordedExchanges.ts';

export interface SampleOptions {
  /** Whether other systems are asked where nothing is recorded. */
  isOffline: boolean;
  /** Whether what other systems answer is written beside the event. */
  isRecording?: boolean;
  /** Whether a record of the log says what a handler of code reads of the event. */
  isNotingReads?: boolean;
}

export class Samples {
  readonly #engine: Engine;
  readonly #options: SampleOptions;
  /** Of events without a record: other systems are asked once, and again where a handler asks something else. */
  readonly #remembered = new Map<string, Exchange[]>();
  /** Of stored events, by event and handler: a change of one handler leaves the answers of all others as they are. */
  readonly #answers = new Map<string, { question: string; answered: Answered }>();

  constructor(engine: Engine, options: SampleOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** @param handlerModule what the handler setting says instead of what it said; null for the default handler */
  async answer(sample: SampleEvent, handlerModule: HandlerModule): Promise<Answered> {
    const { isOffline, isRecording = false } = this.#options;
    if (isRecording) return this.#record(sample, handlerModule);
    if (sample.outside || isOffline) return this.#replay(sample, handlerModule, sample.outside ?? []);
    const key = keyOf(sample, handlerModule);
    const remembered = this.#remembered.get(key);
    if (remembered) {
      const answered = await this.#ask(sample, handlerModule, remembered);
      if (answered.asked.unanswered.length === 0) return answered;
    }
    const answered = await this.#ask(sample, handlerModule, 'ask');
    if (isComplete(answered)) this.#remembered.set(key, answered.asked.exchanges);
    return answered;
  }

  async #record(sample: SampleEvent, handlerModule: HandlerModule): Promise<Answered> {
    const answered = await this.#ask(sample, handlerModule, 'ask');
    const { exchanges, unanswered } = answered.asked;
    if (isComplete(answered)) await writeExchanges(outsideFile(sample), exchanges);
    else if (unanswered.length === 0) await rm(outsideFile(sample), { force: true });
    return answered;
  }

  async #replay(sample: SampleEvent, handlerModule: HandlerModule, exchanges: Exchange[]): Promise<Answered> {
    const answered = await this.#ask(sample, handlerModule, exchanges);
    const [first] = answered.asked.unanswered;
    if (first === undefined) return answered;
    const cure = sample.file === '' ? '' : `: ${this.#recording(sample, handlerModule)}`;
    const failed = `the response to ${first} is not recorded${cure}`;
    return { ...answered, reason: 'not_recorded', failed, thrown: null };
  }

  /** The command that asks the same handler, with the same settings. */
  #recording({ file, functionName, expected }: SampleEvent, handlerModule: HandlerModule): string {
    const isInForce = handlerModule === (this.#engine.stage.handlerOf(functionName) ?? expected?.handler);
    const handler =
      typeof handlerModule !== 'string' || isInForce
        ? []
        : ['--handler', this.#engine.givenFor(handlerModule)];
    const words = [ofProject(file), ...handler, ...this.#engine.stage.option].map(quoted);
    return typed('check', `${words.join(' ')} --record`);
  }

  async #ask(sample: SampleEvent, handlerModule: HandlerModule, outside: Outside): Promise<Answered> {
    const { isNotingReads = false } = this.#options;
    const hasDefaultResponses = sample.file !== '';
    const stored = { ...sample, handlerModule, outside, hasDefaultResponses, isNotingReads };
    if (sample.file === '' || !Array.isArray(outside)) return answerStored(this.#engine, stored);
    const key = keyOf(sample, handlerModule);
    const question = JSON.stringify([this.#engine.fingerprintOf(wayOf(stored)), sample.event, outside]);
    const known = this.#answers.get(key);
    if (known?.question === question) return known.answered;
    const answered = await answerStored(this.#engine, stored);
    // What went wrong may go well next time.
    if (answered.failed === null) this.#answers.set(key, { question, answered });
    return answered;
  }
}

type HandlerModule = Way['handlerModule'];

function keyOf({ file }: SampleEvent, handlerModule: HandlerModule): string {
  return `${handlerModule} ${file}`;
}

export interface StoredEvent {
  functionName: string;
  /** What the handler setting says instead of what it said; null for the default handler. */
  handlerModule: HandlerModule;
  event: unknown;
  outside: Outside;
  /** True for a sample, which has the same expected response in all stages. */
  hasDefaultResponses: boolean;
  isNotingReads?: boolean;
}

/** Answers an event at its own time, without checks, and by a request id that is always the same. */
export function answerStored(engine: Pick<Engine, 'answer'>, stored: StoredEvent): Promise<Answered> {
  const { event, outside } = stored;
  return engine.answer({ ...wayOf(stored), event, requestId: REQUEST_ID, moment: momentOf(event), outside });
}

function wayOf({
  functionName,
  handlerModule,
  hasDefaultResponses,
  isNotingReads = false,
}: StoredEvent): Way {
  return {
    ...{ functionName, handlerModule, isChecked: false, isLive: false },
    ...{ hasDefaultResponses, isNotingReads },
  };
}

/** Whether something was asked, and all of it answered. */
function isComplete({ asked: { exchanges, unanswered } }: Answered): boolean {
  return exchanges.length > 0 && unanswered.length === 0;
}
