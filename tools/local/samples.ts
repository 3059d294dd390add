/** Stored events: run at their own time, without checks, and by recorded responses of other systems. */
import { rm } from 'node:fs/promises';
import { ofProject } from '../shared/project.ts';
import { quoted, typed } from '../shared/usage.ts';
import type { Engine } from './engine.ts';
import { rawRecordingsFile, type SampleEvent } from './events.ts';
import { frozenTimeOf } from './httpEvent.ts';
import type { Invocation, InvocationResult, RunOptions } from './invocation.ts';
import { REQUEST_ID } from './process/functionProcess.ts';
import { type Recording, writeRecordings } from './recordings.ts';

export interface SampleOptions {
  /** Whether other systems are asked where nothing is recorded. */
  isOffline: boolean;
  /** Whether other systems are asked, and what they respond is written for the event. */
  isRecording?: boolean;
}

type HandlerModule = RunOptions['handlerModule'];

interface Kept {
  given: string;
  result: InvocationResult;
  /** What other systems responded: they are asked once, and again where the handler requests something else. */
  heard: readonly Recording[] | undefined;
}

export class Samples {
  readonly #engine: Engine;
  readonly #options: SampleOptions;
  /** Of stored events, by event and handler: a change of one handler leaves the results of all others as they are. */
  readonly #results = new Map<string, Kept>();

  constructor(engine: Engine, options: SampleOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** @param handlerModule what the handler setting says instead of what it said; null for the default handler */
  async invoke(sample: SampleEvent, handlerModule: HandlerModule): Promise<InvocationResult> {
    const { functionName, event, file, recordings } = sample;
    const { isOffline, isRecording = false } = this.#options;
    const options = { functionName, handlerModule, hasDefaultResponses: file !== '' };
    if (isRecording) return this.#record(sample, options);
    // Where only recordings respond, nobody sees the secrets.
    const hasStandInSecrets = isOffline || recordings !== null;
    const key = `${handlerModule} ${file}`;
    const known = this.#results.get(key);
    const stored = { ...options, hasStandInSecrets, event, requests: recordings ?? known?.heard ?? [] };
    // Of an event that is not stored, no result is kept.
    const given = file === '' ? '' : JSON.stringify([this.#engine.fingerprintOf(stored), event, recordings]);
    if (known?.given === given) return known.result;
    const replayed = await invokeStored(this.#engine, stored);
    const [missing] = replayed.requests.missing;
    const isAsked = missing !== undefined && !hasStandInSecrets;
    const live = { ...options, event, requests: 'live' as const };
    const answered = isAsked ? await invokeStored(this.#engine, live) : replayed;
    const result = missing === undefined || isAsked ? answered : notRecorded(answered, missing, file);
    // What went wrong may go well next time.
    const isSettled = answered.failed === null && !(isAsked && answered.unavailable !== null);
    const heard = isAsked ? answered.requests.recordings : known?.heard;
    if (given !== '' && isSettled) this.#results.set(key, { given, result, heard });
    return result;
  }

  async #record(sample: SampleEvent, options: RunOptions): Promise<InvocationResult> {
    const result = await invokeStored(this.#engine, { ...options, event: sample.event, requests: 'live' });
    const { recordings, missing } = result.requests;
    const file = rawRecordingsFile(sample);
    if (missing.length > 0) return result;
    if (recordings.length > 0) await writeRecordings(file, recordings);
    else await rm(file, { force: true });
    return result;
  }
}

function notRecorded(result: InvocationResult, request: string, file: string): InvocationResult {
  const fix = file === '' ? '' : `: ${typed('check', `${quoted(ofProject(file))} --record`)}`;
  const failed = `the response to ${request} is not recorded${fix}`;
  return { ...result, reason: 'not_recorded', failed, thrown: null };
}

/** Runs an event at its own time, without checks, and by a request id that is always the same. */
export function invokeStored(
  engine: Pick<Engine, 'invoke'>,
  stored: Omit<Invocation, 'isChecked' | 'requestId' | 'frozenTime'>,
): Promise<InvocationResult> {
  const frozenTime = frozenTimeOf(stored.event);
  return engine.invoke({ ...stored, isChecked: false, requestId: REQUEST_ID, frozenTime });
}
