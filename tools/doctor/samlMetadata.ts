/** The metadata of one SAML provider: from its address, from a federation's address for each entity (MDQ), or from a file. */
import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { entitiesIn, ONE_PROVIDER } from '../capture/metadata.ts';
import { usesSha1, verify } from '../capture/signatures.ts';
import {
  attributeOf,
  elementsBelow,
  elementsIn,
  isElement,
  METADATA,
  parseXml,
  SIGNATURE,
} from '../capture/xml.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { fetchSamlMetadata, MetadataRefused } from '../signIn/metadata.ts';
import { type Diagnosis, type DoctorFinding, finding, unasked } from './examination.ts';

export const EntityFacts = v.object({
  /** Whether it is an identity provider. */
  isProvider: v.boolean(),
  /** When the certificate of each key for signing ends, by the SHA-256 of the key. */
  keys: v.record(v.string(), v.string()),
  /** Null where it has none. */
  validUntil: v.nullable(v.string()),
  /** Null where it names none, or a pattern among them (`regexp`). */
  scopes: v.nullable(v.array(v.string())),
});
export type EntityFacts = v.InferOutput<typeof EntityFacts>;

export interface Source {
  /** An address or a file. */
  place: string;
  /** Whether the address is that of one entity in a federation. */
  isQuery: boolean;
}

/** What a place says now. */
export interface ReadSource extends Diagnosis {
  source: Source;
  /** Null where it has none that can be used. */
  entity: { id: string; facts: EntityFacts } | null;
}

/** In the address of a federation's metadata query service: stands for the entity id. */
const ENTITY_ID = '{entityID}';

/** @throws {UnusableInput} for an address with a password */
export function sourcesOf(given: readonly string[], issuers: readonly string[]): Source[] {
  return given.flatMap((place): Source[] => {
    const { username = '', password = '' } = URL.parse(place) ?? {};
    if (username + password !== '')
      throw new UnusableInput('--metadata: expected an address without user name and password');
    if (!place.includes(ENTITY_ID)) return [{ place, isQuery: false }];
    return issuers.map((issuer) => ({
      place: place.replaceAll(ENTITY_ID, encodeURIComponent(issuer)),
      isQuery: true,
    }));
  });
}

/** @param keys in PEM, one of which has to sign the metadata; empty where its signature is not checked */
export async function readSource(source: Source, keys: readonly string[]): Promise<ReadSource> {
  const { place, isQuery } = source;
  let text: string;
  try {
    text = await textAt(place);
  } catch (error) {
    if (!(error instanceof UnusableInput)) throw error;
    const isUnknown = isQuery && error instanceof MetadataRefused && error.status === 404;
    const told = isUnknown ? { findings: [], unasked: [] } : unasked(place, error.message);
    return { source, entity: null, ...told };
  }
  return { source, ...readText(text, place, keys) };
}

async function textAt(place: string): Promise<string> {
  if (/^https?:/i.test(place)) return fetchSamlMetadata(place);
  return readFile(place, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new UnusableInput(`expected a file with metadata, or its https address (${code})`);
  });
}

function readText(text: string, place: string, keys: readonly string[]): Omit<ReadSource, 'source'> {
  const xml = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .trim();
  try {
    const root = parseXml(xml, 'the metadata', ONE_PROVIDER);
    const objection = objectionTo(root, place);
    if (objection !== null) return { entity: null, findings: [objection], unasked: [] };
    const covered = keys.length === 0 ? xml : verify(xml, root, keys);
    if (covered === null || (keys.length > 0 && usesSha1(root)))
      return { entity: null, findings: [wronglySigned(root, place)], unasked: [] };
    return { entity: entityIn(covered), findings: [], unasked: [] };
  } catch (error) {
    if (!(error instanceof UnusableInput)) throw error;
    return { entity: null, findings: [unusable(place, error.message)], unasked: [] };
  }
}

function objectionTo(root: Element, place: string): DoctorFinding | null {
  if (isElement(root, METADATA, 'EntityDescriptor')) return null;
  if (!isElement(root, METADATA, 'EntitiesDescriptor'))
    return unusable(place, 'the metadata: expected an EntityDescriptor');
  return finding(
    'metadata_of_federation',
    place,
    'This is the metadata of a federation (EntitiesDescriptor), and that of one provider is read.',
    `Give the address of the federation's metadata query service (MDQ), with ${ENTITY_ID} in the place of the entity id.`,
  );
}

function unusable(place: string, message: string): DoctorFinding {
  const cure = 'Check the address, or tell the people who publish it.';
  return finding('metadata_unusable', place, `This is not the metadata of a provider: ${message}.`, cure);
}

/** Of what no pinned key signed, nothing is believed. */
function wronglySigned(root: Element, place: string): DoctorFinding {
  const isSigned = elementsIn(root, SIGNATURE, 'Signature').length > 0;
  const why = isSigned
    ? 'does not cover it, is of another key than the one that is given, or of an algorithm that is not accepted here'
    : 'is missing';
  return finding(
    'metadata_signature_wrong',
    place,
    `The signature of the metadata ${why}: nothing of it is believed.`,
    'Compare the key with the one that the federation publishes, by another way than this address. If they are the same, tell its people.',
  );
}

function entityIn(xml: string): NonNullable<ReadSource['entity']> {
  const root = parseXml(xml, 'the metadata');
  const isProvider = elementsIn(root, METADATA, 'IDPSSODescriptor').length > 0;
  const [provider] = isProvider ? entitiesIn(xml) : [];
  const facts = {
    isProvider,
    keys: keysOf(provider?.certificates ?? []),
    validUntil: earliest(provider?.validUntil ?? []),
    scopes: scopesOf(root),
  };
  return { id: attributeOf(root, 'entityID') ?? '', facts };
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
function earliest(texts: readonly string[]): string | null {
  const times = texts.map((text) => parseDateTime(text)?.getTime() ?? 0);
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

const SHIBBOLETH = 'urn:mace:shibboleth:metadata:1.0';

function scopesOf(root: Element): string[] | null {
  const scopes = elementsBelow(root, SHIBBOLETH, 'Scope');
  const isPattern = (scope: Element) => ['true', '1'].includes(attributeOf(scope, 'regexp') ?? '');
  if (scopes.length === 0 || scopes.some(isPattern)) return null;
  return [...new Set(scopes.map(({ textContent }) => (textContent ?? '').trim()))].sort();
}
