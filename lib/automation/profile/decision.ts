/**
 * Decisions are kept beside the event that they are about, so that whoever answers the login finds there why,
 * whichever handler decided.
 */
import type { UserLoginResponse } from '../response.ts';
import type { Trace } from './trace.ts';

export interface Decision {
  response: UserLoginResponse;
  reason: DecisionReason;
  /** Whether an operator wrote the message of the response. */
  isOperatorsMessage?: boolean;
  /** Made when somebody looks: most logins are authorized, and nobody does. */
  trace(): Trace;
}

/** Stable names, for log filters. */
export type DecisionReason =
  | 'authorized'
  | 'profile_incomplete'
  | 'email_unverified'
  | 'groups_unknown'
  | 'rule_refused'
  | 'issuer_not_listed';

const decisions = new WeakMap<object, Decision>();

export function keepDecision(event: object, decision: Decision): void {
  decisions.set(event, decision);
}

/** The last decision about this event by a default handler or a mapping; undefined where there was none. */
export function decisionOf(event: unknown): Decision | undefined {
  return typeof event === 'object' && event !== null ? decisions.get(event) : undefined;
}
