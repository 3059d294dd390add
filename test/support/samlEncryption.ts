/** Assertions that are encrypted for a service. */
import { type CipherGCM, createCipheriv, randomBytes, X509Certificate } from 'node:crypto';
import { encryptKeyInfo } from 'xml-encryption';
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

export const RSA_1_5: Encrypting['transport'] = { uri: `${XMLENC}rsa-1_5`, inside: '', digests: null };

const USUAL: Encrypting = { cipher: aes('256-gcm'), transport: oaep(`${SIGNATURE}sha1`) };

/** @returns an EncryptedAssertion with any text inside (XML Encryption 1.1 sections 5.2 and 5.5) */
export function encryptedAssertion(
  text: string,
  certificate: string,
  { cipher, transport }: Encrypting = USUAL,
): string {
  const [, bits = '256', mode = 'gcm'] = /aes(\d+)-(\w+)$/.exec(cipher) ?? [];
  const key = randomBytes(Number(bits) / 8);
  const content = encryptedContent(`aes-${bits}-${mode}`, key, text).toString('base64');
  const method = (algorithm: string, inside = '') =>
    `<e:EncryptionMethod Algorithm="${algorithm}">${inside}</e:EncryptionMethod>`;
  const keyInfo = encryptedKey(key, certificate, transport)
    .replaceAll(/>\s+</g, '><')
    .replace(` xmlns:e="${XMLENC}"`, '')
    .replace(/<e:EncryptionMethod.*<\/e:EncryptionMethod>/s, method(transport.uri, transport.inside));
  const data = `${method(cipher)}${keyInfo}<e:CipherData><e:CipherValue>${content}</e:CipherValue></e:CipherData>`;
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><e:EncryptedData xmlns:e="${XMLENC}" Type="${XMLENC}Element">${data}</e:EncryptedData></saml:EncryptedAssertion>`;
}

function encryptedContent(algorithm: string, key: Buffer, text: string): Buffer {
  const isGcm = algorithm.endsWith('gcm');
  const iv = randomBytes(isGcm ? 12 : 16);
  const cipher = createCipheriv(algorithm, key, iv);
  const encrypted = [iv, cipher.update(text), cipher.final()];
  return Buffer.concat(isGcm ? [...encrypted, (cipher as CipherGCM).getAuthTag()] : encrypted);
}

/** @returns a KeyInfo, which names the algorithms of the library */
function encryptedKey(key: Buffer, certificate: string, { uri, digests }: Encrypting['transport']): string {
  const { publicKey } = new X509Certificate(certificate);
  const options = {
    rsa_pub: publicKey.export({ type: 'spki', format: 'pem' }),
    pem: certificate,
    keyEncryptionAlgorithm: digests === null ? uri : `${XMLENC11}rsa-oaep`,
    keyEncryptionDigest: digests?.label,
    keyEncryptionMgf: digests?.mgf,
    disallowEncryptionWithInsecureAlgorithm: false,
    warnInsecureAlgorithm: false,
  };
  let keyInfo = '';
  encryptKeyInfo(key, options as never, (_, made) => {
    keyInfo = made;
  });
  return keyInfo;
}
