/** Takes the parts of SAML metadata one by one: what is wanted is kept, what is signed is hashed, and the rest is forgotten. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { MAX_ATTRIBUTES, MAX_XML_LENGTH, METADATA, SIGNATURE } from '../capture/xml.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { CanonicalWriter, type XmlWriter } from './canonicalXml.ts';
import { EnvelopedSignature } from './metadataSignature.ts';

/** Of XML that cannot be used; it quotes nothing of it. */
export class MetadataUnusable extends UnusableInput {}

export interface ReadEntity {
  /** The `EntityDescriptor` in canonical form: exactly what a signature covers. */
  xml: string;
  /** Each `validUntil` of the groups around it, without the root's (SAML Metadata 2.3.1). */
  validUntil: string[];
}

export interface Metadata {
  /** Whether its root is an `EntitiesDescriptor`. */
  isAggregate: boolean;
  /** Of the root, as they are written; null where they are absent. */
  validUntil: string | null;
  cacheDuration: string | null;
  /** Those that are wanted, by entity id. */
  entities: ReadonlyMap<string, ReadEntity>;
  /** Of the root; null where it has none that stands where the schema has it (SAML Metadata 2.3.1, 2.3.2). */
  signature: EnvelopedSignature | null;
}

/** Real ones nest some ten levels. */
const MAX_DEPTH = 40;
/** Of parts before the first element: there is a start tag, and white space. */
const MAX_HELD = 1_000;

/** An element that is written out in canonical form. */
interface Capture {
  depth: number;
  isInSignature: boolean;
  writer: XmlWriter;
  done(): void;
}

