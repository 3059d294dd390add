/** The rules on e-mail addresses. They judge the address that leaves, and take part in choosing among several. */
import { asciiLowerCase } from '../text.ts';
import { asciiDomain, domainMatcher } from './domains.ts';
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
  const listed = new Set(rule.emails.map(canonicalAddress));
  return (address) => listed.has(canonicalAddress(address));
}

/** The form in which addresses compare: without case, the domain in its ASCII form. */
function canonicalAddress(address: string): string {
  const domain = domainOf(address);
  return asciiLowerCase(address.slice(0, -domain.length)) + asciiDomain(domain);
}

function domainOf(address: string): string {
  return address.slice(address.indexOf('@') + 1);
}
