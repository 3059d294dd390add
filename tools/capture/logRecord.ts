/** A log record of a refused login: an event with made-up values that fails alike, because the record has names alone. */
import * as v from 'valibot';
import type { Trace } from '../../lib/profile/decision.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { ALL_FUNCTION_NAMES, kindOf } from '../shared/functions.ts';
import type { Captured } from './captured.ts';
import type { Finding } from './findings.ts';
import { note, problem, quoted } from './findings.ts';
import { madeUpLogin } from './madeUp.ts';
import { CURES, fieldFindings } from './profileFindings.ts';
import { REASONS, Refused, type RefusedLogin } from './refusedLogin.ts';
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
    findings: [...refusal(login), madeUp()],
  };
}

function refusal({ function: name, reason, issuer, trace }: RefusedLogin): Finding[] {
  if (reason === 'issuer_not_listed') {
    return [
      problem(
        reason,
        `The mapping does not list the issuer ${quoted(issuer)}.`,
        'Add exactly this issuer to issuers of the mapping.',
      ),
    ];
  }
  return fieldFindings(trace as Trace, problem, CURES[kindOf(name)]);
}

function madeUp(): Finding {
  return note(
    'values_made_up',
    'A log record has only names: the values of this event are invented, so that it fails for the same reason.',
  );
}
