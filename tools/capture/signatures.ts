/** The signatures of a response: what they cover, and whether they are of the provider. */
import { constants, createPublicKey, createVerify, type KeyLike } from 'node:crypto';
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import type { Finding } from '../shared/finding.ts';
import { error, found, listed, note, warning } from './findings.ts';
import { pemOf } from './metadata.ts';
import { ASSERTION, attributeOf, elementsBelow, elementsIn, PROTOCOL, SIGNATURE } from './xml.ts';

/** Providers use these, and xml-crypto does not have them (RFC 9231 sections 2.3.3 and 2.3.10). */
const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = constants;
const ADDED = [
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', 'sha384', RSA_PKCS1_PADDING],
  ['http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1', 'sha384', RSA_PKCS1_PSS_PADDING],
  ['http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1', 'sha512', RSA_PKCS1_PSS_PADDING],
] as const;

function algorithm(uri: string, hash: string, padding: number): new () => SignatureAlgorithm {
  return class implements SignatureAlgorithm {
    getSignature(): never {
      throw new Error(`${uri} verifies only`);
    }

    verifySignature(signedInfo: string, key: KeyLike, signature: string): boolean {
      if (typeof key !== 'string') throw new Error('expected a certificate in PEM');
      const ofRsa = { padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
      return createVerify(hash)
        .update(signedInfo)
        .verify({ key, ...ofRsa }, signature, 'base64');
    }

    getAlgorithmName(): string {
      return uri;
    }
  };
}

/** What signatures are verified with, by their URIs. */
const ALGORITHMS = {
  ...new SignedXml().SignatureAlgorithms,
  ...Object.fromEntries(ADDED.map(([uri, hash, padding]) => [uri, algorithm(uri, hash, padding)])),
};

/** A check of a large response takes up to a second. */
const MAX_CERTIFICATES = 5;
/** Enveloped signature and canonicalization (SAML Core 5.4.4). */
const MAX_TRANSFORMS = 2;

/**
 * The XML that the signature of an element covers. It has to cover this element whole, in one reference, and as SAML has it
 * (Core 5.4); whatever else is in the message does not count.
 *
 * @param xml that the element was parsed from, with line ends as XML has them
 * @param keys certificates or public keys, in PEM
 * @returns null where no signature by one of these keys covers it
 */
export function verify(xml: string, element: Element, keys: readonly string[]): string | null {
  const [signature, ...others] = signaturesOf(element);
  if (signature === undefined || others.length > 0) return null;
  if (elementsBelow(signature, SIGNATURE, 'Transform').length > MAX_TRANSFORMS) return null;
  if (!coversParent(signature, idsIn(element.ownerDocument.documentElement))) return null;
  for (const key of likely(element, keys)) {
    const covered = coveredXml(xml, signature, key);
    if (covered !== null) return covered;
  }
  return null;
}

/** Of what xml-crypto parses itself and finds signed. */
function coveredXml(xml: string, signature: Element, publicCert: string): string | null {
  const signed = new SignedXml({ publicCert });
  signed.SignatureAlgorithms = ALGORITHMS;
  try {
    signed.loadSignature(signature);
    if (!signed.checkSignature(xml)) return null;
  } catch {
    // It throws for a signature by another key, and for what it does not support.
    return null;
  }
  const [covered, ...others] = signed.getSignedReferences();
  return covered === undefined || others.length > 0 ? null : covered;
}

function signaturesOf(element: Element): Element[] {
  return elementsIn(element, SIGNATURE, 'Signature');
}

function idsIn(root: Element): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const element of [root, ...elementsBelow(root, '*', '*')]) {
    const id = attributeOf(element, 'ID');
    if (id !== null) ids.set(id, (ids.get(id) ?? 0) + 1);
  }
  return ids;
}

/**
 * Whether it covers its own parent (SAML Core 5.4.2) in one reference, under an ID that is there once.
 *
 * @param ids of the whole document
 */
function coversParent(signature: Element, ids: ReadonlyMap<string, number>): boolean {
  const id = attributeOf(signature.parentNode as Element, 'ID');
  const [reference, ...others] = elementsIn(signature, SIGNATURE, 'SignedInfo').flatMap((info) =>
    elementsIn(info, SIGNATURE, 'Reference'),
  );
  if (id === null || ids.get(id) !== 1 || others.length > 0) return false;
  return attributeOf(reference, 'URI') === `#${id}`;
}

/** Those with the key that the signature names, where it names one: a certificate is renewed with the key that it had. */
function likely(element: Element, keys: readonly string[]): readonly string[] {
  const named = namedCertificates(element).flatMap(keyOf);
  const fitting = keys.filter((pem) => keyOf(pem).some((key) => named.includes(key)));
  return named.length > 0 ? fitting.slice(0, 1) : keys.slice(0, MAX_CERTIFICATES);
}

/** None for a key of a kind that is not known. */
function keyOf(pem: string): string[] {
  try {
    return [createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()];
  } catch {
    return [];
  }
}

function namedCertificates(element: Element): string[] {
  return signaturesOf(element)
    .flatMap((signature) => elementsBelow(signature, SIGNATURE, 'X509Certificate'))
    .slice(0, MAX_CERTIFICATES)
    .flatMap((certificate) => pemOf(certificate.textContent ?? ''));
}

/** A response or an assertion, and the XML that it is of. */
export interface Signed {
  /** With line ends as XML has them. */
  xml: string;
  root: Element;
  /** The one that is read; undefined where there is none that can be read. */
  assertion: Element | undefined;
  /** The XML of an assertion that was encrypted; null for one that was not. */
  decrypted: string | null;
}

