/** A response as a provider posts it: decoded, measured, and opened where its assertion is encrypted. */
import type { Finding } from '../capture/findings.ts';
import { listed, problem, warning } from '../capture/findings.ts';
import { ASSERTION, elementsIn, isElement, PROTOCOL, parseXml } from '../capture/xml.ts';
import { SignInRefused } from './refused.ts';
import { decryptAssertion, type Encryption, encryptionOf } from './samlDecryption.ts';

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
 * @param samlResponse in base64 (SAML Bindings 3.5.4)
 * @param privateKey in PEM
 * @throws {UnusableInput} for what is no response, or is larger than a real one
 */
export async function openedResponse(samlResponse: string, privateKey: string): Promise<Opened> {
  // As node-saml decodes it: it has to read what is measured here.
  const xml = Buffer.from(samlResponse, 'base64').toString('utf8');
  const response = parseXml(xml, 'the SAMLResponse');
  if (!isElement(response, PROTOCOL, 'Response')) {
    throw new SignInRefused({
      ours: `The callback has ${listed([response.localName])} instead of a Response: have the provider send only its responses here.`,
    });
  }
  const [assertion = null] = elementsIn(response, ASSERTION, 'Assertion');
  const opened = { xml, response, assertion, decrypted: null, findings: [] };
  const [closed, ...others] = elementsIn(response, ASSERTION, 'EncryptedAssertion');
  if (closed === undefined || assertion || others.length > 0) return opened;
  return { ...opened, ...openedAssertion(closed, privateKey) };
}

function openedAssertion(closed: Element, privateKey: string): Pick<Opened, 'findings'> & Partial<Opened> {
  const encryption = encryptionOf(closed);
  if (encryption.unsupported.length > 0) return { findings: [notSupported(encryption)] };
  const decrypted = decryptAssertion(closed, privateKey);
  const inside = decrypted === null ? null : insideOf(decrypted, encryption);
  if (inside === null) return { findings: [notOpened(encryption)] };
  return { decrypted, assertion: inside, findings: encryption.isRsa15 ? [rsa15()] : [] };
}

/** @returns null where another key may be the reason: without authentication, nonsense is a failure of decryption too */
function insideOf(decrypted: string, { isAuthenticated }: Encryption): Element | null {
  try {
    const inside = parseXml(decrypted, 'the encrypted assertion');
    if (isElement(inside, ASSERTION, 'Assertion')) return inside;
    throw new SignInRefused({
      ours: `The encrypted assertion is ${listed([inside.localName])} instead of an Assertion: see the log of the provider.`,
    });
  } catch (error) {
    if (isAuthenticated) throw error;
    return null;
  }
}

const ALGORITHMS =
  'AES in GCM mode and RSA-OAEP with SHA-256 (xmlenc11#rsa-oaep, MGF1 with SHA-256), or turn encryption off (Keycloak: client, "Encrypt assertions"; Entra: "Token encryption"; Okta: "Assertion Encryption").';

/** One sentence for every failure of decryption. */
function notOpened({ algorithms }: Encryption): Finding {
  return problem(
    'assertion_not_opened',
    `The assertion is encrypted with ${listed(algorithms)}, and our key cannot decrypt it.`,
    `Register our metadata again: the provider may have the certificate of another service or of an earlier key. Have it encrypt with ${ALGORITHMS}`,
  );
}

function notSupported({ unsupported }: Encryption): Finding {
  const named = unsupported.filter((one) => one !== '');
  return problem(
    'assertion_encryption_unsupported',
    named.length > 0
      ? `The assertion is encrypted with ${listed(named)}, which is not supported here. Our key was not tried.`
      : 'The encrypted assertion does not name its algorithms (EncryptionMethod). Our key was not tried.',
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
