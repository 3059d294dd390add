/** What the metadata of an entity says, as far as a stage depends on it. */
import { createHash, X509Certificate } from 'node:crypto';
import * as v from 'valibot';
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { entitiesIn } from '../capture/metadata.ts';
import { attributeOf, elementsBelow, elementsIn, METADATA, parseXml } from '../capture/xml.ts';
import type { ReadEntity } from './metadataReader.ts';

const SHIBBOLETH = 'urn:mace:shibboleth:metadata:1.0';

export const EntityFacts = v.object({
  /** Whether it is an identity provider. */
  isProvider: v.boolean(),
  /** When the certificate of each key for signing ends, by the SHA-256 of the key. */
  keys: v.record(v.string(), v.string()),
  /** The earliest, its own and those of the groups around it; null where it has none. */
  validUntil: v.nullable(v.string()),
  /** Null where it names none, or a pattern among them (`regexp`). */
  scopes: v.nullable(v.array(v.string())),
  /** Of its assertion consumer services, where it is a service. */
  recipients: v.array(v.string()),
});
export type EntityFacts = v.InferOutput<typeof EntityFacts>;

/** @throws {UnusableInput} for one that is larger than any real one */
export function entityFacts({ xml, validUntil }: ReadEntity): EntityFacts {
  const root = parseXml(xml, 'an entity');
  const isProvider = elementsIn(root, METADATA, 'IDPSSODescriptor').length > 0;
  const [provider] = isProvider ? entitiesIn(xml) : [];
  return {
    isProvider,
    keys: keysOf(provider?.certificates ?? []),
    validUntil: earliest([...validUntil, ...(provider?.validUntil ?? [])]),
    scopes: scopesOf(root),
    recipients: elementsIn(root, METADATA, 'SPSSODescriptor')
      .flatMap((role) => elementsIn(role, METADATA, 'AssertionConsumerService'))
      .flatMap((service) => attributeOf(service, 'Location') ?? []),
  };
}

function keysOf(certificates: readonly string[]): Record<string, string> {
  const keys = certificates.flatMap(keyOf);
  return Object.fromEntries(keys.toSorted(([, a], [, b]) => (a < b ? -1 : 1)));
}

/** A certificate is renewed with the key that it had: what a service trusts is the key. None where it cannot be read. */
function keyOf(pem: string): [key: string, end: string][] {
  try {
    const { publicKey, validToDate } = new X509Certificate(pem);
    const key = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }));
    return [[key.digest('base64url'), validToDate.toISOString()]];
  } catch {
    return [];
  }
}

/** A text that is no date-time counts as over. */
export function earliest(texts: readonly string[]): string | null {
  const times = texts.map((text) => parseDateTime(text)?.getTime() ?? 0);
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

function scopesOf(root: Element): string[] | null {
  const scopes = elementsBelow(root, SHIBBOLETH, 'Scope');
  const isPattern = (scope: Element) => ['true', '1'].includes(attributeOf(scope, 'regexp') ?? '');
  if (scopes.length === 0 || scopes.some(isPattern)) return null;
  return [...new Set(scopes.map(({ textContent }) => (textContent ?? '').trim()))].sort();
}
