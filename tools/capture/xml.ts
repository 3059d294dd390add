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

/** Child elements, in their order; of this name in this namespace where it is given. */
export function elementsIn(parent: Node, namespace?: string, name?: string): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (node.nodeType !== 1) continue;
    const element = node as Element;
    const isNamed = name === undefined || isElement(element, namespace, name);
    if (isNamed) found.push(element);
  }
  return found;
}

export function isElement(element: Element, namespace: string | undefined, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** All elements of a name below this one. */
export function elementsBelow(root: Element, namespace: string, name: string): Element[] {
  return Array.from(root.getElementsByTagNameNS(namespace, name));
}

/** An attribute's value; null where it is absent or empty. */
export function attributeOf(element: Element | undefined, name: string): string | null {
  return element?.getAttribute(name) || null;
}

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
  for (const { kind, attributes } of partsOf(xml)) {
    if (kind === 'broken') return 'expected XML, but an element does not end: copy all of it';
    if (attributes > MAX_ATTRIBUTES) return `expected at most ${MAX_ATTRIBUTES} XML attributes of an element`;
    if (kind === 'closing') depth--;
    else elements++;
    if (kind === 'opening' && ++depth > MAX_DEPTH) return `expected at most ${MAX_DEPTH} levels of nesting`;
    if (elements > MAX_ELEMENTS) return `expected at most ${MAX_ELEMENTS} elements: ${smaller}`;
  }
  return null;
}

interface Part {
  kind: 'opening' | 'closing' | 'empty' | 'other' | 'broken';
  /** How many equals signs stand outside quotes. */
  attributes: number;
}

/** Where these begin and end. They are no elements. */
const OTHERS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

function* partsOf(xml: string): Generator<Part> {
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const [start, stop] = OTHERS.find(([begin]) => xml.startsWith(begin, at)) ?? [];
    const end = start === undefined ? endOfTag(xml, at) : xml.indexOf(stop ?? '', at + start.length);
    if (end < 0) {
      yield { kind: 'broken', attributes: 0 };
      return;
    }
    yield start === undefined ? tagOf(xml, at, end) : { kind: 'other', attributes: 0 };
    at = end + (stop?.length ?? 1);
  }
}

function tagOf(xml: string, at: number, end: number): Part {
  if (xml[at + 1] === '/') return { kind: 'closing', attributes: 0 };
  const kind = xml[end - 1] === '/' ? 'empty' : 'opening';
  return {
    kind,
    attributes:
      xml
        .slice(at, end)
        .replaceAll(/"[^"]*"|'[^']*'/g, '')
        .split('=').length - 1,
  };
}

/** The `>` outside quotes; -1 where the next tag begins before it. */
function endOfTag(xml: string, from: number): number {
  let quote = '';
  for (let at = from + 1; at < xml.length; at++) {
    const sign = xml[at] ?? '';
    if (sign === '<') return -1;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at;
  }
  return -1;
}
