/**
 * Sign-ins at one's own SAML provider: an AuthnRequest by HTTP-Redirect, the response by HTTP-POST (SAML Profiles 4.1). The
 * caller opens an address in a browser, and brings what the browser posts. Nothing is written, and all stays in memory.
 */
import { createSign, randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { KINDS } from '../../lib/kinds.ts';
import type { Captured } from '../capture/captured.ts';
import { ASSERTION, PROTOCOL } from '../capture/xml.ts';
import { Pending } from './callback.ts';
import type { SamlIdentity } from './identity.ts';
import type { SamlProvider } from './metadata.ts';
import { probeSaml } from './probe.ts';
import { SignInRefused, UnknownState } from './refusals.ts';
import { readResponse, type SamlRequest } from './response.ts';

export interface SamlOptions {
  identity: SamlIdentity;
  environment: (functionName: string) => NodeJS.ProcessEnv;
  /** Of a request to the provider, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
}

/** The fields of the form that the browser posts. */
export type SamlCallback = Partial<Record<'SAMLResponse' | 'RelayState', string>>;

const REQUEST_ID_BYTES = 20;
const TIMEOUT_MS = 10_000;

export class SamlSignIns {
  readonly #identity: SamlIdentity;
  readonly #environment: SamlOptions['environment'];
  readonly #timeoutMs: number;
  readonly #waiting = new Pending<SamlRequest>();

  constructor({ identity, environment, timeoutMs = TIMEOUT_MS }: SamlOptions) {
    this.#identity = identity;
    this.#environment = environment;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends a request of its own once without a person: providers may refuse a second one with the same id.
   *
   * @returns what the provider seems to object to, in a sentence; null for nothing
   * @throws {SignInRefused} where the provider says what is registered otherwise
   */
  probe(provider: SamlProvider): Promise<string | null> {
    const url = requestUrl(requestTo(provider), { identity: this.#identity, relayState: 'probe' });
    return probeSaml(url, provider, this.#identity, this.#timeoutMs);
  }

  /**
   * @param who `somebodyElse`: the provider asks who signs in where somebody is signed in (SAML Core 3.4.1, ForceAuthn)
   * @returns the address to open in a browser. It is of use once, for ten minutes
   */
  start(provider: SamlProvider, { somebodyElse = false } = {}): string {
    const request = requestTo(provider);
    const relayState = this.#waiting.put(request);
    return requestUrl(request, { identity: this.#identity, relayState, somebodyElse });
  }

  /**
   * @throws {UnknownState} for a callback that belongs to no sign-in that waits
   * @throws {SignInRefused} where there is no login: then the sign-in is over
   */
  async finish({ SAMLResponse = '', RelayState = '' }: SamlCallback): Promise<Captured> {
    const request = this.#waiting.take(RelayState);
    if (request === null) throw new UnknownState();
    if (SAMLResponse === '') {
      throw new SignInRefused(
        'The callback has no SAMLResponse: have the provider send its response by POST (HTTP-POST binding).',
      );
    }
    const xml = Buffer.from(SAMLResponse, 'base64').toString('utf8');
    return readResponse(xml, request, this.#identity, this.#environment(KINDS.SAML.functionName));
  }
}

function requestTo(provider: SamlProvider): SamlRequest {
  return { provider, requestId: `_${randomBytes(REQUEST_ID_BYTES).toString('hex')}` };
}

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

interface Asking {
  identity: SamlIdentity;
  /** Comes back with the response. */
  relayState: string;
  /** Whether the provider asks who signs in where somebody is signed in (ForceAuthn). */
  somebodyElse?: boolean;
}

/**
 * A request to sign somebody in, by redirect (SAML Core 3.4.1, Bindings 3.4).
 *
 * @returns the address to open in a browser; signed where the provider wants that (Bindings 3.4.4.1)
 */
export function requestUrl({ provider, requestId }: SamlRequest, asking: Asking): string {
  const { identity, relayState } = asking;
  const xml = requestXml(provider.ssoUrl, requestId, asking);
  const query = new URLSearchParams({
    SAMLRequest: deflateRawSync(xml).toString('base64'),
    RelayState: relayState,
  });
  if (provider.wantsSignedRequests) {
    query.set('SigAlg', RSA_SHA256);
    const signer = createSign('sha256').update(query.toString());
    query.set('Signature', signer.sign(identity.signing.privateKey, 'base64'));
  }
  const url = new URL(provider.ssoUrl);
  for (const [name, value] of query) url.searchParams.set(name, value);
  return url.href;
}

/** It asks for no format of the NameID and no way to sign in: the person signs in as at the service. */
function requestXml(ssoUrl: string, requestId: string, { identity, somebodyElse = false }: Asking): string {
  const attributes = {
    'xmlns:samlp': PROTOCOL,
    ID: requestId,
    Version: '2.0',
    IssueInstant: new Date().toISOString(),
    ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
    Destination: ssoUrl,
    ...(somebodyElse && { ForceAuthn: 'true' }),
    AssertionConsumerServiceURL: identity.acsUrl,
  };
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const issuer = `<saml:Issuer xmlns:saml="${ASSERTION}">${escaped(identity.entityId)}</saml:Issuer>`;
  return `<samlp:AuthnRequest${written.join('')}>${issuer}<samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
