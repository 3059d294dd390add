/** A response as a provider posts it: decoded, measured, and opened where its assertion is encrypted. */
import { decrypt } from 'xml-encryption';
import type { Finding } from '../capture/findings.ts';
import { listed, problem, warning } from '../capture/findings.ts';
import {
  ASSERTION,
  attributeOf,
  elementsBelow,
  elementsIn,
  isElement,
  PROTOCOL,
  parseXml,
  SIGNATURE,
} from '../capture/xml.ts';
import { SignInRefused } from './refused.ts';

export interface Opened {
  xml: string;
  response: Element;
  /** The only assertion, opened where it was encrypted; null where there is none that can be read. Nothing of it is checked. */
  assertion: Element | null;
  /** The XML of an assertion that was encrypted; null for one that was not, or that cannot be opened. */
  decrypted: string | null;
  /** Why the assertion cannot be opened, or should be encrypted otherwise. */
  findings: Finding[];
}

/**
 * @param xml of a response
 * @param privateKey in PEM
 * @throws {UnusableInput} for what is no response, or is larger than a real one
 */
export function openedResponse(xml: string, privateKey: string): Opened {
  const lines = withLineEnds(xml);
  const response = parseXml(lines, 'the SAMLResponse');
  if (!isElement(response, PROTOCOL, 'Response')) {
    throw new SignInRefused({
      ours: `The callback has ${listed([response.localName])} instead of a Response: have the provider send only its responses here.`,
    });
  }
  const [assertion = null] = elementsIn(response, ASSERTION, 'Assertion');
  const opened = { xml: lines, response, assertion, decrypted: null, findings: [] };
  const [closed, ...others] = elementsIn(response, ASSERTION, 'EncryptedAssertion');
  if (closed === undefined || assertion || others.length > 0) return opened;
  return { ...opened, ...openedAssertion(closed, privateKey) };
}

/** As XML has them (XML 1.0 section 2.11): what is signed is signed with these. */
function withLineEnds(xml: string): string {
  return xml.replaceAll(/\r\n?/g, '\n');
}

function openedAssertion(closed: Element, privateKey: string): Pick<Opened, 'findings'> & Partial<Opened> {
  const encryption = encryptionOf(closed);
  const objection = objectionTo(encryption) ?? keyObjection(closed);
  if (objection !== null) return { findings: [notSupported(objection)] };
  const decrypted = decryptedText(closed, privateKey);
  const algorithms = encryption.map(({ uri }) => uri);
  const inside = decrypted === null ? null : insideOf(decrypted, algorithms);
  if (inside === null) return { findings: [notOpened(algorithms)] };
  return { decrypted, assertion: inside, findings: algorithms.includes(RSA_1_5) ? [rsa15()] : [] };
}

export const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
export const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';

const RSA_1_5 = `${XMLENC}rsa-1_5`;
export const OAEP_MGF1P = `${XMLENC}rsa-oaep-mgf1p`;
export const OAEP = `${XMLENC11}rsa-oaep`;

