/** Assertions that are encrypted for a service. */
import { X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { encrypt } from 'xml-encryption';
import type { Wishes } from './samlIdp.ts';

/** @param certificate of the service, in PEM */
export function encryptionFor(certificate: string) {
  const { publicKey } = new X509Certificate(certificate);
  const encryptionPublicKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { encryptionCert: certificate, encryptionPublicKey } satisfies Wishes;
}

/** @returns the certificate for encryption in a service's metadata, in PEM */
export function certificateIn(metadata: string): string {
  const [, body = ''] = /use="encryption"[\s\S]*?X509Certificate>([^<]*)</.exec(metadata) ?? [];
  return new X509Certificate(Buffer.from(body, 'base64')).toString();
}

/** What the provider chooses, in the words of the library: more than its types know. */
export interface Encrypting {
  encryptionAlgorithm?: string;
  keyEncryptionAlgorithm?: string;
  keyEncryptionDigest?: string;
  keyEncryptionMgf?: string;
}

const USUAL: Encrypting = {
  encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
};
const LENIENT = { disallowEncryptionWithInsecureAlgorithm: false, warnInsecureAlgorithm: false };

export const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;

/** Encrypts the assertion of a response for the service with this certificate. @param edit what is done to the assertion before */
export async function encrypted(
  xml: string,
  certificate: string,
  encrypting: Encrypting = {},
  edit = (assertion: string) => assertion,
): Promise<string> {
  const [assertion = ''] = ASSERTION.exec(xml) ?? [];
  const keys = { rsa_pub: encryptionFor(certificate).encryptionPublicKey, pem: certificate };
  const options = { ...keys, ...LENIENT, ...USUAL, ...encrypting };
  const data = await promisify(encrypt)(edit(assertion), options as never);
  const closed = `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data}</saml:EncryptedAssertion>`;
  return xml.replace(assertion, () => closed);
}
