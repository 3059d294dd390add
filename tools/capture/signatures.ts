/** The signatures of a response: what they cover, and whether they are of the provider. */
import { createPublicKey } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import type { Finding } from './findings.ts';
import { listed, note, problem, warning } from './findings.ts';
import { pemOf } from './metadata.ts';
import { SIGNATURE_ALGORITHMS } from './signatureAlgorithms.ts';
import { ASSERTION, attributeOf, elementsBelow, elementsIn, isElement, PROTOCOL, SIGNATURE } from './xml.ts';

export interface Signatures {
  /** The XML that a signature of the provider covers, with the assertion in it; null where there is none. */
  verifiedXml: string | null;
  findings: Finding[];
}

export interface Signed {
  xml: string;
  /** The response, or an assertion that stands alone. */
  root: Element;
  /** The one that is read; undefined where there is none. */
  assertion: Element | undefined;
}

/** @param certificates of the provider, in PEM; null where its metadata is not at hand */
export function checkSignatures(signed: Signed, certificates: readonly string[] | null): Signatures {
  const { root, assertion } = signed;
  const elements = [...new Set([root, ...(assertion ? [assertion] : [])])];
  const own = elements.filter((element) => signaturesOf(element).length > 0);
  const findings = [...wrapping(root, elements), ...oldAlgorithms(root)];
  if (own.length === 0) return { verifiedXml: null, findings: [...findings, unsigned()] };
  if (certificates === null) {
    return { verifiedXml: null, findings: [...findings, coverage(own, signed), notChecked()] };
  }
  const checked = own.map((element) => ({
    element,
    covered: verify(signed.xml, element, certificates),
  }));
  const wrong = checked.filter(({ covered }) => covered === null).map(({ element }) => element);
  return {
    verifiedXml: checked.find(({ covered }) => covered !== null)?.covered ?? null,
    findings: [
      ...findings,
      ...(wrong.length === 0 ? [coverage(own, signed)] : []),
      ...wrong.map((element) => wrongSignature(element, certificates)),
    ],
  };
}

function signaturesOf(element: Element): Element[] {
  return elementsIn(element, SIGNATURE, 'Signature');
}

/** A check of a large response takes up to a second. */
const MAX_CERTIFICATES = 5;

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

/** The certificates that a signature says it is of. */
function namedCertificates(element: Element): string[] {
  return signaturesOf(element)
    .flatMap((signature) => elementsBelow(signature, SIGNATURE, 'X509Certificate'))
    .slice(0, MAX_CERTIFICATES)
    .flatMap((certificate) => pemOf(certificate.textContent ?? ''));
}

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
  signed.SignatureAlgorithms = SIGNATURE_ALGORITHMS;
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

/**
 * Signature wrapping: a signed element stays somewhere in the response, and another one is read. A signature must cover its own
 * parent (SAML Core 5.4.2), under an ID that is there once.
 */
function wrapping(root: Element, read: readonly Element[]): Finding[] {
  const ids = idsIn(root);
  const isRight = (signature: Element) =>
    read.includes(signature.parentNode as Element) && coversParent(signature, ids);
  const signatures = elementsBelow(root, SIGNATURE, 'Signature').filter(isOfSaml);
  if (signatures.every(isRight)) return [];
  return [
    problem(
      'saml_signature_wrapped',
      'A signature covers another element than the one that is read. This looks like an attack (signature wrapping).',
      'Do not accept this response. If it came from your provider, report it to the people who run it.',
    ),
  ];
}

/** How often each ID is there. */
function idsIn(root: Element): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const element of [root, ...elementsBelow(root, '*', '*')]) {
    const id = attributeOf(element, 'ID');
    if (id !== null) ids.set(id, (ids.get(id) ?? 0) + 1);
  }
  return ids;
}

/** @param ids of the whole document */
function coversParent(signature: Element, ids: ReadonlyMap<string, number>): boolean {
  const id = attributeOf(signature.parentNode as Element, 'ID');
  const [reference, ...others] = referencesOf(signature);
  if (id === null || ids.get(id) !== 1 || others.length > 0) return false;
  return attributeOf(reference, 'URI') === `#${id}`;
}

/** Others, such as those of a key inside encrypted data, cover no message. */
function isOfSaml({ parentNode }: Element): boolean {
  const parent = parentNode as Element;
  return [PROTOCOL, ASSERTION].includes(parent.namespaceURI ?? '') || parent.localName === 'Object';
}

