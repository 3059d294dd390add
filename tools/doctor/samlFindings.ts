/** What the metadata of SAML providers says against what the stage expects and what was known at the last run. */
import { domainMatcher } from '../../lib/profile/schema/domains.ts';
import { listed } from '../capture/findings.ts';
import { type DoctorFinding, finding, note } from './examination.ts';
import type { MappedIssuer } from './listedIssuers.ts';
import type { EntityFacts } from './samlMetadata.ts';

const HOUR_MS = 3_600_000;

/** When metadata is a finding, and what is now. */
export interface MetadataLifetime {
  /** How long metadata must be valid for. */
  validUntilHours: number;
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** @param validUntil null for metadata without an end */
export function endOf(
  subject: string,
  validUntil: string | null,
  { validUntilHours, nowMs }: MetadataLifetime,
): DoctorFinding[] {
  const left = validUntil === null ? Number.POSITIVE_INFINITY : Date.parse(validUntil) - nowMs;
  const cure = 'Tell the people who publish it: metadata is signed again each day or so.';
  if (left <= 0) {
    const message = `The metadata was valid until ${validUntil}: services that heed that refuse all logins.`;
    return [finding('metadata_ended', subject, message, cure)];
  }
  if (left >= validUntilHours * HOUR_MS) return [];
  const hours = Math.floor(left / HOUR_MS);
  return [
    finding(
      'metadata_ending',
      subject,
      `The metadata is valid for only ${hours} more hours (${validUntil}).`,
      cure,
    ),
  ];
}

/** A federation signs its metadata, so that others cannot change it on the way. */
export function unverified(place: string): DoctorFinding {
  return note(
    'metadata_unverified',
    place,
    "The federation's signature of this metadata is not checked.",
    'Give the certificate or the key that the federation publishes with --metadata-key.',
  );
}

/** What is judged of a provider that has metadata. */
export interface JudgedEntity {
  entityId: string;
  now: EntityFacts;
  /** Of the last run; null where it was not known. */
  before: EntityFacts | null;
  mapped: MappedIssuer | undefined;
  nowMs: number;
}

export function entityFindings(entity: JudgedEntity): DoctorFinding[] {
  const { entityId, now } = entity;
  if (!now.isProvider) {
    const message = 'The entity has metadata, and is no identity provider (IDPSSODescriptor).';
    const cure = 'List the entity id of the provider: the Issuer of its assertions.';
    return [finding('entity_not_a_provider', entityId, message, cure)];
  }
  return [...keyFindings(entity), ...endedCertificates(entity), ...scopeFindings(entity)];
}

function keyFindings({ entityId, now, before }: JudgedEntity): DoctorFinding[] {
  const [keys, known] = [Object.keys(now.keys), Object.keys(before?.keys ?? {})];
  if (keys.length === 0) {
    const message =
      'The metadata has no readable certificate for signing: a service that takes it refuses all logins.';
    return [finding('saml_keys_missing', entityId, message, 'Tell the people who run the provider.')];
  }
  const came = keys.filter((key) => !known.includes(key));
  const went = known.filter((key) => !keys.includes(key));
  if (known.length === 0 || came.length + went.length === 0) return [];
  const what = `${came.length} new, ${went.length} gone, ${keys.length - came.length} as before`;
  if (came.length === keys.length) {
    return [
      finding(
        'saml_keys_replaced',
        entityId,
        `All keys for signing changed since the last run (${what}): a service with the metadata of before refuses all logins.`,
        'Ask the people who run the provider whether they changed them, then have the service take the new metadata.',
      ),
    ];
  }
  return [
    note(
      'saml_keys_changed',
      entityId,
      `The keys for signing changed since the last run (${what}).`,
      'Have the service take the new metadata before the provider signs with a new key alone.',
    ),
  ];
}

/** Services ignore it (SAML Metadata Interoperability Profile 2.6.1), and people do not. */
function endedCertificates({ entityId, now, nowMs }: JudgedEntity): DoctorFinding[] {
  const ended = Object.values(now.keys).filter((end) => Date.parse(end) <= nowMs);
  if (ended.length === 0) return [];
  return [
    note(
      'saml_certificate_ended',
      entityId,
      `A certificate for signing ended (${listed(ended)}). Most services go on, because the metadata says which key counts.`,
      'Ask the people who run the service whether it looks at the end of certificates.',
    ),
  ];
}

/** The domains for which a provider may speak (`shibmd:Scope`) against those that the mapping takes from it. */
function scopeFindings({ entityId, now: { scopes }, mapped }: JudgedEntity): DoctorFinding[] {
  const taken = (mapped?.rules ?? []).flatMap((rule) => ('scopes' in rule ? rule.scopes : []));
  if (scopes === null || taken.length === 0) return [];
  const isTaken = domainMatcher(taken);
  const foreign = taken.filter((scope) => !scopes.some(domainMatcher([scope])));
  const refused = scopes.filter((scope) => !isTaken(scope));
  return [
    ...(foreign.length === 0
      ? []
      : [
          finding(
            'scope_not_of_provider',
            entityId,
            `The mapping takes ${listed(foreign)} from this provider, which by its metadata speaks for ${listed(scopes)}.`,
            'Give each issuer a rule with its own scopes, or remove the scope.',
          ),
        ]),
    ...(refused.length === 0
      ? []
      : [
          note(
            'scope_not_in_mapping',
            entityId,
            `By its metadata, the provider speaks for ${listed(refused)} too, which the mapping refuses.`,
            'Add the scope to the rule of this issuer, if its people may log in.',
          ),
        ]),
  ];
}
