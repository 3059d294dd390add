/** A name for a sample, made of the provider and the outcome: no text of the person can be in it. */
import { KINDS } from '../../lib/kinds.ts';
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import type { ExplainedRule } from '../explain/account.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { kindOf } from '../shared/functions.ts';
import { providerOf } from '../shared/providers.ts';

/** By the rule that refuses. */
const REFUSED: Readonly<Record<RuleKey, string>> = {
  no_group: 'denied-group',
  any_group: 'without-group',
  emails: 'other-address',
  email_domains: 'other-domain',
  scopes: 'other-scope',
  claim: 'other-claim',
  attribute: 'other-attribute',
  assurance: 'weak-sign-in',
};

/** By the number of groups. */
const COUNTS = ['no-group', 'one-group', 'two-groups', 'three-groups'];

export interface NamedLogin {
  functionName: string;
  issuer: string | null;
  answered: Pick<InvocationResult, 'reason' | 'response'>;
  /** As the explanation of the login has them. */
  rules: readonly Pick<ExplainedRule, 'path' | 'isDecisive'>[];
}

/**
 * @param isTaken whether there is a sample of this name
 * @returns e.g. `keycloak-denied-group`, or `keycloak-denied-group-2` where that is taken
 */
export function proposedName(login: NamedLogin, isTaken: (name: string) => boolean): string {
  const provider = providerOf(login.issuer)?.toLowerCase().replace(' ', '-');
  const name = `${provider ?? KINDS[kindOf(login.functionName)].word}-${outcomeOf(login)}`;
  if (!isTaken(name)) return name;
  let count = 2;
  while (isTaken(`${name}-${count}`)) count += 1;
  return `${name}-${count}`;
}

function outcomeOf({ answered: { reason, response }, rules }: NamedLogin): string {
  const path = rules.find(({ isDecisive }) => isDecisive)?.path;
  const rule = String(path?.split('.').at(-1));
  if (Object.hasOwn(REFUSED, rule)) return REFUSED[rule as RuleKey];
  if (reason !== 'authorized') return reason.replaceAll('_', '-');
  const groups = response?.user_group_uuids ?? response?.userGroupUuids;
  return COUNTS[Array.isArray(groups) ? groups.length : 0] ?? 'many-groups';
}