function referencesOf(signature: Element): Element[] {
  return elementsIn(signature, SIGNATURE, 'SignedInfo').flatMap((info) =>
    elementsIn(info, SIGNATURE, 'Reference'),
  );
}

/** Whether a signature below this element is by SHA-1 or MD5. */
export function usesSha1(root: Element): boolean {
  const infos = elementsBelow(root, SIGNATURE, 'SignedInfo');
  const methods = infos.flatMap((info) =>
    ['SignatureMethod', 'DigestMethod'].flatMap((name) => elementsBelow(info, SIGNATURE, name)),
  );
  return methods.some((method) => /sha1$|md5$/i.test(attributeOf(method, 'Algorithm') ?? ''));
}

function oldAlgorithms(root: Element): Finding[] {
  if (!usesSha1(root)) return [];
  return [
    warning(
      'saml_signature_sha1',
      'The signature uses SHA-1, which is broken: many services refuse it.',
      'Have the provider sign with RSA-SHA256 (Keycloak: client, "Signature algorithm"; Entra: "Signing Algorithm"; AD FS: SignatureAlgorithm of the relying party trust).',
    ),
  ];
}

function unsigned(): Finding {
  return problem(
    'unsigned',
    'Neither the response nor the assertion is signed.',
    'Turn signing on at the provider (Keycloak: client, "Sign assertions"; Entra: "Signing Option"; Okta: "Assertion Signature"; AD FS: SamlResponseSignature).',
  );
}

function coverage(own: readonly Element[], { root, assertion }: Signed): Finding {
  if (own.length === 2) return note('signed', 'The response and the assertion are signed.');
  if (own[0] === assertion) return note('signed', 'The assertion is signed.');
  const isOpen = isElement(root, PROTOCOL, 'Response') && assertion !== undefined;
  if (!isOpen) return note('signed', 'The response is signed.');
  return note(
    'signed',
    'The response is signed, but the assertion in it is not: some services require both.',
    'If the service refuses it, sign the assertion too (Keycloak: client, "Sign assertions").',
  );
}

function notChecked(): Finding {
  return note(
    'signature_not_checked',
    'The signature is not checked, because there is no metadata of the provider.',
    'Give the metadata of the provider too.',
  );
}

function algorithmsOf(element: Element, ...names: string[]): string[] {
  return signaturesOf(element)
    .flatMap((signature) => names.flatMap((name) => elementsBelow(signature, SIGNATURE, name)))
    .map((method) => attributeOf(method, 'Algorithm') ?? '');
}

/** Canonical XML 1.0 and 1.1. */
const INCLUSIVE = /\/REC-xml-c14n-20010315|\/xml-c14n11/;

function wrongSignature(element: Element, certificates: readonly string[]): Finding {
  const name = element.localName === 'Response' ? 'response' : 'assertion';
  const unsupported = algorithmsOf(element, 'SignatureMethod').filter(
    (method) => !Object.hasOwn(SIGNATURE_ALGORITHMS, method),
  );
  if (unsupported.length > 0) {
    return problem(
      'saml_signature_unsupported',
      `The ${name} is signed with ${listed(unsupported)}, which is not supported here: its signature is not checked.`,
      'Have the provider sign with RSA-SHA256 (Keycloak: client, "Signature algorithm"; Entra: "Signing Algorithm"; AD FS: SignatureAlgorithm of the relying party trust).',
    );
  }
  const isOther = namedCertificates(element).length > 0 && likely(element, certificates).length === 0;
  if (isOther) {
    return problem(
      'saml_signature_wrong',
      `The ${name} is signed with a certificate that is not in the metadata.`,
      'Fetch the metadata of the provider again, and give it to the service: there may be a new certificate.',
    );
  }
  if (algorithmsOf(element, 'CanonicalizationMethod', 'Transform').some((one) => INCLUSIVE.test(one))) {
    return problem(
      'saml_signature_wrong',
      `The signature of the ${name} does not match. It uses inclusive canonicalization, which covers the namespaces around the ${name} too: many providers sign before they are there.`,
      'Have the provider use exclusive canonicalization (Keycloak: client, "Canonicalization method": EXCLUSIVE).',
    );
  }
  return problem(
    'saml_signature_wrong',
    `The signature of the ${name} does not match: its content was changed after it was signed, or the copy is not exact.`,
    'Copy the response again exactly as it was sent, and not from a viewer that formats it.',
  );
}
