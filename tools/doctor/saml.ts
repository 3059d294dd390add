/** SAML providers: their metadata, by address, file or a federation's query service (MDQ), against what the stage lists. */
import { X509Certificate } from 'node:crypto';
import { domainMatcher } from '../../lib/profile/schema/domains.ts';
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { listed } from '../capture/findings.ts';
import { entitiesIn, ONE_PROVIDER } from '../capture/metadata.ts';
import { usesSha1, verify } from '../capture/signatures.ts';
import {
  attributeOf,
  elementsBelow,
  elementsIn,
  isElement,
  METADATA,
  parseXml,
  withLineEnds,
} from '../capture/xml.ts';
import { readTextFile, UnusableInput } from '../shared/commandLine.ts';
import { error, type Finding, note, warning } from '../shared/finding.ts';
import { fetchSamlMetadata, MetadataRefused } from '../signIn/metadata.ts';
import { inconclusive } from './findings.ts';
import type { ListedIssuer } from './issuers.ts';

/** In the address of a federation's metadata query service: stands for the entity id. */
const ENTITY_ID = '{entityID}';
const SHIBBOLETH = 'urn:mace:shibboleth:metadata:1.0';
const HOUR_MS = 3_600_000;
/** Metadata is signed again each day or so. */
const MIN_HOURS = 24;

export interface MetadataOptions {
  /** Addresses, addresses with `{entityID}`, and files. */
  metadata: readonly string[];
  /** In PEM, one of which signs all of it; empty where signatures are not checked. */
  keys: readonly string[];
  /** Milliseconds since 1970. */
  nowMs: number;
}

export async function samlFindings(
  issuers: readonly ListedIssuer[],
  { metadata, keys, nowMs }: MetadataOptions,
): Promise<Finding[]> {
  if (issuers.length === 0) return [];
  if (metadata.length === 0) return [inconclusive('SAML', `no metadata is given: ${GIVE_IT}`)];
  const places = metadata.flatMap((place) => placesOf(place, issuers));
  const read = await Promise.all(places.map((place) => readPlace(place, keys)));
  const unusable = read.filter((one): one is Finding => one !== null && 'code' in one);
  const entities = read.filter((one): one is Entity => one !== null && 'root' in one);
  const found = issuers.flatMap((listedIssuer) => {
    const own = entities.filter(({ root }) => attributeOf(root, 'entityID') === listedIssuer.issuer);
    if (own.length > 0) return own.flatMap((entity) => ofEntity(entity, listedIssuer, nowMs));
    // What could not be read may have it.
    return unusable.length > 0 ? [] : [missing(listedIssuer.issuer)];
  });
  return [...unusable, ...found];
}

const GIVE_IT = `add --metadata <address or file> of each provider, or the address of the federation with ${ENTITY_ID} (MDQ)`;

function missing(issuer: string): Finding {
  const message = 'none of the metadata has this provider: a service that takes it refuses all its logins';
  const change = 'check the entity id letter by letter, and ask the provider whether it left the federation';
  return error('entity_missing', issuer, message, change);
}

/** @throws {UnusableInput} for an address with a password */
function placesOf(place: string, issuers: readonly ListedIssuer[]): string[] {
  const { username = '', password = '' } = URL.parse(place) ?? {};
  if (username + password !== '')
    throw new UnusableInput('--metadata: expected an address without user name and password');
  if (!place.includes(ENTITY_ID)) return [place];
  return issuers.map(({ issuer }) => place.replaceAll(ENTITY_ID, encodeURIComponent(issuer)));
}

/** What a place says of one entity: only what is signed, where signatures are checked. */
interface Entity {
  xml: string;
  root: Element;
}

/**
 * @param keys in PEM, one of which has to sign the metadata; empty where its signature is not checked
 * @returns null for what is not there, and why it cannot be used
 */
async function readPlace(place: string, keys: readonly string[]): Promise<Entity | Finding | null> {
  try {
    const text = /^https?:/i.test(place) ? await fetchSamlMetadata(place) : await readTextFile(place);
    return entityIn(text, place, keys);
  } catch (failure) {
    if (!(failure instanceof UnusableInput)) throw failure;
    const isAbsent = failure instanceof MetadataRefused && failure.status === 404;
    return isAbsent ? null : inconclusive(place, failure.message);
  }
}

