/** A log record of a refused login: an event with made-up values that fails alike, because the record has names alone. */
import * as v from 'valibot';
import type { Trace } from '../../lib/profile/decision.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Captured, CapturedEvents } from './captured.ts';
import type { Finding } from './findings.ts';
import { note, problem, quoted } from './findings.ts';
import { madeUpLogin } from './madeUp.ts';
import { fieldFindings, OF_OPENID, OF_SAML } from './profileFindings.ts';
import { REASONS, Refused, type RefusedLogin } from './refusedLogin.ts';
import { EventNotExpressible, toServiceEvent } from './serviceEvent.ts';

const FUNCTIONS: readonly unknown[] = ['openidLoggedIn', 'samlLoggedIn'];

export function isLoginRecord({ event, function: name, reason }: Record<string, unknown>): boolean {
  return event === 'login' && FUNCTIONS.includes(name) && typeof reason === 'string';
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
    events: eventsOf(login),
    findings: [...refusal(login), madeUp()],
  };
}

function eventsOf(refused: RefusedLogin): CapturedEvents | null {
  const login = madeUpLogin(refused);
  try {
    return 'assertion' in login
      ? { plain: toServiceEvent(login, 'plain'), known: toServiceEvent(login, 'known') }
      : { plain: toServiceEvent(login, 'plain'), known: toServiceEvent(login, 'known') };
  } catch (error) {
    if (error instanceof EventNotExpressible) return null;
    throw error;
  }
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
  return fieldFindings(trace as Trace, problem, name === 'samlLoggedIn' ? OF_SAML : OF_OPENID);
}

function madeUp(): Finding {
  return note(
    'values_made_up',
    'A log record has only names: the values of this event are invented, so that it fails for the same reason.',
  );
}
