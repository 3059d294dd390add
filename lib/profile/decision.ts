/**
 * A decision travels with its answer, under a symbol: whichever answer leaves, its own reason and trace are logged.
 * JSON does not show it.
 */
import type { UserLoginResponse } from './response.ts';
import type { Trace } from './trace.ts';

export interface Decision {
  response: UserLoginResponse;
  reason: DecisionReason;
  /** Whether an operator wrote the message of the response. */
  isOperatorsMessage?: boolean;
  /** Made on demand: most logins are authorized, and nobody reads their trace. */
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

/** A decision as it was made, whatever a handler changes in the answer afterwards. */
export interface MadeDecision extends Omit<Decision, 'response'> {
  type: UserLoginResponse['type'];
  /** The words for the person; null where there are none. */
  message: string | null;
}

const DECISION = Symbol('decision');

/**
 * Attaches the decision to its answer. A refusal's is enumerable, so that a copy by spread keeps it. An authorized
 * answer's is not, so that an operator's test can compare the answer as a whole.
 */
export function decided({ response, ...decision }: Decision): UserLoginResponse {
  const { type } = response;
  const message = 'message' in response ? response.message : null;
  const value: MadeDecision = { ...decision, type, message };
  return Object.defineProperty(response, DECISION, { value, enumerable: type !== 'AuthorizedUserResponse' });
}

/** What a default handler or a mapping decided of this answer; undefined for an answer of a handler's own. */
export function decisionOf(answer: unknown): MadeDecision | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  return (answer as { [DECISION]?: MadeDecision })[DECISION];
}
