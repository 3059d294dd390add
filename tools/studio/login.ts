/** A login of the studio: its event, where it is from, and how it is answered. */

import type { Difference } from '../explain/differences.ts';
import type { Judged } from '../explain/judgedSamples.ts';
import type { SampleEvent } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { joinRecordings, type Recording } from '../local/recordings.ts';
import type { Finding } from '../shared/finding.ts';

/** Where a login is from: a stored sample event, one of the ports of `npm start`, a paste, or a sign-in at one's own provider. */
export type Origin = 'sample' | 'received' | 'pasted' | 'signed in';

export interface Login extends Judged {
  id: string;
  origin: Origin;
  /** When it came, in milliseconds since 1970; null for a sample. */
  at: number | null;
  /** Whether it was answered with the checks on and in real time, as it came. */
  isLive: boolean;
  /** The reason of the response as it came, with the checks on and in real time; null for a sample and a paste. */
  liveReason: string | null;
  /** What later answers are compared with: the answer at the event's own time, with the checks off. */
  previous: InvocationResult;
  /** What the last change of a file changed in the response. */
  changes: Difference[];
  /** In what was caught, before the function answers. */
  findings: Finding[];
  /** What other systems answered since the start: when the login came, or when they were asked. */
  heard: readonly Recording[];
}

/** A login before the function has answered it. */
export type Unanswered = Pick<Login, 'id' | 'origin' | 'at' | 'liveReason' | 'findings' | 'sample' | 'heard'>;

/** The event of a login, with all that is known of other systems: what was heard takes precedence over what is recorded. */
export function withRecordings({ sample, heard }: Pick<Login, 'sample' | 'heard'>): SampleEvent {
  return { ...sample, recordings: joinRecordings(heard, sample.recordings ?? []) };
}

/** Without what the checks asked for, and what other logins did: a handler that got all it asks for needs no more. */
export function usedOf({ requests }: InvocationResult, heard: readonly Recording[]): readonly Recording[] {
  return requests.missing.length > 0 ? heard : heard.filter((_, index) => requests.used.includes(index));
}

export function isSample({ origin }: Pick<Login, 'origin'>): boolean {
  return origin === 'sample';
}

/** The same after each start: addresses of the page hold it. */
export function idOf({ functionName, name }: SampleEvent): string {
  return `${functionName}.${name}`;
}

export function unstored(functionName: string, event: unknown, name: string): SampleEvent {
  return { functionName, name, file: '', event, expected: null, recordings: null };
}
