/** What a run finds, for those who judge it and those who print it. */
import type { Judged } from '../explain/judgedSamples.ts';
import type { HandlerReads } from '../explain/reads.ts';
import type { Finding } from '../shared/finding.ts';

export interface Checked extends Judged {
  /** What a handler of code read, where the response is not the expected one. */
  reads?: HandlerReads | null;
  /** What is told of its response: that it is written as the expected one, or why it is not. */
  written?: Finding;
}

/** As events and reports name what answered: the handler as it was given or configured, or `default`. */
export function handlerOf({ handler }: Pick<Judged, 'handler'>): string {
  return handler?.given ?? 'default';
}

/** E.g. `Authorized` for `AuthorizedUserResponse`. */
export function shortType(type: unknown): string {
  return String(type ?? 'no response').replace(/(?:User)?Response$/, '');
}

export interface RunResult {
  events: readonly Checked[];
  /** What the compiler and the bundler say. */
  problems: readonly string[];
  findings: readonly Finding[];
  /** Which checks are off in an attack, and what answers each function; empty where not all events were asked. */
  inForce: readonly string[];
  /** What a last line says besides the count of the events. */
  totals: readonly string[];
}
