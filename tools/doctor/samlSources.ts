/** Where metadata comes from: an address, a federation's address for each entity (MDQ), or a file. */
import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as v from 'valibot';
import { UnusableInput } from '../shared/commandLine.ts';
import { MetadataRefused, readSamlMetadata } from '../signIn/samlProviderMetadata.ts';
import { DAY_MS, type Examined, finding, unasked } from './examination.ts';
import { type Metadata, MetadataUnusable } from './metadataReader.ts';
import { readMetadata } from './readMetadata.ts';
import { EntityFacts, earliest, entityFacts } from './samlEntities.ts';

export const SourceFacts = v.object({
  /** Until when it need not be read again (`cacheDuration`, of a day at most); null where it does not say. */
  cachedUntil: v.nullable(v.string()),
  validUntil: v.nullable(v.string()),
  /** Whether it is a federation's, and not a provider's own. */
  isOfFederation: v.boolean(),
  /** The SHA-256 of the keys by which its signature was checked; empty where none was given. */
  pinned: v.string(),
  /** Null for one that it does not have. */
  entities: v.record(v.string(), v.nullable(EntityFacts)),
});
export type SourceFacts = v.InferOutput<typeof SourceFacts>;

export interface Source {
  /** An address or a file. */
  place: string;
  /** Whether the address is that of one entity in a federation. */
  isQuery: boolean;
  wanted: ReadonlySet<string>;
}

/** What a source says now; `facts` are null where it could not be used. */
export interface ReadSource extends Examined<SourceFacts | null> {
  source: Source;
}

/** In the address of a federation's metadata query service: stands for the entity id. */
const ENTITY_ID = '{entityID}';

/**
 * @param others entity ids that an aggregate may have too
 * @throws {UnusableInput} for an address with a password
 */
export function sourcesOf(
  given: readonly string[],
  issuers: readonly string[],
  others: readonly string[],
): Source[] {
  return given.flatMap((place): Source[] => {
    const { username = '', password = '' } = URL.parse(place) ?? {};
    if (username + password !== '')
      throw new UnusableInput(
        '--metadata: expected an address without user name and password, which the facts would keep',
      );
    if (!place.includes(ENTITY_ID))
      return [{ place, isQuery: false, wanted: new Set([...issuers, ...others]) }];
    return issuers.map((issuer) => ({
      place: place.replaceAll(ENTITY_ID, encodeURIComponent(issuer)),
      isQuery: true,
      wanted: new Set([issuer]),
    }));
  });
}

/** For all of it. An aggregate of 100 MB takes some ten seconds. */
const TIMEOUT_MS = 120_000;

export async function readSource(
  source: Source,
  keys: readonly KeyObject[],
  nowMs: number,
): Promise<ReadSource> {
  const { place, wanted, isQuery } = source;
  try {
    return judged(source, await metadataAt(place, wanted), keys, nowMs);
  } catch (error) {
    if (!(error instanceof UnusableInput)) throw error;
    if (isQuery && error instanceof MetadataRefused && error.status === 404) {
      const facts = sourceFacts(source, NO_METADATA, keys, nowMs);
      return { source, facts, findings: [], unasked: [] };
    }
    if (!(error instanceof MetadataUnusable))
      return { source, facts: null, ...unasked(place, error.message) };
    const unusable = finding(
      'metadata_unusable',
      place,
      `This is no SAML metadata: ${error.message}.`,
      'Check the address, or tell the people who publish it.',
    );
    return { source, facts: null, findings: [unusable], unasked: [] };
  }
}

/** As a federation says of an entity that it does not have. */
const NO_METADATA: Metadata = {
  ...{ isAggregate: true, validUntil: null, cacheDuration: null, signature: null },
  entities: new Map(),
};

async function metadataAt(place: string, wanted: ReadonlySet<string>): Promise<Metadata> {
  if (/^https?:/i.test(place)) {
    return readSamlMetadata(place, TIMEOUT_MS, ({ body }) => readMetadata(body ?? nothing(), wanted));
  }
  return readMetadata(createReadStream(place), wanted).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    throw new UnusableInput(`expected a file with metadata, or its https address (${error.code})`);
  });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Of what no pinned key signed, nothing is believed. */
function judged(source: Source, metadata: Metadata, keys: readonly KeyObject[], nowMs: number): ReadSource {
  const { place } = source;
  const problem =
    keys.length === 0 ? null : metadata.signature ? metadata.signature.problem(keys) : 'is missing';
  if (problem !== null) {
    const wrong = finding(
      'metadata_signature_wrong',
      place,
      `The signature of the metadata ${problem}: nothing of it is believed.`,
      'Compare the key with the one that the federation publishes, by another way than this address. If they are the same, tell its people.',
    );
    return { source, facts: null, findings: [wrong], unasked: [] };
  }
  return { source, facts: sourceFacts(source, metadata, keys, nowMs), findings: [], unasked: [] };
}

function sourceFacts(
  { isQuery, wanted }: Source,
  { isAggregate, validUntil, cacheDuration, entities }: Metadata,
  keys: readonly KeyObject[],
  nowMs: number,
): SourceFacts {
  const cachedMs = cacheDuration === null ? 0 : Math.min(durationMs(cacheDuration), MAX_KEPT_MS);
  const found = Array.from(wanted, (id) => {
    const entity = entities.get(id);
    return [id, entity ? entityFacts(entity) : null] as const;
  });
  return {
    cachedUntil: cachedMs === 0 ? null : new Date(nowMs + cachedMs).toISOString(),
    validUntil: validUntil === null ? null : earliest([validUntil]),
    isOfFederation: isQuery || isAggregate,
    pinned: pinnedBy(keys),
    entities: Object.fromEntries(found),
  };
}

const SECOND_MS = 1_000;
/** However long it may be kept by its own words: who publishes it must not be able to end the examination. */
export const MAX_KEPT_MS = DAY_MS;
/** Of years, months, days, hours, minutes and seconds. */
const UNITS_MS = [365 * DAY_MS, 30 * DAY_MS, DAY_MS, 3_600 * SECOND_MS, 60 * SECOND_MS, SECOND_MS];
const DURATION =
  /^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?$/;

/** `xs:duration`; 0 for anything else. */
function durationMs(text: string): number {
  const [, ...numbers] = DURATION.exec(text) ?? [];
  return numbers.reduce((sum, number, index) => sum + Number(number ?? 0) * (UNITS_MS[index] ?? 0), 0);
}

export function pinnedBy(keys: readonly KeyObject[]): string {
  if (keys.length === 0) return '';
  const hash = createHash('sha256');
  for (const key of keys) hash.update(key.export({ type: 'spki', format: 'der' }));
  return hash.digest('base64url');
}
