/** SAML providers: their metadata against what the stage lists, and against the last run. */
import * as v from 'valibot';
import type { SamlIssuer } from '../../lib/issuers.ts';
import { type DoctorFinding, type Examined, finding } from './examination.ts';
import { type ListedIssuers, listFindings, namesOf } from './listedIssuers.ts';
import { endOf, entityFindings, type MetadataLifetime, unverified } from './samlFindings.ts';
import { EntityFacts, type ReadSource, readSource, sourcesOf } from './samlMetadata.ts';

/** By entity id. */
export const SamlFacts = v.record(v.string(), EntityFacts);
export type SamlFacts = v.InferOutput<typeof SamlFacts>;

export interface MetadataOptions extends MetadataLifetime {
  /** Addresses, addresses with `{entityID}`, and files. */
  metadata: readonly string[];
  /** In PEM, one of which signs all of it; empty where signatures are not checked. */
  keys: readonly string[];
}

const UNGIVEN = {
  subject: 'SAML',
  message:
    'The stage lists SAML issuers, and no metadata is given: add --metadata <address or file> of each provider, or the address of the federation with {entityID} (MDQ).',
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
  const sources = sourcesOf(options.metadata, issuers);
  const read = await Promise.all(sources.map((source) => readSource(source, options.keys)));
  const found = read.flatMap(({ entity }) => entity ?? []).filter(({ id }) => issuers.includes(id));
  const judged = found.flatMap(({ id, facts }) => [
    ...endOf(id, facts.validUntil, options),
    ...entityFindings({
      ...{ entityId: id, now: facts, before: before[id] ?? null },
      ...{ mapped: listed.mapped.get(id), nowMs: options.nowMs },
    }),
  ]);
  return {
    findings: [
      ...lists,
      ...read.flatMap(({ findings }) => findings),
      ...unsigned(read, options),
      ...judged,
      ...missing(issuers, read),
    ],
    unasked: read.flatMap((one) => one.unasked),
    facts: { ...before, ...Object.fromEntries(found.map(({ id, facts }) => [id, facts])) },
  };
}

function unsigned(read: readonly ReadSource[], { keys }: MetadataOptions): DoctorFinding[] {
  const queried = read.filter(({ source, entity }) => source.isQuery && entity !== null);
  return keys.length > 0 ? [] : queried.map(({ source }) => unverified(source.place));
}

/** Where metadata could not be used, what it has is unknown. */
function missing(issuers: readonly string[], read: readonly ReadSource[]): DoctorFinding[] {
  if (read.some(({ findings, unasked }) => findings.length + unasked.length > 0)) return [];
  const found = read.map(({ entity }) => entity?.id);
  return issuers
    .filter((issuer) => !found.includes(issuer))
    .map((issuer) =>
      finding(
        'entity_missing',
        issuer,
        'None of the metadata has this provider: a service that takes it refuses all its logins.',
        'Check the entity id letter by letter, and ask the federation or the provider whether it left.',
      ),
    );
}
