/** Algorithms of XML signatures that providers use and xml-crypto does not have (RFC 9231 sections 2.3.3 and 2.3.10). */
import { constants, createVerify, type KeyLike } from 'node:crypto';
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto';

const PSS = 'http://www.w3.org/2007/05/xmldsig-more#';

const ADDED = Object.fromEntries([
  added('http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', 'sha384', constants.RSA_PKCS1_PADDING),
  added(`${PSS}sha384-rsa-MGF1`, 'sha384', constants.RSA_PKCS1_PSS_PADDING),
  added(`${PSS}sha512-rsa-MGF1`, 'sha512', constants.RSA_PKCS1_PSS_PADDING),
]);

function added(uri: string, hash: string, padding: number): [uri: string, new () => SignatureAlgorithm] {
  class Algorithm implements SignatureAlgorithm {
    getSignature(): never {
      throw new Error(`${uri} verifies only`);
    }

    verifySignature(signedInfo: string, key: KeyLike, signature: string): boolean {
      const ofRsa = { padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
      const verifier = createVerify(hash).update(signedInfo);
      if (typeof key === 'string' || Buffer.isBuffer(key))
        return verifier.verify({ key, ...ofRsa }, signature, 'base64');
      throw new Error('expected a certificate in PEM');
    }

    getAlgorithmName(): string {
      return uri;
    }
  }
  return [uri, Algorithm];
}

/** What signatures are verified with, by their URIs. */
export const SIGNATURE_ALGORITHMS = { ...new SignedXml().SignatureAlgorithms, ...ADDED };
