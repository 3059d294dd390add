/** The path of a login through its function, and where it ended. */

import { KINDS } from '../../lib/kinds.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { kindOf } from '../shared/functions.ts';

export interface Step {
  name: 'start' | 'request' | 'caller' | 'event' | 'token' | 'assertion' | 'handler' | 'response';
  /** `refused`: the handler decided so, as it is meant to; `ended`: a failure. */
  state: 'passed' | 'refused' | 'ended' | 'not reached';
  /** Why it ended here, e.g. `token_expired`, or which handler decided. */
  note: string;
}

/** Where a login ended, by the first pattern that fits its reason; in the handler where none fits. */
const ENDS: readonly [RegExp, Step['name']][] = [
  [/^(?:configuration_unusable|handler_not_loaded|not_built)$/, 'start'],
  [/^(?:body_|content_type_)/, 'request'],
  [/^signature_/, 'caller'],
  [/^event_invalid$/, 'event'],
  [/^(?:token_|keys_unavailable$)/, 'token'],
  [/^assertion_/, 'assertion'],
  [/^(?:answer_invalid|external_id_missing)$/, 'response'],
];

/** In the record of each login that a handler decided, also where it came directly. */
const OK = 200;

/** Without the checks that are off. */
export function stepsOf(answered: InvocationResult, event: unknown, functionName: string): Step[] {
  const { failed, response, reason } = answered;
  const ended = endOf(answered);
  const names = stepNames(answered, isInEnvelope(event), functionName, ended);
  const end = ended === null ? names.length : names.indexOf(ended);
  const isDecided = failed === null && loginIn(answered.records).status === OK;
  const isRefused = isDecided && response?.type === 'ForbiddenResponse';
  return names.map((name, index) => {
    if (index === end) return { name, state: isRefused ? 'refused' : 'ended', note: reason };
    // What a handler refuses is a response like any other.
    if (index > end && !(isDecided && name === 'response')) return { name, state: 'not reached', note: '' };
    return { name, state: 'passed', note: name === 'handler' ? answered.handler : '' };
  });
}

/** Null where the login went all the way. */
function endOf({ reason, records }: InvocationResult): Step['name'] | null {
  if (reason === 'authorized') return null;
  // Who calls is checked before the event is read, which has the issuer.
  const { issuer } = loginIn(records);
  if (reason.startsWith('secret_') && issuer === undefined) return 'caller';
  return ENDS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'handler';
}

function loginIn(records: InvocationResult['records']): LogRecord {
  return records.findLast(({ event }) => event === 'login') ?? {};
}

function stepNames(
  { records }: InvocationResult,
  isHttp: boolean,
  functionName: string,
  ended: Step['name'] | null,
): Step['name'][] {
  const kind = kindOf(functionName);
  const started = records.findLast(({ event }) => event === 'cold_start') ?? {};
  const { callerCheck, [KINDS[kind].check]: check } = started;
  const steps: [Step['name'], boolean][] = [
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
