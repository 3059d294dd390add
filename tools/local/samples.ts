/** Stored events: run at their own time, without checks, and by recorded responses of other systems. */
import { rm } from 'node:fs/promises';
import { ofProject } from '../shared/project.ts';
import { quoted, typed } from '../shared/usage.ts';
import type { Engine } from './engine.ts';
import { rawRecordingsFile, type SampleEvent } from './events.ts';
import { frozenTimeOf } from './httpEvent.ts';
import type { InvocationResult, RunOptions } from './invocation.ts';
import { REQUEST_ID } from './process/functionProcess.ts';
import { type Recording, type Requests, writeRecordings } from './recordings.ts';

export interface SampleOptions {
  /** Whether other systems are asked where nothing is recorded. */
  isOffline: boolean;
  /** Whether other systems are asked, and what they respond is written for the event. */
  isRecording?: boolean;
}

type HandlerModule = RunOptions['handlerModule'];

export class Samples {
  readonly #engine: Engine;
  readonly #options: SampleOptions;
  /** Of events without recordings: other systems are asked once, and again where a handler requests something else. */
  readonly #remembered = new Map<string, Recording[]>();
  /** Of stored events, by event and handler: a change of one handler leaves the results of all others as they are. */
  readonly #results = new Map<string, { given: string; result: InvocationResult }>();

  constructor(engine: Engine, options: SampleOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** @param handlerModule what the handler setting says instead of what it said; null for the default handler */
  async invoke(sample: SampleEvent, handlerModule: HandlerModule): Promise<InvocationResult> {
    const { isOffline, isRecording = false } = this.#options;
    if (isRecording) return this.#record(sample, handlerModule);
    const key = keyOf(sample, handlerModule);
    const recordings = sample.recordings ?? this.#remembered.get(key) ?? [];
    const isReplayed = isOffline || sample.recordings !== null;
    const result = await this.#run(sample, handlerModule, recordings, isReplayed);
    const [first] = result.requests.missing;
    if (first === undefined) return result;
    if (isReplayed) {
      const fix =
        sample.file === '' ? '' : `: ${typed('check', `${quoted(ofProject(sample.file))} --record`)}`;
      const failed = `the response to ${first} is not recorded${fix}`;
      return { ...result, reason: 'not_recorded', failed, thrown: null };
    }
    const asked = await this.#run(sample, handlerModule, 'live');
    if (isComplete(asked)) this.#remembered.set(key, asked.requests.recordings);
    return asked;
  }

  async #record(sample: SampleEvent, handlerModule: HandlerModule): Promise<InvocationResult> {
    const result = await this.#run(sample, handlerModule, 'live');
    const { recordings, missing } = result.requests;
    if (isComplete(result)) await writeRecordings(rawRecordingsFile(sample), recordings);
    else if (missing.length === 0) await rm(rawRecordingsFile(sample), { force: true });
    return result;
  }

  /** @param hasStandInSecrets where only recordings respond, nobody sees them */
  async #run(
    sample: SampleEvent,
    handlerModule: HandlerModule,
    requests: Requests,
    hasStandInSecrets = false,
  ): Promise<InvocationResult> {
    const { functionName, event, file } = sample;
    const options = { functionName, handlerModule, hasStandInSecrets, hasDefaultResponses: file !== '' };
    const stored = { ...options, event, requests };
    if (file === '' || requests === 'live') return invokeStored(this.#engine, stored);
    const key = keyOf(sample, handlerModule);
    const given = JSON.stringify([
      this.#engine.fingerprintOf({ ...stored, isChecked: false }),
      event,
      requests,
    ]);
    const known = this.#results.get(key);
    if (known?.given === given) return known.result;
    const result = await invokeStored(this.#engine, stored);
    // What went wrong may go well next time.
    if (result.failed === null) this.#results.set(key, { given, result });
    return result;
  }
}

function keyOf({ file }: SampleEvent, handlerModule: HandlerModule): string {
  return `${handlerModule} ${file}`;
}

export interface StoredEvent extends Omit<RunOptions, 'isChecked'> {
  event: unknown;
  requests: Requests;
}

/** Runs an event at its own time, without checks, and by a request id that is always the same. */
export function invokeStored(
  engine: Pick<Engine, 'invoke'>,
  { event, requests, ...options }: StoredEvent,
): Promise<InvocationResult> {
  const frozenTime = frozenTimeOf(event);
  return engine.invoke({ ...options, isChecked: false, event, requestId: REQUEST_ID, frozenTime, requests });
}

/** Whether something was requested, and all of it has a response. */
function isComplete({ requests: { recordings, missing } }: InvocationResult): boolean {
  return recordings.length > 0 && missing.length === 0;
}
