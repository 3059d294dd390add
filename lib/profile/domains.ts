import { asciiLowerCase } from '../text.ts';

/** RFC 1035 section 2.3.4. */
const MAX_DOMAIN_LENGTH = 255;
/** Labels with single dots between them (RFC 1035 section 2.3.1), at least two. */
const SUBDOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/**
 * Tells whether a domain is listed. Domains compare whole and without case; `*.uni.example` is every domain below that
 * one, and not that one itself.
 */
export function domainMatcher(listed: readonly string[]): (domain: string) => boolean {
  const entries = new Set(listed.map(asciiLowerCase));
  return (domain) => {
    const name = asciiLowerCase(domain);
    if (domain.length > MAX_DOMAIN_LENGTH || name.startsWith('*')) return false;
    if (entries.has(name) || !SUBDOMAIN.test(name)) return entries.has(name);
    return Array.from(name.matchAll(/\./g)).some(({ index }) => entries.has(`*${name.slice(index)}`));
  };
}
