/** Signs an element of a message, as providers do (SAML Core 5.4). */
import { SignedXml } from 'xml-crypto';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

export interface SigningKey {
  /** In PEM. */
  privateKey: string;
  /** In PEM; named in the signature where it is given. */
  publicCert?: string;
}

/**
 * @param element the XPath of the element
 * @param before the XPath of what the signature stands behind; the element itself, where the signature stands first in it
 */
export function signXml(xml: string, element: string, before: string, key: SigningKey): string {
  const algorithms = { canonicalizationAlgorithm: EXCLUSIVE, signatureAlgorithm: RSA_SHA256 } as const;
  const signed = new SignedXml({ ...key, ...algorithms });
  signed.addReference({ xpath: element, transforms: [ENVELOPED, EXCLUSIVE], digestAlgorithm: SHA256 });
  const action = before === element ? 'prepend' : 'after';
  signed.computeSignature(xml, { location: { reference: before, action } });
  return signed.getSignedXml();
}
