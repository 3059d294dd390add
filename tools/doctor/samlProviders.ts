/** SAML providers: their metadata against what the stage lists, and against the last run. */
import type { KeyObject } from 'node:crypto';
import * as v from 'valibot';
import type { SamlIssuer } from '../../lib/issuers.ts';
import { type DoctorFinding, type Examined, finding } from './examination.ts';
import { type ListedIssuers, listFindings, namesOf } from './listedIssuers.ts';
import type { EntityFacts } from './samlEntities.ts';
import {
  endOf,
  entityFindings,
  type MetadataLifetime,
  recipientFindings,
  unverified,
} from './samlFindings.ts';
import {
  MAX_KEPT_MS,
  pinnedBy,
  type ReadSource,
  readSource,
  type Source,
  SourceFacts,
  sourcesOf,
} from './samlSources.ts';

/** By place. */
export const SamlFacts = v.record(v.string(), SourceFacts);
export type SamlFacts = v.InferOutput<typeof SamlFacts>;

export interface MetadataOptions extends MetadataLifetime {
  /** Addresses, addresses with `{entityID}`, and files. */
  metadata: readonly string[];
  /** One of which signs all of it; empty where signatures are not checked. */
  keys: readonly KeyObject[];
}

const UNGIVEN = {
  subject: 'SAML',
  message:
    'The stage lists SAML issuers, and no metadata is given: add --metadata <address or file>, of each provider or of the federation.',
};

export async function examineSaml(
  listed: ListedIssuers<SamlIssuer>,
  before: SamlFacts,
  options: MetadataOptions,
): Promise<Examined<SamlFacts>> {
  const issuers = namesOf(listed);
  const lists = listFindings(listed);
  if (issuers.length === 0) return { findings: lists, unasked: [], facts: before };
  if (options.metadata.length === 0) return { findings: lists, unasked: [UNGIVEN], facts: before };
  const audiences = [...listed.settings.values()].flatMap((issuer) => issuer.audiences);
  const sources = sourcesOf(options.metadata, issuers, audiences);
  const read = await Promise.all(
    sources.map(async (source) => {
      const known = before[source.place] ?? null;
      const remembered = rememberedSource(source, known, options);
      const isWell = remembered !== null && !hasFinding(sourceFindings(remembered, known, listed, options));
      return isWell ? remembered : readSource(source, options.keys, options.nowMs);
    }),
  );
  return {
    findings: [
      ...lists,
      ...read.flatMap((one) => sourceFindings(one, before[one.source.place] ?? null, listed, options)),
      ...missing(issuers, read),
      ...recipients(listed, read),
    ],
    unasked: read.flatMap((one) => one.unasked),
    facts: factsOf(read, before),
  };
}

/** What is still good of the last run by its own `cacheDuration`; null where it has to be read. */
function rememberedSource(
  source: Source,
  known: SourceFacts | null,
  { keys, nowMs }: MetadataOptions,
): ReadSource | null {
  const leftMs = Date.parse(known?.cachedUntil ?? '') - nowMs;
  const isFresh = leftMs > 0 && leftMs <= MAX_KEPT_MS;
  if (!known || !isFresh || known.pinned !== pinnedBy(keys)) return null;
  const isWhole = [...source.wanted].every((id) => Object.hasOwn(known.entities, id));
  return isWhole ? { source, facts: known, findings: [], unasked: [] } : null;
}

/** What is a finding is read again: it may be cured. */
function hasFinding(findings: readonly DoctorFinding[]): boolean {
  return findings.some(({ level }) => level === 'finding');
}

function sourceFindings(
  { source, facts, findings }: ReadSource,
  known: SourceFacts | null,
  { mapped, settings }: ListedIssuers<SamlIssuer>,
  options: MetadataOptions,
): DoctorFinding[] {
  if (facts === null) return findings;
  const entities = Object.entries(facts.entities).flatMap(([entityId, now]) => {
    if (now === null || !(settings.has(entityId) || mapped.has(entityId))) return [];
    const before = known?.entities[entityId] ?? null;
    // What ends with all of the source is said of the source.
    const isOwnEnd = facts.validUntil === null || (now.validUntil ?? facts.validUntil) < facts.validUntil;
    const { nowMs } = options;
    return [
      ...(isOwnEnd ? endOf(entityId, now.validUntil, options) : []),
      ...entityFindings({ entityId, now, before, mapped: mapped.get(entityId), nowMs }),
    ];
  });
  return [
    ...findings,
    ...(facts.isOfFederation && facts.pinned === '' ? [unverified(source.place)] : []),
    ...endOf(source.place, facts.validUntil, options),
    ...entities,
  ];
}

/** Where a source could not be used, what it has is unknown. */
function missing(issuers: readonly string[], read: readonly ReadSource[]): DoctorFinding[] {
  if (read.some(({ facts }) => facts === null)) return [];
  const found = entitiesOf(read);
  return issuers
    .filter((issuer) => !found.has(issuer))
    .map((issuer) =>
      finding(
        'entity_missing',
        issuer,
        'None of the metadata has this provider: a service that takes it refuses all its logins.',
        'Check the entity id letter by letter, and ask the federation or the provider whether it left.',
      ),
    );
}

function recipients(listed: ListedIssuers<SamlIssuer>, read: readonly ReadSource[]): DoctorFinding[] {
  const entities = entitiesOf(read);
  return [...listed.settings].flatMap(([issuer, settings]) => recipientFindings(issuer, settings, entities));
}

function entitiesOf(read: readonly ReadSource[]): Map<string, EntityFacts> {
  const all = read.flatMap(({ facts }) => Object.entries(facts?.entities ?? {}));
  return new Map(all.filter((entry): entry is [string, EntityFacts] => entry[1] !== null));
}

/** Of sources that were not asked this time, nothing stays. */
function factsOf(read: readonly ReadSource[], before: SamlFacts): SamlFacts {
  return Object.fromEntries(
    read.flatMap(({ source: { place }, facts }) => {
      const kept = facts ?? before[place];
      return kept ? [[place, kept]] : [];
    }),
  );
}
