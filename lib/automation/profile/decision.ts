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
  | 'groups_ambiguous'
  | 'rule_refused'
  | 'issuer_not_listed';

const DECISION = Symbol('decision');

/**
 * Keeps the decision with the event, where nobody sees it. Not in a `WeakMap`: its entries outlive young objects, and
 * collecting them took 50 ms at a time.
 */
export function keepDecision(event: object, decision: Decision): void {
  // A handler may have frozen its event: then it goes without a trace.
  Reflect.defineProperty(event, DECISION, { value: decision, configurable: true });
}

/** The last decision about this event by a default handler or a mapping; undefined where there was none. */
export function decisionOf(event: unknown): Decision | undefined {
  if (typeof event !== 'object' || event === null) return undefined;
  return (event as { [DECISION]?: Decision })[DECISION];
}
