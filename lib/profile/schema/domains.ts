/** Domains and scopes: which are listed, and how scoped affiliations are read. */
import { asciiLowerCase, MAX_NAME_LENGTH, NOT_PRINTABLE_ASCII } from '../../text.ts';

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

/** The vocabulary of eduPerson 2.2.1. */
const AFFILIATIONS = 'faculty student staff alum member affiliate employee library-walk-in'.split(' ');

export interface ScopedAffiliation {
  affiliation: string;
  scope: string;
}

/**
 * Makes a function that reads a value in lower case. Some services concatenate several values:
 * `member@u.examplestaff@u.example` is split only where all of it is eduPerson's vocabulary and listed scopes.
 *
 * @param scopes those that are listed; one that begins with `*.` stands for no scope that could be cut off
 * @returns none for anything else
 */
export function scopedAffiliationReader(scopes: readonly string[]): (value: string) => ScopedAffiliation[] {
  const known = new Set(scopes.map(asciiLowerCase).filter((scope) => !scope.startsWith('*.')));
  const joints = jointsOf(known);

  return (value) => {
    if (value.length > MAX_NAME_LENGTH) return [];
    const [first, ...rest] = asciiLowerCase(value).split('@') as [string, ...string[]];
    const last = rest.pop();
    if (last === undefined) return [];
    if (rest.length === 0) return [{ affiliation: first, scope: last }];
    if (!AFFILIATIONS.includes(first) || !known.has(last)) return [];
    const found: ScopedAffiliation[] = [];
    let affiliation = first;
    for (const between of rest) {
      const joint = joints.get(between);
      if (!joint) return [];
      found.push({ affiliation, scope: joint.scope });
      affiliation = joint.affiliation;
    }
    return [...found, { affiliation, scope: last }];
  };
}

/** What may stand between two `@`: a scope and the next affiliation. No affiliation ends like another, so a text has one cut. */
function jointsOf(scopes: ReadonlySet<string>): Map<string, ScopedAffiliation> {
  const joints = new Map<string, ScopedAffiliation>();
  for (const scope of scopes) {
    for (const affiliation of AFFILIATIONS) joints.set(scope + affiliation, { affiliation, scope });
  }
  return joints;
}
