/** Decrypts an assertion as providers encrypt it (XML Encryption 1.1 sections 5.2, 5.5 and 5.8). */
import {
  type CipherGCMTypes,
  constants,
  createDecipheriv,
  createPrivateKey,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';
import { attributeOf, elementsBelow, elementsIn, SIGNATURE } from '../capture/xml.ts';
import { decryptOaep, type Oaep } from './oaep.ts';

export const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
export const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const RSA_1_5 = `${XMLENC}rsa-1_5`;
export const OAEP_MGF1P = `${XMLENC}rsa-oaep-mgf1p`;
export const OAEP = `${XMLENC11}rsa-oaep`;

const CBC = new Map<string, string>([
  [`${XMLENC}aes128-cbc`, 'aes-128-cbc'],
  [`${XMLENC}aes192-cbc`, 'aes-192-cbc'],
  [`${XMLENC}aes256-cbc`, 'aes-256-cbc'],
]);
const GCM = new Map<string, CipherGCMTypes>([
  [`${XMLENC11}aes128-gcm`, 'aes-128-gcm'],
  [`${XMLENC11}aes192-gcm`, 'aes-192-gcm'],
  [`${XMLENC11}aes256-gcm`, 'aes-256-gcm'],
]);
/** Some providers write `xmldsig#sha256`, which no standard has. */
const DIGESTS = new Map<string, string>([
  [`${SIGNATURE}sha1`, 'sha1'],
  [`${SIGNATURE}sha256`, 'sha256'],
  [`${XMLENC}sha256`, 'sha256'],
  [`${MORE}sha384`, 'sha384'],
  [`${SIGNATURE}sha512`, 'sha512'],
  [`${XMLENC}sha512`, 'sha512'],
]);
const MGFS = new Map<string, string>([
  [`${XMLENC11}mgf1sha1`, 'sha1'],
  [`${XMLENC11}mgf1sha224`, 'sha224'],
  [`${XMLENC11}mgf1sha256`, 'sha256'],
  [`${XMLENC11}mgf1sha384`, 'sha384'],
  [`${XMLENC11}mgf1sha512`, 'sha512'],
]);

/** What an encrypted assertion says of itself. */
export interface Encryption {
  /** URIs of algorithms, in their order. */
  algorithms: string[];
  /** Those that are not supported. */
  unsupported: string[];
  /** RSA PKCS #1 v1.5, which is broken where errors can be told apart. */
  isRsa15: boolean;
  /** AES in GCM mode: what is inside is as it was encrypted. */
  isAuthenticated: boolean;
}

/** @param closed an `EncryptedAssertion` */
export function encryptionOf(closed: Element): Encryption {
  const { cipher, transport, digest, mgf } = methodsOf(closed);
  const supported = [
    [cipher, CBC.has(cipher) || GCM.has(cipher)],
    [transport, [RSA_1_5, OAEP_MGF1P, OAEP].includes(transport)],
    [digest, digest === null || DIGESTS.has(digest)],
    [mgf, mgf === null || MGFS.has(mgf)],
  ] as const;
  return {
    algorithms: [cipher, transport, digest, mgf].flatMap((one) => one ?? []),
    unsupported: supported.flatMap(([one, isSupported]) => (isSupported ? [] : (one ?? []))),
    isRsa15: transport === RSA_1_5,
    isAuthenticated: GCM.has(cipher),
  };
}

/**
 * @param closed an `EncryptedAssertion` whose algorithms are supported
 * @param privateKey in PEM
 * @returns null for every failure
 */
export function decryptAssertion(closed: Element, privateKey: string): string | null {
  try {
    const methods = methodsOf(closed);
    const key = keyIn(closed, methods, createPrivateKey(privateKey));
    const [data] = elementsIn(closed, XMLENC, 'EncryptedData');
    return key === null ? null : decryptContent(methods.cipher, key, bytesOf(data)).toString('utf8');
  } catch {
    return null;
  }
}

interface Methods {
  cipher: string;
  transport: string;
  /** Null where it is left out, which means SHA-1. */
  digest: string | null;
  /** Null where it is left out, which means SHA-1, and for `rsa-oaep-mgf1p`, which has no other. */
  mgf: string | null;
  label: Buffer;
}

function methodsOf(closed: Element): Methods {
  const [data] = elementsIn(closed, XMLENC, 'EncryptedData');
  const [method] = childrenOf(encryptedKeyIn(closed), XMLENC, 'EncryptionMethod');
  const transport = attributeOf(method, 'Algorithm') ?? '';
  const [label] = childrenOf(method, XMLENC, 'OAEPparams');
  return {
    cipher: attributeOf(childrenOf(data, XMLENC, 'EncryptionMethod')[0], 'Algorithm') ?? '',
    transport,
    digest: attributeOf(childrenOf(method, SIGNATURE, 'DigestMethod')[0], 'Algorithm'),
    mgf: transport === OAEP ? attributeOf(childrenOf(method, XMLENC11, 'MGF')[0], 'Algorithm') : null,
    label: Buffer.from(label?.textContent ?? '', 'base64'),
  };
}

/** Inside the data's KeyInfo, or beside the data. */
function encryptedKeyIn(closed: Element): Element | undefined {
  return elementsBelow(closed, XMLENC, 'EncryptedKey')[0];
}

function childrenOf(parent: Element | undefined, namespace: string, name: string): Element[] {
  return parent ? elementsIn(parent, namespace, name) : [];
}

function bytesOf(encrypted: Element | undefined): Buffer {
  const [data] = childrenOf(encrypted, XMLENC, 'CipherData');
  return Buffer.from(childrenOf(data, XMLENC, 'CipherValue')[0]?.textContent ?? '', 'base64');
}

function keyIn(closed: Element, { transport, digest, mgf, label }: Methods, key: KeyObject): Buffer | null {
  const encrypted = bytesOf(encryptedKeyIn(closed));
  if (transport === RSA_1_5) return privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, encrypted);
  const oaep: Oaep = {
    digest: DIGESTS.get(digest ?? '') ?? 'sha1',
    mgf: MGFS.get(mgf ?? '') ?? 'sha1',
    label,
  };
  return decryptOaep(encrypted, key, oaep);
}

const GCM_IV_BYTES = 12;
const TAG_BYTES = 16;
const BLOCK_BYTES = 16;

function decryptContent(algorithm: string, key: Buffer, content: Buffer): Buffer {
  const gcm = GCM.get(algorithm);
  if (gcm === undefined) return decryptCbc(CBC.get(algorithm) ?? '', key, content);
  const iv = content.subarray(0, GCM_IV_BYTES);
  const decipher = createDecipheriv(gcm, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(content.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(content.subarray(GCM_IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** The last byte says how many bytes of padding there are; the others of them may be anything (section 5.2.2). */
function decryptCbc(algorithm: string, key: Buffer, content: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, content.subarray(0, BLOCK_BYTES)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(content.subarray(BLOCK_BYTES)), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  if (padding < 1 || padding > BLOCK_BYTES) throw new Error('wrong padding');
  return padded.subarray(0, -padding);
}