/** With these, what is inside is as it was encrypted. */
const AUTHENTICATED = [`${XMLENC11}aes128-gcm`, `${XMLENC11}aes256-gcm`];
const CIPHERS = [...AUTHENTICATED, `${XMLENC}aes128-cbc`, `${XMLENC}aes256-cbc`];
const TRANSPORTS = [RSA_1_5, OAEP_MGF1P, OAEP];
/** Some providers write `xmldsig#sha256`, which no standard has. */
const DIGESTS = [
  `${SIGNATURE}sha1`,
  `${SIGNATURE}sha256`,
  `${XMLENC}sha256`,
  `${SIGNATURE}sha512`,
  `${XMLENC}sha512`,
];
/** An example of the standard writes the last one. */
const MGFS = [
  ...['sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map((hash) => `${XMLENC11}mgf1${hash}`),
  `${XMLENC}MGF1withSHA1`,
];

interface Algorithm {
  uri: string;
  isSupported: boolean;
}

/**
 * Its algorithms (XML Encryption 1.1 section 5), read before our key is tried: xml-encryption takes SHA-1 for a digest that
 * it does not know, and the key would be blamed.
 */
function encryptionOf(closed: Element): Algorithm[] {
  const [cipher] = elementsIn(closed, XMLENC, 'EncryptedData').map(methodIn);
  const keys = elementsBelow(closed, XMLENC, 'EncryptedKey');
  return [
    { uri: algorithmOf(cipher), isSupported: CIPHERS.includes(algorithmOf(cipher)) },
    ...(keys.length > 0 ? keys.map(methodIn) : [undefined]).flatMap(transportOf),
  ];
}

function objectionTo(encryption: readonly Algorithm[]): string | null {
  const unsupported = encryption.flatMap(({ uri, isSupported }) => (isSupported ? [] : uri));
  if (unsupported.length === 0) return null;
  const named = unsupported.filter((uri) => uri !== '');
  return named.length > 0
    ? `The assertion is encrypted with ${listed(named)}, which is not supported here.`
    : 'The encrypted assertion does not name its algorithms (EncryptionMethod).';
}

/** A key that stands beside the data is found by a RetrievalMethod only. */
function keyObjection(closed: Element): string | null {
  const inside = elementsBelow(closed, SIGNATURE, 'KeyInfo').flatMap((info) => elementsIn(info));
  const isFound = inside.some(({ localName }) => ['EncryptedKey', 'RetrievalMethod'].includes(localName));
  return isFound ? null : 'The encrypted assertion does not say which key it is encrypted with (KeyInfo).';
}

function methodIn(encrypted: Element): Element | undefined {
  return elementsIn(encrypted, XMLENC, 'EncryptionMethod')[0];
}

function algorithmOf(method: Element | undefined): string {
  return attributeOf(method, 'Algorithm') ?? '';
}

/** A digest or an MGF that is left out is SHA-1. `rsa-oaep-mgf1p` has no MGF to choose. */
function transportOf(method: Element | undefined): Algorithm[] {
  const uri = algorithmOf(method);
  const digests = method ? elementsIn(method, SIGNATURE, 'DigestMethod').map(algorithmOf) : [];
  const mgfs = method ? elementsIn(method, XMLENC11, 'MGF').map(algorithmOf) : [];
  return [
    { uri, isSupported: TRANSPORTS.includes(uri) },
    ...digests.map((digest) => ({ uri: digest, isSupported: DIGESTS.includes(digest) })),
    ...mgfs.map((mgf) => ({ uri: mgf, isSupported: uri === OAEP && MGFS.includes(mgf) })),
  ];
}

/** @returns null for every failure: which one it was is of use only to those who guess (RFC 8017 section 7.1.2) */
function decryptedText(closed: Element, key: string): string | null {
  const options = { key, disallowDecryptionWithInsecureAlgorithm: false, warnInsecureAlgorithm: false };
  let decrypted: string | null = null;
  // It calls back before it returns.
  decrypt(String(closed), options, (error, text) => {
    decrypted = error ? null : withLineEnds(text);
  });
  return decrypted;
}

/** @returns null where another key may be the reason: without authentication, nonsense is a failure of decryption too */
function insideOf(decrypted: string, algorithms: readonly string[]): Element | null {
  try {
    const inside = parseXml(decrypted, 'the encrypted assertion');
    if (isElement(inside, ASSERTION, 'Assertion')) return inside;
    throw new SignInRefused({
      ours: `The encrypted assertion is ${listed([inside.localName])} instead of an Assertion: see the log of the provider.`,
    });
  } catch (error) {
    if (algorithms.some((one) => AUTHENTICATED.includes(one))) throw error;
    return null;
  }
}

const ALGORITHMS =
  'AES-256 in GCM mode and RSA-OAEP with SHA-256 (xmlenc11#rsa-oaep, MGF1 with SHA-256), by the switch of the provider (Keycloak: client, "Keys", "Encryption keys config"; Okta: "Encryption Algorithm", "Key Transport Algorithm"), or turn encryption off (Keycloak: client, "Encrypt assertions"; Entra: "Token encryption"; Okta: "Assertion Encryption").';

/** One sentence for every failure of decryption. */
function notOpened(algorithms: readonly string[]): Finding {
  return problem(
    'assertion_not_opened',
    `The assertion is encrypted with ${listed(algorithms)}, and our key cannot decrypt it.`,
    `Register our metadata again: the provider may have the certificate of another service or of an earlier key. Have it encrypt with ${ALGORITHMS}`,
  );
}

function notSupported(objection: string): Finding {
  return problem(
    'assertion_encryption_unsupported',
    `${objection} Our key was not tried.`,
    `Have the provider encrypt with ${ALGORITHMS}`,
  );
}

function rsa15(): Finding {
  return warning(
    'assertion_encryption_rsa15',
    'The key of the assertion is encrypted with RSA PKCS #1 v1.5 (rsa-1_5), which is open to attack: many services refuse it.',
    `Have the provider encrypt with ${ALGORITHMS}`,
  );
}
