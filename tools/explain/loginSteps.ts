/** The path of a login through its function, and where it ended. */

import { KINDS } from '../../lib/kinds.ts';
import type { Answered } from '../local/answered.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { kindOf } from '../shared/functions.ts';

export interface Step {
  name: 'start' | 'request' | 'caller' | 'event' | 'token' | 'assertion' | 'handler' | 'response';
  /** `off`: a check that the settings turn off, or that a direct call does not need. */
  state: 'passed' | 'ended' | 'off' | 'not reached';
  /** Why it ended here, or what is on, e.g. `token_expired`. */
  note: string;
}

/** Where a login ended, by the first pattern that fits its reason; in the handler where none fits. */
const ENDS: readonly [RegExp, Step['name']][] = [
  [/^(?:configuration_unusable|handler_not_loaded|not_built)$/, 'start'],
  [/^(?:body_|content_type_)/, 'request'],
  [/^signature_/, 'caller'],
  [/^(?:event_invalid|external_id_missing)$/, 'event'],
  [/^(?:token_|keys_unavailable$)/, 'token'],
  [/^assertion_/, 'assertion'],
  [/^answer_invalid$/, 'response'],
];

/** Of every response that a handler decided. */
const OK = 200;

export function stepsOf(answered: Answered, event: unknown, functionName: string): Step[] {
  const started = answered.records.findLast((record) => record.event === 'cold_start') ?? { event: '' };
  const ended = endOf(answered.reason);
  const steps = stepsOnTheWay(started, isInEnvelope(event), functionName);
  const end = steps.findIndex(({ name }) => name === ended);
  return steps.map(({ name, off, note }, index) => {
    if (index === end) return { name, state: 'ended', note: answered.reason };
    if (end >= 0 && index > end && !isDecided(answered, name))
      return { name, state: 'not reached', note: '' };
    return { name, state: off ? 'off' : 'passed', note };
  });
}

/** What a handler refuses is a response like any other. */
function isDecided({ failed, status }: Answered, name: Step['name']): boolean {
  return failed === null && status === OK && name === 'response';
}

/** Null where the login went all the way. */
function endOf(reason: string): Step['name'] | null {
  if (reason === 'authorized') return null;
  return ENDS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'handler';
}

interface WayStep {
  name: Step['name'];
  off: boolean;
  note: string;
}

function stepsOnTheWay(started: LogRecord, isHttp: boolean, functionName: string): WayStep[] {
  const kind = kindOf(functionName);
  const { callerCheck = 'off', [KINDS[kind].check]: check = 'off' } = started;
  const isSigned = callerCheck === 'signature';
  return [
    { name: 'start', off: false, note: '' },
    { name: 'request', off: !isHttp, note: isHttp ? 'over HTTP' : 'no HTTP: called directly' },
    { name: 'caller', off: !isHttp || !isSigned, note: String(callerCheck) },
    { name: 'event', off: false, note: '' },
    { name: kind === 'OpenID' ? 'token' : 'assertion', off: check === 'off', note: String(check) },
    { name: 'handler', off: false, note: String(started.handler ?? '') },
    { name: 'response', off: false, note: '' },
  ];
}
