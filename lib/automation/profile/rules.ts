/** Who may log in: each rule lets pass or refuses, and one that cannot be evaluated refuses. */
import { matcherOf, type ReceivedGroups } from './groups.ts';
import type { Rule } from './mapping.ts';
import type { Received } from './received.ts';
import { asciiLowerCase } from './text.ts';

const DEFAULT_MESSAGES = {
  email_domains: 'Your e-mail address is not of an organisation that may log in here.',
  scopes: 'Your organisation does not vouch for you in a way that lets you log in here.',
  any_group: 'You are in none of the groups that may log in here.',
  no_group: 'You are in a group that may not log in here.',
} as const;

export interface RuleInput {
  received: Received;
  email: string;
  groups: ReceivedGroups;
}

export const GROUPS_UNKNOWN = 'Your identity provider did not tell which groups you are in.';

/** The message of a refusal; null where the rule lets the person pass. */
export function refusalBy(rule: Rule, input: RuleInput): { rule: string; message: string } | null {
  const kind = kindOf(rule);
  if (lets(rule, input)) return null;
  if (needsGroups(rule) && !input.groups.known) return { rule: kind, message: GROUPS_UNKNOWN };
  return { rule: kind, message: rule.message ?? DEFAULT_MESSAGES[kind] };
}

export function needsGroups(rule: Rule): boolean {
  return 'any_group' in rule || 'no_group' in rule;
}

function kindOf(rule: Rule): keyof typeof DEFAULT_MESSAGES {
  if ('email_domains' in rule) return 'email_domains';
  if ('scopes' in rule) return 'scopes';
  return 'any_group' in rule ? 'any_group' : 'no_group';
}

function lets(rule: Rule, { received, email, groups }: RuleInput): boolean {
  if ('email_domains' in rule) return isAmong(rule.email_domains, email.slice(email.indexOf('@') + 1));
  if ('scopes' in rule) return scopedAffiliations(received, rule).length > 0;
  // Groups that are not known satisfy no rule, "in none of them" neither.
  if (!groups.known) return false;
  const wanted = ('any_group' in rule ? rule.any_group : rule.no_group).map(matcherOf);
  const isInOne = groups.values.some((value) => wanted.some((matches) => matches(value)));
  return 'any_group' in rule ? isInOne : !isInOne;
}

/** The values like `member@uni.example` (eduPerson 2.2.9) whose scope, and affiliation where named, are allowed. */
function scopedAffiliations(
  received: Received,
  { scopes, affiliations, from }: Extract<Rule, { scopes: unknown }>,
) {
  const names = from.flatMap((source) => {
    if (typeof source === 'string') return [source];
    return source.use === 'defaults' ? received.defaults.scoped_affiliation : [];
  });
  return [...received.find(names)].filter(({ value }) => {
    const [affiliation = '', scope = '', ...more] = value.trim().split('@');
    const isWanted =
      affiliations?.some((wanted) => asciiLowerCase(wanted) === asciiLowerCase(affiliation)) ?? true;
    return more.length === 0 && affiliation !== '' && isWanted && isAmong(scopes, scope);
  });
}

/** Domains compare whole and without case; `*.uni.example` is every domain below that one, not itself. */
function isAmong(domains: readonly string[], domain: string): boolean {
  const name = asciiLowerCase(domain);
  return domains.some((entry) => {
    const wanted = asciiLowerCase(entry);
    return wanted.startsWith('*.')
      ? name.endsWith(wanted.slice(1)) && name.length > wanted.length - 1
      : name === wanted;
  });
}