export type Keys =
  /** Certificates or public keys of the provider, in PEM. */
  | readonly string[]
  /** Why they are not at hand. */
  | Finding;

/** @returns the first XML that a signature of the provider covers, with the assertion in it; null where there is none */
export function checkSignatures(
  { xml, root, assertion, decrypted }: Signed,
  keys: Keys,
): { covered: string | null; findings: Finding[] } {
  const read = [...new Set([root, ...(assertion ? [assertion] : [])])];
  const own = read.filter((element) => signaturesOf(element).length > 0);
  const roots = new Set(read.map((element) => element.ownerDocument.documentElement));
  const findings = found([
    [...roots].some((one) => isWrapped(one, read)) && WRAPPED,
    [...roots].some(usesSha1) && SHA1,
  ]);
  if (own.length === 0) {
    // The signature may be inside what is encrypted.
    return { covered: null, findings: assertion ? [...findings, UNSIGNED] : findings };
  }
  if ('code' in keys) return { covered: null, findings: [...findings, coverage(own, assertion), keys] };
  const checked = own.map((element) => {
    const covered = verify(element === root ? xml : (decrypted ?? xml), element, keys);
    return { covered, problem: covered === null ? wrongSignature(element, keys) : null };
  });
  const wrong = found(checked.map(({ problem }) => problem));
  const covered = checked.find((one) => one.covered !== null)?.covered ?? null;
  return { covered, findings: [...findings, ...(wrong.length > 0 ? wrong : [coverage(own, assertion)])] };
}

/** Signature wrapping: a signed element stays somewhere in the response, and another one is read. */
function isWrapped(root: Element, read: readonly Element[]): boolean {
  const ids = idsIn(root);
  const signatures = elementsBelow(root, SIGNATURE, 'Signature').filter(isOfSaml);
  return !signatures.every(
    (signature) => read.includes(signature.parentNode as Element) && coversParent(signature, ids),
  );
}

/** Others, such as those of a key inside encrypted data, cover no message. */
function isOfSaml({ parentNode }: Element): boolean {
  const parent = parentNode as Element;
  return [PROTOCOL, ASSERTION].includes(parent.namespaceURI ?? '') || parent.localName === 'Object';
}

/** Whether a signature below this element is by SHA-1 or MD5. */
export function usesSha1(root: Element): boolean {
  const infos = elementsBelow(root, SIGNATURE, 'SignedInfo');
  return algorithmsIn(infos, 'SignatureMethod', 'DigestMethod').some((uri) => /sha1$|md5$/i.test(uri));
}

function algorithmsIn(elements: readonly Element[], ...names: string[]): string[] {
  return elements
    .flatMap((element) => names.flatMap((name) => elementsBelow(element, SIGNATURE, name)))
    .map((method) => attributeOf(method, 'Algorithm') ?? '');
}

const SIGN_WITH_SHA256 =
  'Have the provider sign with RSA-SHA256 (Keycloak: client, "Signature algorithm"; Entra: "Signing Algorithm"; AD FS: SignatureAlgorithm of the relying party trust).';

const WRAPPED = error(
  'saml_signature_wrapped',
  'A signature covers another element than the one that is read. This looks like an attack (signature wrapping).',
  'Do not accept this response. If it came from your provider, report it to the people who run it.',
);
const SHA1 = warning(
  'saml_signature_sha1',
  'The signature uses SHA-1, which is broken: many services refuse it.',
  SIGN_WITH_SHA256,
);
const UNSIGNED = error(
  'unsigned',
  'Neither the response nor the assertion is signed.',
  'Turn signing on at the provider (Keycloak: client, "Sign assertions"; Entra: "Signing Option"; Okta: "Assertion Signature"; AD FS: SamlResponseSignature).',
);
function coverage(own: readonly Element[], assertion: Element | undefined): Finding {
  const names = own.map(({ localName }) => localName.toLowerCase());
  const isBeside = assertion !== undefined && !own.includes(assertion);
  const change = 'If the service refuses it, sign the assertion too (Keycloak: client, "Sign assertions").';
  const verb = names.length > 1 ? 'are' : 'is';
  return note('signed', `The ${names.join(' and the ')} ${verb} signed.`, isBeside ? change : null);
}

function wrongSignature(element: Element, certificates: readonly string[]): Finding {
  const name = element.localName === 'Response' ? 'response' : 'assertion';
  const signatures = signaturesOf(element);
  const unsupported = algorithmsIn(signatures, 'SignatureMethod').filter(
    (uri) => !Object.hasOwn(ALGORITHMS, uri),
  );
  if (unsupported.length > 0) {
    return error(
      'saml_signature_unsupported',
      `The ${name} is signed with ${listed(unsupported)}, which is not supported here: its signature is not checked.`,
      SIGN_WITH_SHA256,
    );
  }
  const wrong = (message: string, change: string) => error('saml_signature_wrong', message, change);
  if (likely(element, certificates).length === 0) {
    return wrong(
      `The ${name} is signed with a certificate that is not in the metadata.`,
      'Fetch the metadata of the provider again, and give it to the service: there may be a new certificate.',
    );
  }
  return wrong(
    `The signature of the ${name} does not match: its content was changed after it was signed, or the copy is not exact.`,
    'Copy the response again exactly as it was sent, and not from a viewer that formats it.',
  );
}
