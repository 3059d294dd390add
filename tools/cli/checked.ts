/** What a run finds, for those who judge it and those who print it. */
import type { AttackResult } from '../explain/attack/findings.ts';
import type { HandlerCoverage } from '../explain/coverage.ts';
import type { Judged } from '../explain/judgedSamples.ts';
import type { HandlerReads } from '../explain/reads.ts';
import type { SampleEvent } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { Finding } from '../shared/finding.ts';

/** An event as a row of a table. */
export interface CheckedRow extends Omit<Judged, 'handler'> {
  /** `default`, or what was given or configured. */
  handler: string;
  /** What a handler of code read, where the response is not the expected one. */
  reads?: HandlerReads | null;
}

export interface Checked extends CheckedRow {
  /** Null for the default handler. */
  by: Judged['handler'];
  /** Why its response is of another kind than the expected one, where that is written, or is not. */
  notWritten?: Finding;
}

/** What an event was answered before, or was expected to be. */
export type Before = Pick<InvocationResult, 'status' | 'response' | 'failed' | 'reason' | 'records'>;

export interface Compared {
  sample: SampleEvent;
  before: Before;
  after: InvocationResult;
}

export interface RunResult {
  events: readonly Checked[];
  /** What the compiler and the bundler say. */
  problems: readonly string[];
  findings: readonly Finding[];
  coverage: readonly HandlerCoverage[] | null;
  attack: AttackResult | null;
  /** What answers each function; empty where not all events were asked. */
  inForce: readonly string[];
  /** What a last line says besides the count of the events. */
  totals: readonly string[];
}
