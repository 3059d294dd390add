/**
 * Exclusive XML Canonicalization 1.0 without comments, as a stream: the form of an element over which a signature is made. What an
 * aggregate of a federation says is written out while it is parsed, and never held as a whole.
 */
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';

export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** The parts of an element in their order, from its own start tag to its end tag. */
export interface XmlWriter {
  open(tag: SaxesTagNS, namespaceOf: NamespaceOf): void;
  text(text: string): void;
  instruction(target: string, body: string): void;
  close(name: string): void;
}

/** What a prefix stands for at the start tag; an empty prefix for the default namespace. */
type NamespaceOf = (prefix: string) => string | undefined;

/** Namespaces by the prefixes that are written out. */
type Written = Readonly<Record<string, string>>;

export class CanonicalWriter implements XmlWriter {
  readonly #write: (text: string) => void;
  readonly #inclusive: readonly string[];
  /** Of each open element. */
  readonly #written: Written[] = [];

  /**
   * @param write takes the canonical form, piece by piece
   * @param inclusive the prefixes that count wherever they are declared (`InclusiveNamespaces`); an empty one for the default namespace
   */
  constructor(write: (text: string) => void, inclusive: readonly string[] = []) {
    this.#write = write;
    this.#inclusive = inclusive;
  }

  open(tag: SaxesTagNS, namespaceOf: NamespaceOf): void {
    const around = this.#written.at(-1) ?? { '': '' };
    const attributes = Object.values(tag.attributes).filter(
      ({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns',
    );
    const used = [tag.prefix, ...attributes.map(({ prefix }) => prefix).filter((prefix) => prefix !== '')];
    const inScope = this.#inclusive.filter((prefix) => namespaceOf(prefix) !== undefined);
    const added = [...new Set([...used, ...inScope])]
      .filter((prefix) => prefix !== 'xml')
      .map((prefix) => [prefix, namespaceOf(prefix) ?? ''] as const)
      .filter(([prefix, namespace]) => around[prefix] !== namespace);
    const namespaces = added
      .sort(([a], [b]) => order(a, b))
      .map(([prefix, namespace]) => [prefix ? `xmlns:${prefix}` : 'xmlns', namespace] as const);
    const others = attributes.sort(byNamespace).map(({ name, value }) => [name, value] as const);
    this.#written.push(added.length === 0 ? around : { ...around, ...Object.fromEntries(added) });
    this.#write(
      `<${tag.name}${[...namespaces, ...others].map(([name, value]) => ` ${name}="${inAttribute(value)}"`).join('')}>`,
    );
  }

  text(text: string): void {
    this.#write(inText(text));
  }

  instruction(target: string, body: string): void {
    this.#write(`<?${target}${body && ' '}${body}?>`);
  }

  close(name: string): void {
    this.#written.pop();
    this.#write(`</${name}>`);
  }
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Canonical XML 1.0 section 2.2: those without a namespace come first. */
function byNamespace(a: SaxesAttributeNS, b: SaxesAttributeNS): number {
  return order(a.uri, b.uri) || order(a.local, b.local);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};
const escaped = (sign: string) => ESCAPES[sign] ?? sign;

function inText(text: string): string {
  return text.replaceAll(/[&<>\r]/g, escaped);
}

function inAttribute(value: string): string {
  return value.replaceAll(/[&<"\t\n\r]/g, escaped);
}
