/** Signs an element of a message, as providers do (SAML Core 5.4). */
import { constants, createSign } from 'node:crypto';
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto';

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

/** How it is signed; left out, as most providers do. */
export interface SigningMethod {
  canonicalization?: string;
  /** By another algorithm than RSA-SHA256. */
  algorithm?: { uri: string; hash: string; isPss: boolean };
}

/**
 * @param element the XPath of the element
 * @param before the XPath of what the signature stands behind
 */
export function signXml(
  xml: string,
  element: string,
  before: string,
  key: SigningKey,
  { canonicalization = EXCLUSIVE, algorithm }: SigningMethod = {},
): string {
  const signatureAlgorithm = algorithm?.uri ?? RSA_SHA256;
  const algorithms = { canonicalizationAlgorithm: canonicalization, signatureAlgorithm } as const;
  const signed = new SignedXml({ ...key, ...algorithms });
  if (algorithm) signed.SignatureAlgorithms[algorithm.uri] = signer(algorithm, key);
  const transforms = [ENVELOPED, canonicalization];
  signed.addReference({ xpath: element, transforms, digestAlgorithm: SHA256 });
  signed.computeSignature(xml, { location: { reference: before, action: 'after' } });
  return signed.getSignedXml();
}

/** As RFC 9231 has them: the salt is as long as the hash. */
function signer(
  { uri, hash, isPss }: NonNullable<SigningMethod['algorithm']>,
  { privateKey: key }: SigningKey,
): new () => SignatureAlgorithm {
  const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const how = { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return class implements SignatureAlgorithm {
    getSignature(signedInfo: string): string {
      return createSign(hash).update(signedInfo).sign(how, 'base64');
    }
    verifySignature(): never {
      throw new Error('it signs only');
    }
    getAlgorithmName(): string {
      return uri;
    }
  };
}
