/** Certificates that this process trusts, as `NODE_EXTRA_CA_CERTS` has a process of its own do. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Trusts one more authority.
 *
 * @returns what ends it
 */
export function trust(ca: string): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, ca]);
  return () => setDefaultCACertificates(before);
}
