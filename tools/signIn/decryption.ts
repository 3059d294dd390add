/** Encrypted assertions, and what their encryption is to be said of. */
import { decrypt } from 'xml-encryption';
import { error, listed, note, warning } from '../capture/findings.ts';
import { messageIn, partsOf, type SamlMessage } from '../capture/samlMessage.ts';
import {
  ASSERTION,
  attributeOf,
  elementsBelow,
  elementsIn,
  isElement,
  parseXml,
  SIGNATURE,
  withLineEnds,
} from '../capture/xml.ts';
import type { Finding } from '../shared/finding.ts';
import { SignInRefused } from './refusals.ts';

const OPENED = note(
  'assertion_opened',
  'The assertion was encrypted for us and decrypted with our key. The service has a key of its own.',
);

/**
 * @param privateKey of ours, in PEM
 * @returns the message with its first assertion, decrypted where it was encrypted. Nothing of it is checked
 * @throws {UnusableInput} for what is no message, or is larger than a real one
 */
export function openedMessage(xml: string, privateKey: string): SamlMessage {
  const message = messageIn(xml);
  const [closed] = partsOf(message.root, 'EncryptedAssertion');
  if (closed === undefined || message.assertion) return { ...message, findings: [] };
  const uris = algorithmsOf(closed);
  const unsupported = uris.filter((uri) => !isSupported(uri, uris));
  if (unsupported.length > 0) {
    const sentence = `The assertion is encrypted with ${listed(unsupported)}, which is not supported here. Our key was not tried.`;
    const finding = error('assertion_encryption_unsupported', sentence, ENCRYPT_WITH);
    return { ...message, findings: [finding] };
  }
  const decrypted = decryptedText(closed, privateKey);
  const assertion = decrypted === null ? null : insideOf(decrypted, uris);
  if (assertion === null) return { ...message, findings: [notOpened(uris)] };
  const findings = uris.includes(RSA_1_5) ? [USES_RSA_1_5, OPENED] : [OPENED];
  return { ...message, assertion, decrypted, findings };
}

export const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
export const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';

const RSA_1_5 = `${XMLENC}rsa-1_5`;
export const OAEP_MGF1P = `${XMLENC}rsa-oaep-mgf1p`;
export const OAEP = `${XMLENC11}rsa-oaep`;

/** With these, what is inside is as it was encrypted. */
const AUTHENTICATED = [`${XMLENC11}aes128-gcm`, `${XMLENC11}aes256-gcm`];
/** An example of the standard writes the last one. */
const MGFS = [
  ...['sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map((hash) => `${XMLENC11}mgf1${hash}`),
  `${XMLENC}MGF1withSHA1`,
];
const SUPPORTED = [
  ...[...AUTHENTICATED, `${XMLENC}aes128-cbc`, `${XMLENC}aes256-cbc`],
  ...[RSA_1_5, OAEP_MGF1P, OAEP, `${SIGNATURE}sha1`, ...MGFS],
  // Some providers write `xmldsig#sha256`, which no standard has.
  ...[SIGNATURE, XMLENC].flatMap((namespace) => [`${namespace}sha256`, `${namespace}sha512`]),
];

/**
 * The URIs of its algorithms (XML Encryption 1.1 section 5), read before our key is tried: xml-encryption takes SHA-1 for a
 * digest that it does not know, and the key would be blamed. A digest or an MGF that is left out is SHA-1.
 */
function algorithmsOf(closed: Element): string[] {
  const named = elementsBelow(closed, XMLENC, 'EncryptionMethod').flatMap((method) => [
    method,
    ...elementsIn(method, SIGNATURE, 'DigestMethod'),
    ...elementsIn(method, XMLENC11, 'MGF'),
  ]);
  return named.map((one) => attributeOf(one, 'Algorithm') ?? '');
}

/** @param all of the message: with `rsa-oaep-mgf1p`, there is no MGF to choose */
function isSupported(uri: string, all: readonly string[]): boolean {
  return SUPPORTED.includes(uri) && !(MGFS.includes(uri) && all.includes(OAEP_MGF1P));
}

/** @returns null for every failure: which one it was is of use only to those who guess (RFC 8017 section 7.1.2) */
function decryptedText(closed: Element, key: string): string | null {
  const options = { key, disallowDecryptionWithInsecureAlgorithm: false, warnInsecureAlgorithm: false };
  let decrypted: string | null = null;
  // It calls back before it returns.
  decrypt(String(closed), options, (failure, text) => {
    decrypted = failure ? null : withLineEnds(text);
  });
  return decrypted;
}

/** @returns null where another key may be the reason: without authentication, nonsense is a failure of decryption too */
function insideOf(decrypted: string, uris: readonly string[]): Element | null {
  try {
    const inside = parseXml(decrypted, 'the encrypted assertion');
    if (isElement(inside, ASSERTION, 'Assertion')) return inside;
    throw new SignInRefused(
      `The encrypted assertion is ${listed([inside.localName])} instead of an Assertion: see the log of the provider.`,
    );
  } catch (failure) {
    if (uris.some((uri) => AUTHENTICATED.includes(uri))) throw failure;
    return null;
  }
}

const ENCRYPT_WITH =
  'Have the provider encrypt with AES-256 in GCM mode and RSA-OAEP with SHA-256 (xmlenc11#rsa-oaep, MGF1 with SHA-256), by the switch of the provider (Keycloak: client, "Keys", "Encryption keys config"; Okta: "Encryption Algorithm", "Key Transport Algorithm"), or turn encryption off (Keycloak: client, "Encrypt assertions"; Entra: "Token encryption"; Okta: "Assertion Encryption").';

/** One sentence for every failure of decryption. */
function notOpened(uris: readonly string[]): Finding {
  return error(
    'assertion_not_opened',
    `The assertion is encrypted with ${listed(uris)}, and our key cannot decrypt it.`,
    `Register our metadata again: the provider may have the certificate of another service or of an earlier key. ${ENCRYPT_WITH}`,
  );
}

const USES_RSA_1_5 = warning(
  'assertion_encryption_rsa15',
  'The key of the assertion is encrypted with RSA PKCS #1 v1.5 (rsa-1_5), which is open to attack: many services refuse it.',
  ENCRYPT_WITH,
);
