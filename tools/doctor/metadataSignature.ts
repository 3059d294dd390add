/**
 * The signature of metadata (SAML Metadata 3, XML Signature 1.1): it stands in the root and covers all of it. It counts by a key that
 * the operator pins; the key that it names itself proves nothing.
 */
import { createHash, createPublicKey, type Hash, type KeyObject, verify } from 'node:crypto';
import { attributeOf, elementsBelow, elementsIn, parseXml, SIGNATURE } from '../capture/xml.ts';
import { CanonicalWriter, EXCLUSIVE, type XmlWriter } from './canonicalXml.ts';

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#';
/** That a signature names; each is looked for in each element. Real ones name a few. */
const MAX_PREFIXES = 40;
const ENVELOPED = `${SIGNATURE}enveloped-signature`;

/** RFC 9231 sections 2.3.2 to 2.3.6. SHA-1 is broken. */
const METHODS: ReadonlyMap<string, string> = new Map(
  ['256', '384', '512'].flatMap((bits) => [
    [`${MORE}rsa-sha${bits}`, `sha${bits}`],
    [`${MORE}ecdsa-sha${bits}`, `sha${bits}`],
  ]),
);
const DIGESTS: ReadonlyMap<string, string> = new Map([
  [`${ENCRYPTION}sha256`, 'sha256'],
  [`${MORE}sha384`, 'sha384'],
  [`${ENCRYPTION}sha512`, 'sha512'],
]);

/** What of a signature is used; all of it is read from what it signs, but the value. */
interface Form {
  hash: string;
  digest: string;
  digestValue: string;
  inclusive: string[];
}

export class EnvelopedSignature {
  /** Takes the root without the signature. */
  readonly content: XmlWriter;
  readonly #signedInfo: string;
  readonly #value: string;
  readonly #form: Form | null;
  readonly #hash: Hash;

  /**
   * @param xml the `Signature` and, apart from it, its `SignedInfo`, in canonical form
   * @param id of the root
   */
  constructor(xml: string, signedInfo: string, id: string | null) {
    const [value] = elementsIn(parseXml(xml, 'the signature'), SIGNATURE, 'SignatureValue');
    this.#value = textOf(value);
    this.#signedInfo = signedInfo;
    this.#form = signedInfo === '' ? null : formOf(parseXml(signedInfo, 'the signature'), id);
    const hash = createHash(this.#form?.digest ?? 'sha256');
    this.#hash = hash;
    this.content = new CanonicalWriter((text) => void hash.update(text), this.#form?.inclusive);
  }

  /**
   * Called once, behind the end of the root.
   *
   * @returns why it does not count; null where one of the keys made it
   */
  problem(keys: readonly KeyObject[]): string | null {
    const form = this.#form;
    if (form === null) return 'is of a form or an algorithm that is not accepted here';
    if (this.#hash.digest('base64') !== form.digestValue) return 'does not cover what the metadata says';
    const signed = Buffer.from(this.#signedInfo);
    const value = Buffer.from(this.#value, 'base64');
    const isMadeBy = (key: KeyObject) => verify(form.hash, signed, { key, dsaEncoding: 'ieee-p1363' }, value);
    return keys.some(isMadeBy) ? null : 'is of another key than the one that is given';
  }
}

/** Null for anything but one reference to the root, by exclusive canonicalization without its signature. */
function formOf(signedInfo: Element, id: string | null): Form | null {
  const one = (name: string) => elementsIn(signedInfo, SIGNATURE, name)[0];
  const [reference, ...others] = elementsIn(signedInfo, SIGNATURE, 'Reference');
  const canonicalization = one('CanonicalizationMethod');
  if (reference === undefined || others.length > 0 || canonicalization === undefined) return null;
  const inside = (name: string) => elementsBelow(reference, SIGNATURE, name);
  const transforms = inside('Transform').map((transform) => attributeOf(transform, 'Algorithm'));
  const [digestMethod] = inside('DigestMethod');
  const hash = METHODS.get(attributeOf(one('SignatureMethod'), 'Algorithm') ?? '');
  const digest = DIGESTS.get(attributeOf(digestMethod, 'Algorithm') ?? '');
  const isOfRoot = ['', `#${id}`].includes(reference.getAttribute('URI') ?? 'none');
  const isExclusive =
    attributeOf(canonicalization, 'Algorithm') === EXCLUSIVE && elementsIn(canonicalization).length === 0;
  if (!hash || !digest || !isOfRoot || !isExclusive) return null;
  if (transforms.length !== 2 || transforms[0] !== ENVELOPED || transforms[1] !== EXCLUSIVE) return null;
  const [prefixes] = elementsBelow(reference, EXCLUSIVE, 'InclusiveNamespaces');
  const inclusive = (attributeOf(prefixes, 'PrefixList') ?? '')
    .split(/\s+/)
    .filter((prefix) => prefix !== '');
  if (inclusive.length > MAX_PREFIXES) return null;
  return {
    hash,
    digest,
    digestValue: textOf(inside('DigestValue')[0]),
    inclusive: inclusive.map((prefix) => (prefix === '#default' ? '' : prefix)),
  };
}

/** Base64 may be in lines. */
function textOf(element: Element | undefined): string {
  return (element?.textContent ?? '').replaceAll(/\s+/g, '');
}

/**
 * @param pem a certificate or a public key
 * @returns null for anything else
 */
export function pinnedKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return ['rsa', 'ec'].includes(key.asymmetricKeyType ?? '') ? key : null;
  } catch {
    return null;
  }
}
