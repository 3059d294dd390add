/** Who may log in: each rule lets pass or refuses, and one that cannot be evaluated refuses. */
import { groupMatcher, type ReceivedGroups, sourceNames } from './groups.ts';
import type { Group, Rule } from './mapping.ts';
import type { DefaultNames } from './names.ts';
import type { PlacedRule } from './plan.ts';
import type { Received } from './received.ts';
import { asciiLowerCase } from './text.ts';

export interface RuleInput {
  received: Received;
  email: string;
  groups: ReceivedGroups;
}

type Lets = (input: RuleInput) => boolean;

export interface CheckedRule {
  /** Where it stands in the mapping, e.g. `rules[0].email_domains`. */
  path: string;
  lets: Lets;
  needsGroups: boolean;
  /** What a person is told whom it refuses. */
  message: string;
  isOperatorsMessage: boolean;
}

export function checkedRule({ rule, path }: PlacedRule, defaults: DefaultNames): CheckedRule {
  const { kind, lets, message } = readRule(rule, defaults);
  return {
    path: `${path}.${kind}`,
    lets,
    needsGroups: needsGroups(rule),
    message: rule.message ?? message,
    isOperatorsMessage: rule.message !== undefined,
  };
}

export function needsGroups(rule: Rule): boolean {
  return 'any_group' in rule || 'no_group' in rule;
}

function readRule(rule: Rule, defaults: DefaultNames): { kind: string; lets: Lets; message: string } {
  if ('email_domains' in rule) {
    return {
      kind: 'email_domains',
      lets: ({ email }) => isAmong(rule.email_domains, email.slice(email.indexOf('@') + 1)),
      message: 'Your e-mail address is not of an organisation that may log in here.',
    };
  }
  if ('scopes' in rule) {
    return {
      kind: 'scopes',
      lets: scopedAffiliation(rule, defaults),
      message: 'Your organisation does not vouch for you in a way that lets you log in here.',
    };
  }
  if ('any_group' in rule) {
    const matchings = groupMembership(rule.any_group);
    return {
      kind: 'any_group',
      lets: ({ groups }) => groups.known && matchings(groups).some(({ matches }) => matches.length > 0),
      message: 'You are in none of the groups that may log in here.',
    };
  }
  const matchings = groupMembership(rule.no_group);
  return {
    kind: 'no_group',
    // Who is in groups that are not known, or that cannot be read, may be in one of these.
    lets: ({ groups }) =>
      groups.known &&
      matchings(groups).every(({ matches, isUnreadable }) => matches.length === 0 && !isUnreadable),
    message: 'You are in a group that may not log in here.',
  };
}

function groupMembership(groups: readonly Group[]) {
  const matching = groupMatcher(groups);
  return ({ values }: ReceivedGroups) => values.map(matching);
}

/** Some value like `member@uni.example` (eduPerson 2.2.9) whose scope, and affiliation where named, are allowed. */
function scopedAffiliation(
  { scopes, affiliations, from }: Extract<Rule, { scopes: unknown }>,
  defaults: DefaultNames,
): Lets {
  const names = from.flatMap((source) => sourceNames(source, defaults.scoped_affiliation));
  const wanted = affiliations?.map(asciiLowerCase);
  return ({ received }) =>
    received.all(names).some((value) => {
      const [affiliation = '', scope = '', ...more] = value.split('@');
      if (more.length > 0 || affiliation === '') return false;
      return isAmong(scopes, scope) && (wanted?.includes(asciiLowerCase(affiliation)) ?? true);
    });
}

/** Labels with single dots between them (RFC 1035 section 2.3.1), and more than the domain itself. */
const SUBDOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** Domains compare whole and without case; `*.uni.example` is every domain below that one, not itself. */
function isAmong(domains: readonly string[], domain: string): boolean {
  const name = asciiLowerCase(domain);
  return domains.some((entry) => {
    const wanted = asciiLowerCase(entry);
    return wanted.startsWith('*.') ? SUBDOMAIN.test(name) && name.endsWith(wanted.slice(1)) : name === wanted;
  });
}
