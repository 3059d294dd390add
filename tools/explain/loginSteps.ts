/** The path of a login through its function, and where it ended. */

import { KINDS } from '../../lib/kinds.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { kindOf } from '../shared/functions.ts';
import { reasonRow, type StepName } from './reasons.ts';

export interface Step {
  name: StepName;
  /** `refused`: the handler decided so, as it is meant to; `ended`: a failure. */
  state: 'passed' | 'refused' | 'ended' | 'not reached';
  /** Why it ended here, e.g. `token_expired`, or which handler decided. */
  note: string;
}

/** In the record of each login that a handler decided, also where it came directly. */
const OK = 200;

/** Without the checks that are off. */
export function stepsOf(answered: InvocationResult, event: unknown, functionName: string): Step[] {
  const { failed, response, reason, records, handler } = answered;
  const login = lastOf(records, 'login');
  const ended = endOf(reason, login);
  const names = stepNames(lastOf(records, 'cold_start'), isInEnvelope(event), functionName, ended);
  const end = ended === null ? names.length : names.indexOf(ended);
  const isDecided = failed === null && login.status === OK;
  const isRefused = isDecided && response?.type === 'ForbiddenResponse';
  return names.map((name, index) => {
    if (index === end) return { name, state: isRefused ? 'refused' : 'ended', note: reason };
    // What a handler refuses is a response like any other.
    if (index > end && !(isDecided && name === 'response')) return { name, state: 'not reached', note: '' };
    return { name, state: 'passed', note: name === 'handler' ? handler : '' };
  });
}

/** Null where the login went all the way. */
function endOf(reason: string, { issuer }: LogRecord): StepName | null {
  if (reason === 'authorized') return null;
  if (reason === 'not_built') return 'start';
  // Who calls is checked before the event is read, which has the issuer.
  if (reason.startsWith('secret_') && issuer === undefined) return 'caller';
  return reasonRow(reason)?.step ?? 'handler';
}

function lastOf(records: readonly LogRecord[], name: string): LogRecord {
  return records.findLast(({ event }) => event === name) ?? {};
}

function stepNames(
  started: LogRecord,
  isHttp: boolean,
  functionName: string,
  ended: StepName | null,
): StepName[] {
  const kind = kindOf(functionName);
  const { callerCheck, [KINDS[kind].check]: check } = started;
  const steps: [StepName, boolean][] = [
    ['start', true],
    ['request', isHttp],
    ['caller', isHttp && callerCheck === 'signature'],
    ['event', true],
    [kind === 'OpenID' ? 'token' : 'assertion', check === 'on'],
    ['handler', true],
    ['response', true],
  ];
  return steps.filter(([name, isOn]) => isOn || name === ended).map(([name]) => name);
}
