/** What is to be changed at the provider of a login, which is known by its issuer. */

import type { Finding } from '../shared/finding.ts';
import { providerOf } from '../shared/providers.ts';

/** What a text says of several providers: ` (Keycloak: …; Entra: "Identifier (Entity ID)"; …)`. */
const OF_EACH = / \(((?:[A-Z]\w+|AD FS): (?:[^()]|\([^()]*\))*)\)/g;
const NEXT = /; (?=(?:[A-Z]\w+|AD FS): )/;

/** Of what a text says of several providers, only what is for this one; all of it where the provider is not known. */
export function forProvider(text: string, issuer: string | null): string {
  const provider = providerOf(issuer);
  if (provider === null) return text;
  return text.replaceAll(OF_EACH, (_, all: string) => {
    const own = all.split(NEXT).find((one) => one.startsWith(`${provider}: `));
    return own === undefined ? '' : ` (${own})`;
  });
}

export function findingsFor(issuer: string | null, findings: readonly Finding[]): Finding[] {
  return findings.map(({ change, ...one }) => ({ ...one, change: change && forProvider(change, issuer) }));
}
