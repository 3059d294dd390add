/** Assertions that are encrypted for a service. */
import { X509Certificate } from 'node:crypto';
import type { Wishes } from './samlIdp.ts';

/** @param certificate of the service, in PEM */
export function encryptionFor(certificate: string): Wishes {
  const { publicKey } = new X509Certificate(certificate);
  const encryptionPublicKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { encryptionCert: certificate, encryptionPublicKey };
}

/** @returns the certificate for encryption in a service's metadata, in PEM */
export function certificateIn(metadata: string): string {
  const [, body = ''] = /use="encryption"[\s\S]*?X509Certificate>([^<]*)</.exec(metadata) ?? [];
  return new X509Certificate(Buffer.from(body, 'base64')).toString();
}
