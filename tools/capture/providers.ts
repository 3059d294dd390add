/** What is to be changed at the provider of a login, which is known by its issuer. */

import type { Finding } from '../shared/finding.ts';
import { forProvider } from '../shared/providers.ts';

export function findingsFor(issuer: string | null, findings: readonly Finding[]): Finding[] {
  return findings.map(({ change, ...one }) => ({ ...one, change: change && forProvider(change, issuer) }));
}
