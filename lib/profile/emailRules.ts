/** The rules on e-mail addresses. They judge the address that leaves, and take part in choosing among several. */
import { addressKey, domainMatcher } from './domains.ts';
import type { Rule } from './ruleSchema.ts';

export type EmailRule = Extract<Rule, { emails: unknown } | { email_domains: unknown }>;

export function isEmailRule(rule: Rule): rule is EmailRule {
  return 'emails' in rule || 'email_domains' in rule;
}

/** Makes a function that tells whether a rule allows an address, which has one `@`. */
export function addressMatcher(rule: EmailRule): (address: string) => boolean {
  if ('email_domains' in rule) {
    const isListed = domainMatcher(rule.email_domains);
    return (address) => isListed(domainOf(address));
  }
  const listed = new Set(rule.emails.map(addressKey));
  return (address) => listed.has(addressKey(address));
}

function domainOf(address: string): string {
  return address.slice(address.indexOf('@') + 1);
}
