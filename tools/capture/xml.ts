/** XML out of a capture. It is measured before it is parsed: parsers and XPath take the square of some sizes. */
import { DOMParser } from '@xmldom/xmldom';
import { UnusableInput } from '../shared/commandLine.ts';

/** In characters. Responses have some 10,000, the metadata of one provider up to 100,000. */
export const MAX_XML_LENGTH = 1_048_576;
/** With comments and the like. XPath takes the square of it: a second for these. A person with 1,000 groups has some 1,050. */
const MAX_ELEMENTS = 4_000;
/** Real ones nest some ten levels. */
const MAX_DEPTH = 40;
/** Of one element, with its namespaces. */
const MAX_ATTRIBUTES = 40;

export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/**
 * @param what for the error, e.g. `the SAMLResponse`
 * @param smaller what to take in the place of XML that is too large
 * @returns the root
 * @throws {UnusableInput} that quotes nothing of it
 */
export function parseXml(xml: string, what: string, smaller = 'take only the message itself'): Element {
  const refusal = sizeProblem(xml, smaller);
  if (refusal !== null) throw new UnusableInput(`${what}: ${refusal}`);
  const refuse = (message: string) => {
    const [, line = '?'] = /@#\[line:(\d+)/.exec(message) ?? [];
    throw new UnusableInput(`${what}: expected XML, found a mistake in line ${line}: copy all of it`);
  };
  const errorHandler = { warning: refuse, error: refuse, fatalError: refuse };
  const document = new DOMParser({ locator: {}, errorHandler }).parseFromString(xml, 'text/xml');
  const [root, ...others] = elementsIn(document);
  if (root === undefined || others.length > 0) throw new UnusableInput(`${what}: expected XML with one root`);
  return root;
}

/** As XML has line ends (XML 1.0 section 2.11): what is signed is signed with these. */
export function withLineEnds(xml: string): string {
  return xml.replaceAll(/\r\n?/g, '\n');
}

/** Child elements, in their order; of this name in this namespace where it is given. */
export function elementsIn(parent?: Node, namespace?: string, name?: string): Element[] {
  const elements = Array.from(parent?.childNodes ?? []).filter(
    (node): node is Element => node.nodeType === 1,
  );
  return name === undefined ? elements : elements.filter((one) => isElement(one, namespace, name));
}

export function isElement(element: Element, namespace: string | undefined, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

export function elementsBelow(root: Element, namespace: string, name: string): Element[] {
  return Array.from(root.getElementsByTagNameNS(namespace, name));
}

/** An attribute's value; null where it is absent or empty. */
export function attributeOf(element: Element | undefined, name: string): string | null {
  return element?.getAttribute(name) || null;
}

/** A comment, character data, an instruction or a tag, from its beginning to its end. */
const PART =
  /<(?:!--.*?-->|!\[CDATA\[.*?\]\]>|\?.*?\?>|(?<slash>\/?)(?<tag>[^<>"']*(?:"[^<"]*"[^<>"']*|'[^<']*'[^<>"']*)*)>)/sy;
const TEXT_IN_QUOTES = /"[^"]*"|'[^']*'/g;

/** What is wrong with the size or the shape of XML, or null. Linear in its length. */
function sizeProblem(xml: string, smaller: string): string | null {
  if (xml.length > MAX_XML_LENGTH) {
    return `it has ${xml.length} characters of XML, expected at most ${MAX_XML_LENGTH}: ${smaller}`;
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) {
    return 'it has a DOCTYPE, which SAML does not use and which is refused here';
  }
  let depth = 0;
  let elements = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', PART.lastIndex)) {
    PART.lastIndex = at;
    const found = PART.exec(xml);
    if (found === null) return 'expected XML, but an element does not end: copy all of it';
    const { slash, tag } = found.groups ?? {};
    if (slash === '/') {
      depth--;
      continue;
    }
    elements++;
    if (elements > MAX_ELEMENTS) return `expected at most ${MAX_ELEMENTS} elements: ${smaller}`;
    if (tag === undefined) continue;
    const attributes = tag.replaceAll(TEXT_IN_QUOTES, '').split('=').length - 1;
    if (attributes > MAX_ATTRIBUTES) return `expected at most ${MAX_ATTRIBUTES} XML attributes of an element`;
    if (!tag.endsWith('/')) depth++;
    if (depth > MAX_DEPTH) return `expected at most ${MAX_DEPTH} levels of nesting`;
  }
  return elements === 0 ? 'expected XML, found no element' : null;
}
