/** Which handler answers a sample event, and whether its response is the expected one. Nothing here prints or writes. */
import { join, resolve } from 'node:path';
import { withoutExtension } from '../bundle/bundler.ts';
import { moduleOf } from '../bundle/handlers.ts';
import type { SampleEvent } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { isInside, PROJECT } from '../shared/project.ts';
import type { Stage } from '../shared/stage.ts';
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

export interface HandlerOptions {
  /** Answers all events, in place of the handler that is configured or expected. */
  handler?: string | undefined;
  /** Whether each event has the handler that it expects, whatever the settings name. */
  isAsExpected?: boolean;
}

/** The handler that answers: the one given, the one in force, or the one that the event expects; null for the default handler. */
export function handlerFor(
  { functionName, expected }: Pick<SampleEvent, 'functionName' | 'expected'>,
  stage: Stage,
  { handler, isAsExpected = false }: HandlerOptions = {},
): Handler | null {
  if (handler === 'default') return null;
  if (handler !== undefined) return { given: shownName(handler), module: moduleOf(handler) };
  const inForce = isAsExpected && expected !== null ? undefined : stage.handlerOf(functionName);
  const module = inForce ?? expected?.handler;
  return module === undefined ? null : { given: module, module };
}

/** @param handler the one that answered; null for the default handler */
export function verdictOf(
  { expected }: SampleEvent,
  answered: InvocationResult,
  handler: Handler | null,
): Verdict {
  if (answered.failed !== null) return { kind: 'failed' };
  if (expected !== null && isSameHandler(expected.handler, handler?.given)) {
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

/** Each as a setting names it, or as a file of the project; undefined for the default handler. */
export function isSameHandler(one: string | undefined, other: string | undefined): boolean {
  return (one && withoutExtension(one)) === (other && withoutExtension(other));
}

/** A handler of the project as a setting names it; another one as it was given, for nothing else tells it apart. */
function shownName(given: string): string {
  return isInside(join(PROJECT, 'handlers'), resolve(given)) ? moduleOf(given) : given;
}
