/** The path of a login that did not come to its handler, and where it ended. */
import { KINDS } from '../../lib/kinds.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';
import { loginRecord } from './explanation.ts';

const STEPS = ['start', 'request', 'caller', 'event', 'token', 'assertion', 'handler'] as const;
type StepName = (typeof STEPS)[number];

export interface Step {
  name: StepName;
  state: 'passed' | 'ended' | 'not reached';
}

/** By the reason. */
const ENDS: readonly (readonly [RegExp, StepName])[] = [
  [/^(?:configuration_unusable|handler_not_loaded|not_built)$/, 'start'],
  [/^(?:body|content_type)_/, 'request'],
  [/^signature_/, 'caller'],
  [/^event_/, 'event'],
  [/^(?:token|keys)_/, 'token'],
  [/^assertion_/, 'assertion'],
];

/** Without the checks that are off; empty for a login that came to its handler. */
export function stepsOf(answered: InvocationResult, event: unknown, functionName: string): Step[] {
  const { reason, records } = answered;
  const kind = kindOf(functionName);
  const { callerCheck, [KINDS[kind].check]: check } =
    records.findLast((record) => record.event === 'cold_start') ?? {};
  // Who calls is checked before the event is read, which has the issuer.
  const isOfCaller = reason.startsWith('secret_') && loginRecord(answered).issuer === undefined;
  const ended = isOfCaller ? 'caller' : ENDS.find(([pattern]) => pattern.test(reason))?.[1];
  if (ended === undefined) return [];
  const isHttp = isInEnvelope(event);
  const isOff: Partial<Record<StepName, boolean>> = {
    request: !isHttp,
    caller: !isHttp || callerCheck !== 'signature',
    token: kind !== 'OpenID' || check !== 'on',
    assertion: kind !== 'SAML' || check !== 'on',
  };
  const end = STEPS.indexOf(ended);
  const stateOf = (index: number) => (index < end ? 'passed' : 'not reached');
  return STEPS.map((name, index): Step => ({ name, state: index === end ? 'ended' : stateOf(index) })).filter(
    ({ name, state }) => state === 'ended' || !isOff[name],
  );
}
