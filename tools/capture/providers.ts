/** What a cure says for the provider of a login, which is known by its issuer. */
import { forProvider } from '../shared/providers.ts';
import type { Finding } from './findings.ts';

export function curedFor(issuer: string | null, findings: readonly Finding[]): Finding[] {
  return findings.map(({ cure, ...one }) => ({ ...one, cure: cure && forProvider(cure, issuer) }));
}
