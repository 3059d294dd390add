/** What a sign-in needs of a SAML provider, out of its metadata by address, file or paste. */
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { listed, quoted } from '../capture/findings.ts';
import { entitiesIn, type Provider } from '../capture/metadata.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { boundedFetch } from './requests.ts';

export interface SamlProvider extends Pick<Provider, 'entityId' | 'certificates' | 'wantsSignedRequests'> {
  /** Where a sign-in begins, by the HTTP-Redirect binding (SAML Bindings 3.4). */
  ssoUrl: string;
}

export interface Choice {
  /** Of the provider. Needed where the metadata has several. */
  entityId?: string | undefined;
  /** The address or the file that the metadata is from; undefined for a paste. */
  from?: string | undefined;
}

/**
 * @param metadata an `EntityDescriptor`, or an `EntitiesDescriptor` with a few of them
 * @throws {UnusableInput} for metadata that no sign-in can begin with, and where it has several providers and none is chosen
 */
export function samlProviderIn(metadata: string, { entityId, from = '' }: Choice = {}): SamlProvider {
  const entity = chosen(entitiesIn(metadata), entityId);
  const { certificates, wantsSignedRequests } = entity;
  const name = `the metadata of ${quoted(entity.entityId) || 'a provider without entityID'}`;
  if (entity.entityId === '') throw new UnusableInput(`${name}: expected an entityID`);
  if (certificates.length === 0) {
    throw new UnusableInput(
      `${name}: expected a readable certificate for signing, without which no response can be checked`,
    );
  }
  requireValid(entity, name);
  const ssoUrl = redirectUrl(entity, name);
  if (isElsewhere(from) && isOfThisMachine(ssoUrl)) {
    throw new UnusableInput(
      `${name} is not of this machine, and has a SingleSignOnService that is: expected its own address`,
    );
  }
  return { entityId: entity.entityId, certificates, wantsSignedRequests, ssoUrl };
}

function chosen(entities: Provider[], entityId: string | undefined): Provider {
  const [entity, ...others] = entities.filter((one) => entityId === undefined || one.entityId === entityId);
  if (entity !== undefined && others.length === 0) return entity;
  const expected =
    entityId === undefined ? 'one provider, or its entityId' : `the provider ${quoted(entityId)} once`;
  const found = entities.map((one) => quoted(one.entityId) || 'one without entityID').join(', ');
  throw new UnusableInput(`the metadata: expected ${expected}, found ${found}`);
}

/** Metadata without `validUntil` has no end. A text that is no date-time counts as over. */
function requireValid({ validUntil }: Provider, name: string): void {
  const over = validUntil.find((text) => (parseDateTime(text)?.getTime() ?? 0) <= Date.now());
  if (over === undefined) return;
  throw new UnusableInput(`${name} was valid until ${quoted(over)}: fetch it again from the provider`);
}

function redirectUrl({ ssoUrls }: Provider, name: string): string {
  const url = ssoUrls.get('HTTP-Redirect');
  if (url === undefined) {
    throw new UnusableInput(
      `${name}: expected a SingleSignOnService with the binding HTTP-Redirect, found ${listed(ssoUrls.keys())}: turn it on at the provider, or paste a response of it`,
    );
  }
  // A browser is sent there: no other scheme may run in it.
  if (['https:', 'http:'].includes(URL.parse(url)?.protocol ?? '')) return url;
  throw new UnusableInput(`${name}: expected a web address as Location of SingleSignOnService`);
}

const TIMEOUT_MS = 10_000;

/** Thrown where another status than that of metadata is sent. */
export class MetadataRefused extends UnusableInput {
  readonly status: number;

  constructor(address: string, status: number) {
    super(`${quoted(new URL(address).host)} responded with ${status} instead of metadata: check the address`);
    this.status = status;
  }
}

/**
 * @param address https, or http on this machine. A redirect is no metadata: it could lead to another address of this machine
 * @param timeoutMs for all of it
 * @returns metadata, not yet read
 * @throws {UnusableInput}
 */
export async function fetchSamlMetadata(address: string, timeoutMs = TIMEOUT_MS): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const asked = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const;
  const response = await boundedFetch(address, asked);
  if (response.ok) return response.text();
  throw new MetadataRefused(address, response.status);
}

/** Whether it is a web address that may lead to no address on this machine. */
function isElsewhere(source: string): boolean {
  return /^https?:/i.test(source) && !isOfThisMachine(source);
}

/** By its name: a name of another place may have an address of this machine, and that is the operator's to know. */
function isOfThisMachine(address: string): boolean {
  const { hostname = '' } = URL.parse(address) ?? {};
  return /^(?:(?:.*\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(
    hostname,
  );
}