function entityIn(text: string, place: string, keys: readonly string[]): Entity | Finding {
  const xml = withLineEnds(text.replace(/^\uFEFF/, '').trim());
  try {
    const root = parseXml(xml, 'the metadata', ONE_PROVIDER);
    if (!isElement(root, METADATA, 'EntityDescriptor'))
      throw new UnusableInput(`expected an EntityDescriptor: ${ONE_PROVIDER}`);
    if (keys.length === 0) return { xml, root };
    const covered = usesSha1(root) ? null : verify(xml, root, keys);
    if (covered === null) return wronglySigned(place);
    return { xml: covered, root: parseXml(covered, 'the metadata') };
  } catch (problem) {
    if (!(problem instanceof UnusableInput)) throw problem;
    const message = `this is not the metadata of a provider: ${problem.message}`;
    return error('metadata_unusable', place, message, GIVE_IT);
  }
}

/** Of what no pinned key signed, nothing is believed. */
function wronglySigned(place: string): Finding {
  const message =
    'no signature by a key of --metadata-key, of an algorithm that is accepted here, covers the metadata: nothing of it is believed';
  const change = 'compare the key with the one that the federation publishes elsewhere';
  return error('metadata_signature_wrong', place, message, change);
}

function ofEntity({ xml, root }: Entity, { issuer, scopes: taken }: ListedIssuer, nowMs: number): Finding[] {
  if (elementsIn(root, METADATA, 'IDPSSODescriptor').length === 0) {
    const message = 'the entity has metadata, and is no identity provider (IDPSSODescriptor)';
    const change = 'list the entity id of the provider: the Issuer of its assertions';
    return [error('entity_not_a_provider', issuer, message, change)];
  }
  const [{ certificates = [], validUntil = [] } = {}] = entitiesIn(xml);
  // A text that is no date-time counts as over.
  const endMs = Math.min(...validUntil.map((text) => parseDateTime(text)?.getTime() ?? 0));
  const scopes = scopesOf(root);
  const findings: Finding[] = [];
  const hours = Math.floor((endMs - nowMs) / HOUR_MS);
  const publishers = 'tell the people who publish it';
  if (endMs <= nowMs) {
    const message = 'the metadata has ended: services that heed that refuse all logins';
    findings.push(error('metadata_ended', issuer, message, publishers));
  } else if (hours < MIN_HOURS) {
    const message = `the metadata is valid for only ${hours} more hours`;
    findings.push(warning('metadata_ending', issuer, message, publishers));
  }
  if (certificates.length === 0) {
    const message =
      'the metadata has no readable certificate for signing: a service that takes it refuses all logins';
    findings.push(error('saml_keys_missing', issuer, message, 'tell the people who run the provider'));
  }
  // Services ignore it (SAML Metadata Interoperability Profile 2.6.1), and people do not.
  if (certificates.some((pem) => new X509Certificate(pem).validToDate.getTime() <= nowMs)) {
    const message = 'a certificate for signing has ended, which most services ignore';
    const change = 'ask the people who run the service whether it looks at the end of certificates';
    findings.push(note('saml_certificate_ended', issuer, message, change));
  }
  // The domains for which a provider may speak (`shibmd:Scope`) are compared with those that the mapping takes from it.
  const foreign = taken.filter((scope) => !scopes?.some(domainMatcher([scope])));
  if (scopes !== null && foreign.length > 0) {
    const message = `the mapping takes ${listed(foreign)} from this provider, which by its metadata speaks for ${listed(scopes)}`;
    const change = 'give each issuer a rule with its own scopes, or remove the scope';
    findings.push(error('scope_not_of_provider', issuer, message, change));
  }
  return findings;
}

/** @returns null where it names none, or a pattern among them (`regexp`) */
function scopesOf(root: Element): string[] | null {
  const scopes = elementsBelow(root, SHIBBOLETH, 'Scope');
  const isPattern = (scope: Element) => ['true', '1'].includes(attributeOf(scope, 'regexp') ?? '');
  if (scopes.length === 0 || scopes.some(isPattern)) return null;
  return scopes.map(({ textContent }) => (textContent ?? '').trim());
}
