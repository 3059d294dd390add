/** Which handler answers a sample event, and whether its response is the expected one. Nothing here prints or writes. */
import { join, resolve } from 'node:path';
import { handlerName } from '../bundle/build.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import { SOURCE } from '../bundle/handlers.ts';
import type { Engine } from '../local/engine.ts';
import type { Expected, SampleEvent } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { Samples } from '../local/samples.ts';
import { isInside, PROJECT } from '../shared/project.ts';
import { type Difference, differencesOf } from './differences.ts';

/** A handler: the name under which its responses are written down, and what the setting must say. */
export interface Handler {
  given: string;
  module: string;
}

/** How a response compares with the expected one; `other` is the handler that is expected instead. */
export type Verdict =
  | { kind: 'expected' | 'unknown' | 'failed' }
  | { kind: 'differs'; differences: Difference[] }
  | { kind: 'other'; handler: string };

export interface Judged {
  sample: SampleEvent;
  /** Null for the default handler. */
  handler: Handler | null;
  answered: InvocationResult;
  verdict: Verdict;
}

export class JudgedSamples {
  readonly #engine: Engine;
  readonly #samples: Samples;
  readonly #handler: string | undefined;

  /** @param handler answers all events, in place of the handler that is configured or expected */
  constructor(engine: Engine, samples: Samples, handler?: string) {
    this.#engine = engine;
    this.#samples = samples;
    this.#handler = handler;
  }

  async judge(sample: SampleEvent): Promise<Judged> {
    const handler = this.handlerFor(sample);
    const answered = await this.#samples.invoke(sample, handler?.module ?? null);
    return { sample, handler, answered, verdict: verdictOf(sample, answered, handler) };
  }

  /** The handler that answers: the one given, the one configured, or the one that the event expects; of a new event, the one in force. */
  handlerFor({ functionName, expected }: Pick<SampleEvent, 'functionName' | 'expected'>): Handler | null {
    const handler = this.#handler;
    if (handler === 'default') return null;
    if (handler !== undefined) return { given: shownName(handler), module: this.#engine.moduleOf(handler) };
    const { stage } = this.#engine;
    const given =
      stage.handlerOf(functionName) ??
      (expected === null ? stage.namedHandlerOf(functionName) : expected.handler);
    return given === undefined ? null : { given, module: given };
  }
}

/** @param handler the one that answered; null for the default handler */
export function verdictOf(
  { expected }: SampleEvent,
  answered: InvocationResult,
  handler: Handler | null,
): Verdict {
  if (answered.failed !== null) return { kind: 'failed' };
  if (expected !== null && expectsHandler(expected, handler?.given)) {
    const differences = differencesOf({ status: expected.status, response: expected.answer }, answered);
    return differences.length > 0 ? { kind: 'differs', differences } : { kind: 'expected' };
  }
  // A sample may expect that a look-up fails; no other one does.
  if (answered.unavailable !== null) return { kind: 'failed' };
  return expected === null ? { kind: 'unknown' } : { kind: 'other', handler: expected.handler ?? 'default' };
}

/** `Gets in, expected Forbidden` for a login that is authorized and should not be; null for any other. */
export function wronglyIn(verdict: Verdict): string | null {
  const differences = verdict.kind === 'differs' ? verdict.differences : [];
  const type = differences.find(({ field }) => field === 'type');
  if (type === undefined || !('after' in type) || type.after !== 'AuthorizedUserResponse') return null;
  return `Gets in, expected ${String(type.before ?? 'none').replace(/Response$/, '')}`;
}

/** @param given as a setting names it, or as a file of the project; left out for the default handler */
export function expectsHandler({ handler }: Pick<Expected, 'handler'>, given?: string): boolean {
  const [expected, found] = [handler, given].map((one) => one && withoutExtension(one));
  return expected === found;
}

/** A handler of the project as a setting names it; another one as it was given, for nothing else tells it apart. */
export function shownName(given: string): string {
  const isOfProject = isInside(join(PROJECT, 'handlers'), resolve(given)) && SOURCE.test(given);
  return isOfProject ? handlerName(given) : given;
}
