/** Certificates that this process trusts, as `NODE_EXTRA_CA_CERTS` has a process of its own do. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Not those that a test file before this one left, because one of its hooks failed. */
const others = [...getCACertificates('bundled'), ...getCACertificates('extra')];
const trusted: string[] = [];

/**
 * Trusts one more authority.
 *
 * @returns what ends it
 */
export function trust(ca: string): () => void {
  trusted.push(ca);
  setDefaultCACertificates([...others, ...trusted]);
  return () => {
    trusted.splice(trusted.indexOf(ca), 1);
    setDefaultCACertificates([...others, ...trusted]);
  };
}
