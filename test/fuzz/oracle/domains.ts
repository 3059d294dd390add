/** Domains as rules name them: whole and without case; `*.` stands for one label or more. */
import { asciiLower } from './evidence.ts';

const LABEL = /^[a-z0-9_-]+$/;

export function isEmailOf(email: string, domains: readonly string[]): boolean {
  return isScopeOf(email.slice(email.indexOf('@') + 1), domains);
}

export function isScopeOf(scope: string, domains: readonly string[]): boolean {
  const labels = asciiLower(scope).split('.');
  return domains.some((domain) => {
    const [first, ...below] = asciiLower(domain).split('.');
    if (first !== '*') return labels.join('.') === asciiLower(domain);
    const isBelow = labels.slice(-below.length).join('.') === below.join('.');
    return isBelow && labels.length > below.length && labels.every((label) => LABEL.test(label));
  });
}
