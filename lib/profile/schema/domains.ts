/** Domains: how they compare, and which are listed. */
import { asciiLowerCase, NOT_PRINTABLE_ASCII } from '../../text.ts';

const { domainToASCII, domainToUnicode } = process.getBuiltinModule('node:url');

/** RFC 1035 section 2.3.4. */
const MAX_DOMAIN_LENGTH = 255;
/** Labels with single dots between them (RFC 1035 section 2.3.1), at least two. */
const SUBDOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/**
 * The form in which domains compare: in lower case, and in ASCII (RFC 5891). `münchen.example` and `xn--mnchen-3ya.example` are
 * one domain.
 *
 * @returns null where the conversion would drop characters or replace them: such a text only looks like the domain
 */
export function asciiDomain(domain: string): string | null {
  if (domain.length > MAX_DOMAIN_LENGTH) return null;
  if (!NOT_PRINTABLE_ASCII.test(domain)) return asciiLowerCase(domain);
  const ascii = domainToASCII(domain);
  const isUnchanged = domain.normalize('NFKC') === domain && domainToUnicode(ascii) === domain.toLowerCase();
  return isUnchanged ? ascii : null;
}

/** The form in which addresses compare: without case, the domain as domains compare. */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return asciiLowerCase(address.slice(0, at)) + domainKey(address.slice(at));
}

/** The form in which the domains of addresses compare: also without the full stop of the root at the end. */
export function domainKey(domain: string): string {
  const name = domain.replace(/\.$/, '');
  return asciiDomain(name) ?? name;
}

/**
 * Tells whether a domain is listed. Domains compare whole; `*.uni.example` is every domain below that one, and not that one
 * itself.
 */
export function domainMatcher(listed: readonly string[]): (domain: string) => boolean {
  const entries = new Set(listed.map(asciiDomain));
  return (domain) => {
    const name = asciiDomain(domain);
    if (name === null || name.startsWith('*')) return false;
    if (entries.has(name) || !SUBDOMAIN.test(name)) return entries.has(name);
    return Array.from(name.matchAll(/\./g)).some(({ index }) => entries.has(`*${name.slice(index)}`));
  };
}
