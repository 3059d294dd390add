import { decide, type Plan } from './decide.ts';
import { type Decision, decided } from './decision.ts';
import type { Received } from './received.ts';
import { forbidden, type UserLoginResponse } from './response.ts';
import { showableNames } from './trace.ts';

const ISSUER_NOT_LISTED = 'Your identity provider is not one that may be used to log in here.';

/** Decides by a plan. Without a plan nobody is let in. */
export function answerBy(plan: Plan | null, received: Received): UserLoginResponse {
  return decided(plan ? decide(received, plan) : refuseIssuer(received));
}

function refuseIssuer(received: Received): Decision {
  const names = received.allNames();
  return {
    response: forbidden(ISSUER_NOT_LISTED),
    reason: 'issuer_not_listed',
    trace: () => ({ fields: {}, received: showableNames(names), rule: 'issuers' }),
  };
}
