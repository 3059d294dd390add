/** Assertions that are encrypted for a service. */
import {
  type CipherGCMTypes,
  constants,
  createCipheriv,
  createHash,
  publicEncrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
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

/** What the provider chooses: URIs of algorithms, and what Node calls them. */
export interface Encrypting {
  cipher: string;
  /** What says how the key is encrypted, with its `EncryptionMethod`. */
  transport: { uri: string; inside: string; digests: { label: string; mgf: string } | null };
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
    digests: { label: hash.slice(1) || 'sha1', mgf: mgf ?? 'sha1' },
  };
}

export const RSA_1_5: Encrypting['transport'] = {
  uri: `${XMLENC}rsa-1_5`,
  inside: '',
  digests: null,
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
  const encrypted = encryptedKeyOf(key, certificate, transport);
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

function encryptedKeyOf(key: Buffer, certificate: string, { digests }: Encrypting['transport']): Buffer {
  const { publicKey } = new X509Certificate(certificate);
  if (digests === null) return publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, key);
  const { label, mgf } = digests;
  if (label === mgf) return publicEncrypt({ key: publicKey, oaepHash: label }, key);
  // Node sets one digest for OAEP and its MGF.
  const bytes = (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
  const padded = oaepEncoded(key, bytes, digests);
  return publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, padded);
}

/** RFC 8017 section 7.1.1, step 2. @param bytes of the modulus */
function oaepEncoded(message: Buffer, bytes: number, digests: { label: string; mgf: string }): Buffer {
  const hash = createHash(digests.label).digest();
  const block = Buffer.alloc(bytes - hash.length - 1);
  hash.copy(block);
  block[block.length - message.length - 1] = 1;
  message.copy(block, block.length - message.length);
  const seed = randomBytes(hash.length);
  const maskedBlock = xor(block, mask(seed, block.length, digests.mgf));
  return Buffer.concat([
    Buffer.from([0]),
    xor(seed, mask(maskedBlock, seed.length, digests.mgf)),
    maskedBlock,
  ]);
}

/** MGF1 (RFC 8017 appendix B.2.1). */
function mask(seed: Buffer, length: number, digest: string): Buffer {
  const parts = [];
  for (let counter = 0; Buffer.concat(parts).length < length; counter += 1) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    parts.push(createHash(digest).update(seed).update(count).digest());
  }
  return Buffer.concat(parts).subarray(0, length);
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));
}
