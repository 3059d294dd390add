/** The path of a login that did not come to its handler, and where it ended. */
import { KINDS } from '../../lib/kinds.ts';
import { isInEnvelope } from '../local/httpEvent.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';
import { loginRecord } from './explanation.ts';

/** In the order of the path, each step before the handler with the reasons that end a login there. */
const STEPS: Readonly<Record<string, RegExp>> = {
  start: /^(?:configuration_unusable|handler_not_loaded|not_built)$/,
  request: /^(?:body|content_type)_/,
  caller: /^signature_/,
  event: /^event_/,
  token: /^(?:token|keys)_/,
  assertion: /^assertion_/,
};

/** Without the checks that are off; empty for a login that came to its handler. */
export function stepsOf(answered: InvocationResult, event: unknown, functionName: string) {
  const { reason, records } = answered;
  const kind = kindOf(functionName);
  const { callerCheck, [KINDS[kind].check]: check } =
    records.findLast((record) => record.event === 'cold_start') ?? {};
  // Who calls is checked before the event is read, which has the issuer.
  const isOfCaller = reason.startsWith('secret_') && loginRecord(answered).issuer === undefined;
  const ended = isOfCaller ? 'caller' : Object.keys(STEPS).find((name) => STEPS[name]?.test(reason));
  if (ended === undefined) return [];
  const isHttp = isInEnvelope(event);
  const isOff: Readonly<Record<string, boolean>> = {
    request: !isHttp,
    caller: !isHttp || callerCheck !== 'signature',
    token: kind !== 'OpenID' || check !== 'on',
    assertion: kind !== 'SAML' || check !== 'on',
  };
  const taken = [...Object.keys(STEPS), 'handler'].filter((name) => name === ended || !isOff[name]);
  const end = taken.indexOf(ended);
  const stateOf = (index: number) => (index < end ? 'passed' : 'not reached');
  return taken.map((name, index) => ({ name, state: index === end ? 'ended' : stateOf(index) }) as const);
}
