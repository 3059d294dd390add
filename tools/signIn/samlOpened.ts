/** A response as a provider posts it: decoded, measured, and opened where its assertion is encrypted. */
import { promisify } from 'node:util';
import { XMLSerializer } from '@xmldom/xmldom';
import { decrypt } from 'xml-encryption';
import type { Finding } from '../capture/findings.ts';
import { listed, problem } from '../capture/findings.ts';
import {
  ASSERTION,
  attributeOf,
  elementsBelow,
  elementsIn,
  isElement,
  PROTOCOL,
  parseXml,
} from '../capture/xml.ts';
import { SignInRefused } from './refused.ts';

export interface Opened {
  xml: string;
  response: Element;
  /** The only assertion, opened where it was encrypted; null where there is none that can be read. Nothing of it is checked. */
  assertion: Element | null;
  /** The XML of an assertion that was encrypted; null for one that was not, or that cannot be opened. */
  decrypted: string | null;
  /** Why the assertion cannot be opened. */
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
  const [closed] = elementsIn(response, ASSERTION, 'EncryptedAssertion');
  const opened = { xml, response, assertion, decrypted: null, findings: [] };
  if (closed === undefined || assertion) return opened;
  // The reason is of use to those alone who guess at keys.
  const xmlOfClosed = new XMLSerializer().serializeToString(closed);
  const decrypted = await promisify(decrypt)(xmlOfClosed, { key: privateKey }).catch(() => null);
  if (decrypted === null) return { ...opened, findings: [notOpened(closed)] };
  const inside = parseXml(decrypted, 'the encrypted assertion');
  if (isElement(inside, ASSERTION, 'Assertion')) return { ...opened, decrypted, assertion: inside };
  throw new SignInRefused({
    ours: `The encrypted assertion is ${listed([inside.localName])} instead of an Assertion: see the log of the provider.`,
  });
}

/** An error of decryption says only that the key or the algorithm is another one. */
function notOpened(closed: Element): Finding {
  const methods = elementsBelow(closed, '*', 'EncryptionMethod').map(
    (one) => attributeOf(one, 'Algorithm') ?? '',
  );
  return problem(
    'assertion_not_opened',
    `The assertion is encrypted with ${listed(methods)}, and our key cannot decrypt it.`,
    'Register our metadata again: the provider may have the certificate of another service or of an earlier key. Have it encrypt with AES in GCM mode and RSA-OAEP with MGF1 and SHA-1 (rsa-oaep-mgf1p), or turn encryption off (Keycloak: client, "Encrypt assertions"; Entra: "Token encryption"; Okta: "Assertion Encryption").',
  );
}
