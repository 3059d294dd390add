/** Assertions that are encrypted for a service. */
import { createCipheriv, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto';
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

const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/** @returns an EncryptedAssertion with any text inside, in AES-256-GCM and RSA-OAEP (XML Encryption 1.1 sections 5.2.4 and 5.5.2) */
export function encryptedAssertion(text: string, certificate: string): string {
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const content = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  const valued = (bytes: Buffer) =>
    `<e:CipherData><e:CipherValue>${bytes.toString('base64')}</e:CipherValue></e:CipherData>`;
  const method = (algorithm: string, inside = '') =>
    `<e:EncryptionMethod Algorithm="${algorithm}">${inside}</e:EncryptionMethod>`;
  const digest = `<DigestMethod xmlns="${SIGNATURE}" Algorithm="${SIGNATURE}sha1"/>`;
  const encryptedKey = `<e:EncryptedKey>${method(`${ENCRYPTION}rsa-oaep-mgf1p`, digest)}${valued(publicEncrypt(certificate, key))}</e:EncryptedKey>`;
  const data = `${method('http://www.w3.org/2009/xmlenc11#aes256-gcm')}<KeyInfo xmlns="${SIGNATURE}">${encryptedKey}</KeyInfo>${valued(content)}`;
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><e:EncryptedData xmlns:e="${ENCRYPTION}" Type="${ENCRYPTION}Element">${data}</e:EncryptedData></saml:EncryptedAssertion>`;
}
