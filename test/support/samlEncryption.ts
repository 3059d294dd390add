/** Assertions that are encrypted for a service. */
import { execFileSync } from 'node:child_process';
import { type CipherGCMTypes, createCipheriv, randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/** What the provider chooses: URIs of algorithms, and what OpenSSL calls them. */
export interface Encrypting {
  cipher: string;
  /** What says how the key is encrypted, with its `EncryptionMethod`. */
  transport: { uri: string; inside: string; openssl: string[] };
}

/** @param bits and mode e.g. `128-gcm` */
export function aes(bitsAndMode: string): string {
  return `${bitsAndMode.endsWith('gcm') ? XMLENC11 : XMLENC}aes${bitsAndMode}`;
}

/** @param digest its URI @param mgf its digest; null for `rsa-oaep-mgf1p`, which has SHA-1 */
export function oaep(digest: string, mgf: string | null = null): Encrypting['transport'] {
  const { hash = '' } = URL.parse(digest) ?? {};
  const name = mgf === null ? '' : `<MGF xmlns="${XMLENC11}" Algorithm="${XMLENC11}mgf1${mgf}"/>`;
  return {
    uri: mgf === null ? `${XMLENC}rsa-oaep-mgf1p` : `${XMLENC11}rsa-oaep`,
    inside: `<DigestMethod xmlns="${SIGNATURE}" Algorithm="${digest}"/>${name}`,
    openssl: [
      'rsa_padding_mode:oaep',
      `rsa_oaep_md:${hash.slice(1) || 'sha1'}`,
      `rsa_mgf1_md:${mgf ?? 'sha1'}`,
    ],
  };
}

export const RSA_1_5: Encrypting['transport'] = {
  uri: `${XMLENC}rsa-1_5`,
  inside: '',
  openssl: ['rsa_padding_mode:pkcs1'],
};

const USUAL: Encrypting = { cipher: aes('256-gcm'), transport: oaep(`${SIGNATURE}sha1`) };

/** @returns an EncryptedAssertion with any text inside (XML Encryption 1.1 sections 5.2 and 5.5) */
export function encryptedAssertion(
  text: string,
  certificate: string,
  { cipher, transport }: Encrypting = USUAL,
): string {
  const [, bits = '256', mode = 'gcm'] = /aes(\d+)-(\w+)$/.exec(cipher) ?? [];
  const key = randomBytes(Number(bits) / 8);
  const content = encryptedContent(`aes-${bits}-${mode}`, key, text);
  const encrypted = encryptedKeyOf(key, certificate, transport.openssl);
  const valued = (bytes: Buffer) =>
    `<e:CipherData><e:CipherValue>${bytes.toString('base64')}</e:CipherValue></e:CipherData>`;
  const method = (algorithm: string, inside = '') =>
    `<e:EncryptionMethod Algorithm="${algorithm}">${inside}</e:EncryptionMethod>`;
  const wrappedKey = `<e:EncryptedKey>${method(transport.uri, transport.inside)}${valued(encrypted)}</e:EncryptedKey>`;
  const data = `${method(cipher)}<KeyInfo xmlns="${SIGNATURE}">${wrappedKey}</KeyInfo>${valued(content)}`;
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><e:EncryptedData xmlns:e="${XMLENC}" Type="${XMLENC}Element">${data}</e:EncryptedData></saml:EncryptedAssertion>`;
}

function encryptedContent(algorithm: string, key: Buffer, text: string): Buffer {
  if (algorithm.endsWith('cbc')) {
    const iv = randomBytes(16);
    const cipher = createCipheriv(algorithm, key, iv);
    return Buffer.concat([iv, cipher.update(text), cipher.final()]);
  }
  const iv = randomBytes(12);
  const cipher = createCipheriv(algorithm as CipherGCMTypes, key, iv);
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** By OpenSSL itself: Node sets one digest for OAEP and its MGF. */
function encryptedKeyOf(key: Buffer, certificate: string, options: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  try {
    const file = join(folder, 'service.pem');
    writeFileSync(file, certificate);
    const chosen = options.flatMap((option) => ['-pkeyopt', option]);
    const command = ['pkeyutl', '-encrypt', '-certin', '-inkey', file, ...chosen];
    return execFileSync('openssl', command, { input: key });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