export class MetadataReader {
  readonly #parser = new SaxesParser({ xmlns: true, position: false });
  readonly #wanted: ReadonlySet<string>;
  readonly #entities = new Map<string, ReadEntity>();
  /** The `validUntil` of each open group, the root first. An entity counts in nothing else: one may hide in another's extensions. */
  readonly #groups: (string | undefined)[] = [];
  #captures: Capture[] = [];
  #depth = 0;
  #root: SaxesTagNS | null = null;
  /** What stands before the first element in the root, until it is known whether that is the signature; null from then on. */
  #held: ((writer: XmlWriter) => void)[] | null = [];
  #isInSignature = false;
  #signedInfo = '';
  #signature: EnvelopedSignature | null = null;
  /** Since the parser has last told of a part. */
  #pending = 0;

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
    this.#parser.on('error', () => {
      throw new MetadataUnusable('it is not well-formed XML');
    });
    this.#parser.on('doctype', () => {
      throw new MetadataUnusable('it has a DOCTYPE, which SAML does not use');
    });
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('closetag', ({ name }) => this.#close(name));
    this.#parser.on('text', (text) => this.#tell((writer) => writer.text(text)));
    this.#parser.on('cdata', (text) => this.#tell((writer) => writer.text(text)));
    this.#parser.on('processinginstruction', ({ target, body }) =>
      this.#tell((writer) => writer.instruction(target, body)),
    );
  }

  write(text: string): void {
    this.#pending += text.length;
    this.#parser.write(text);
    if (this.#pending > 2 * MAX_XML_LENGTH)
      throw new MetadataUnusable('a part of it is larger than any real one');
  }

  end(): Metadata {
    this.#parser.close();
    const root = this.#root;
    if (root === null) throw new MetadataUnusable('it is empty');
    return {
      isAggregate: root.local === 'EntitiesDescriptor',
      validUntil: root.attributes.validUntil?.value ?? null,
      cacheDuration: root.attributes.cacheDuration?.value ?? null,
      entities: this.#entities,
      signature: this.#signature,
    };
  }

  #open(tag: SaxesTagNS): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new MetadataUnusable(`it has more than ${MAX_DEPTH} levels`);
    if (Object.keys(tag.attributes).length > MAX_ATTRIBUTES)
      throw new MetadataUnusable(`an element has more than ${MAX_ATTRIBUTES} attributes`);
    if (this.#depth === 1) this.#openRoot(tag);
    else if (this.#depth === 2 && this.#held !== null) this.#openFirst(tag);
    if (this.#isInSignature) this.#openInSignature(tag);
    else if (this.#depth === this.#groups.length + 1) this.#openInGroup(tag);
    // The root is written out when others are open.
    const { ns } = tag;
    const isRoot = this.#depth === 1;
    this.#tell((writer) =>
      writer.open(tag, (prefix) => (isRoot ? ns[prefix] : this.#parser.resolve(prefix))),
    );
  }

  #openRoot(tag: SaxesTagNS): void {
    if (!['EntitiesDescriptor', 'EntityDescriptor'].some((name) => isNamed(tag, METADATA, name)))
      throw new MetadataUnusable('its root is no EntityDescriptor and no EntitiesDescriptor');
    this.#root = tag;
  }

  /** By the schema, a signature is the first element. One that stands elsewhere is no signature of this metadata. */
  #openFirst(tag: SaxesTagNS): void {
    this.#isInSignature = isNamed(tag, SIGNATURE, 'Signature');
    if (this.#isInSignature) this.#capture((xml) => this.#closeSignature(xml));
    else this.#held = null;
  }

  /** Nothing else in there is read: the signature does not cover itself. */
  #openInSignature(tag: SaxesTagNS): void {
    if (this.#depth !== 3 || !isNamed(tag, SIGNATURE, 'SignedInfo')) return;
    this.#capture((xml) => {
      this.#signedInfo = xml;
    });
  }

  /** From now on, all is hashed as the signature says, with what stood before it. */
  #closeSignature(xml: string): void {
    const signature = new EnvelopedSignature(xml, this.#signedInfo, this.#root?.attributes.ID?.value ?? null);
    for (const event of this.#held ?? []) event(signature.content);
    this.#signature = signature;
    this.#held = null;
  }

  #openInGroup(tag: SaxesTagNS): void {
    if (isNamed(tag, METADATA, 'EntitiesDescriptor')) this.#groups.push(tag.attributes.validUntil?.value);
    else if (isNamed(tag, METADATA, 'EntityDescriptor')) this.#openEntity(tag);
  }

  /** Of several with one id, the first counts. */
  #openEntity({ attributes }: SaxesTagNS): void {
    const id = attributes.entityID?.value ?? '';
    if (!this.#wanted.has(id) || this.#entities.has(id)) return;
    const validUntil = this.#groups.slice(1).filter((one) => one !== undefined);
    this.#capture((xml) => this.#entities.set(id, { xml, validUntil }));
  }

  #capture(done: (xml: string) => void): void {
    const pieces: string[] = [];
    let length = 0;
    const writer = new CanonicalWriter((piece) => {
      pieces.push(piece);
      length += piece.length;
      if (length > MAX_XML_LENGTH)
        throw new MetadataUnusable('an entity or a signature is larger than any real one');
    });
    const isInSignature = this.#isInSignature;
    this.#captures.push({ depth: this.#depth, isInSignature, writer, done: () => done(pieces.join('')) });
  }

  #close(name: string): void {
    this.#tell((writer) => writer.close(name));
    const isOver = ({ depth }: Capture) => depth === this.#depth;
    const over = this.#captures.filter(isOver);
    this.#captures = this.#captures.filter((one) => !isOver(one));
    for (const { done } of over) done();
    if (this.#groups.length === this.#depth) this.#groups.pop();
    if (this.#depth === 2) this.#isInSignature = false;
    this.#depth -= 1;
  }

  #tell(event: (writer: XmlWriter) => void): void {
    this.#pending = 0;
    // What stands around the root belongs to no element.
    if (this.#depth === 0) return;
    for (const { writer, isInSignature } of this.#captures)
      if (isInSignature === this.#isInSignature) event(writer);
    if (this.#isInSignature) return;
    if (this.#held === null) {
      if (this.#signature !== null) event(this.#signature.content);
      return;
    }
    this.#held.push(event);
    if (this.#held.length > MAX_HELD) throw new MetadataUnusable('it begins with more than a signature');
  }
}

function isNamed(tag: SaxesTagNS, namespace: string, name: string): boolean {
  return tag.uri === namespace && tag.local === name;
}
