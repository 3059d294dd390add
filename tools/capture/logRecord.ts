/** A log record of a refused login: an event with made-up values that fails alike, because the record has names alone. */
import * as v from 'valibot';
import { UnusableInput } from '../shared/commandLine.ts';
import { ALL_FUNCTION_NAMES } from '../shared/functions.ts';
import type { Captured } from './captured.ts';
import { note, quoted } from './findings.ts';
import { madeUpLogin } from './madeUp.ts';
import { REASONS, Refused } from './refusedLogin.ts';
import { serviceEvents } from './serviceEvent.ts';

export function isLoginRecord({ event, function: name, reason }: Record<string, unknown>): boolean {
  return event === 'login' && ALL_FUNCTION_NAMES.some((one) => one === name) && typeof reason === 'string';
}

/** @throws {UnusableInput} for a record of another reason, or without a trace */
export function readRecord(record: Record<string, unknown>): Omit<Captured, 'where'> {
  if (!REASONS.some((reason) => reason === record.reason)) {
    throw new UnusableInput(
      `this is the log record of a login that ended with ${quoted(String(record.reason))}: an event can be made only for ${REASONS.join(', ')}`,
    );
  }
  const result = v.safeParse(Refused, record);
  if (!result.success) {
    throw new UnusableInput('this log record of a login has no trace: copy all of it');
  }
  const login = result.output;
  return {
    kind: 'log record',
    functionName: login.function,
    events: serviceEvents(madeUpLogin(login)).events,
    findings: [
      note(
        'values_made_up',
        'A log record has only names: the values of this event are invented, so that it fails for the same reason.',
      ),
    ],
  };
}
