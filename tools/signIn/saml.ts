/**
 * Sign-ins at one's own SAML provider: an AuthnRequest by HTTP-Redirect, the response by HTTP-POST (SAML Profiles 4.1). The
 * caller opens an address in a browser, and brings what the browser posts. Nothing is written, and all stays in memory.
 */
import { randomBytes } from 'node:crypto';
import { type CacheProvider, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { readConfiguration } from '../../lib/settings.ts';
import type { Captured } from '../capture/captured.ts';
import { parsedAssertion } from '../capture/parsedAssertion.ts';
import { serviceEvents } from '../capture/serviceEvent.ts';
import { parseXml } from '../capture/xml.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { boundedFetch } from './openidFetch.ts';
import type { Requests } from './openidProvider.ts';
import { SignInRefused, UnknownState } from './refused.ts';
import { type SamlRequest, unmetExpectations } from './samlExpectations.ts';
import type { SamlIdentity } from './samlIdentity.ts';
import { type Opened, openedResponse } from './samlOpened.ts';
import { probeSaml } from './samlProbe.ts';
import type { SamlProvider } from './samlProviderMetadata.ts';
import {
  allFindings,
  refusedBy,
  refusedByProvider,
  refusedByUs,
  signedAssertion,
  signedResponse,
} from './samlRefusals.ts';
import { States } from './states.ts';

export interface SamlOptions {
  identity: SamlIdentity;
  /** The settings by which the login is judged. */
  environment: (functionName: string) => NodeJS.ProcessEnv;
  /** Of a request to the provider, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
}

/** The fields of the form that the browser posts; each is a text where the form is right. */
export interface SamlCallback {
  SAMLResponse?: unknown;
  RelayState?: unknown;
}

const FUNCTION_NAME = 'samlLoggedIn';
const REQUEST_ID_BYTES = 20;
const TIMEOUT_MS = 10_000;

/** node-saml opens fewer encrypted assertions than providers send: they are opened before. */
class Service extends SAML {
  /** @param xml an assertion that a signature covers: its times, audience and request are checked */
  async validateSigned(
    xml: string,
    { requestId }: SamlRequest,
  ): ReturnType<SAML['validatePostResponseAsync']> {
    return this.processValidlySignedAssertionAsync(xml, xml, requestId);
  }
}

export class SamlSignIns {
  readonly #identity: SamlIdentity;
  readonly #environment: (functionName: string) => NodeJS.ProcessEnv;
  readonly #requests: Requests;
  readonly #waiting = new States<SamlRequest>();

  constructor({ identity, environment, timeoutMs = TIMEOUT_MS }: SamlOptions) {
    this.#identity = identity;
    this.#environment = environment;
    this.#requests = { fetch: boundedFetch(), timeoutMs };
  }

  /**
   * Sends a request of its own once without a person: providers may refuse a second one with the same id.
   *
   * @returns what the provider seems to object to, in a sentence; null for nothing
   * @throws {SignInRefused} where the provider says what is registered otherwise
   */
  async probe(provider: SamlProvider): Promise<string | null> {
    const url = await this.#service(requestTo(provider)).getAuthorizeUrlAsync('probe', undefined, {});
    return probeSaml(url, provider, this.#identity, this.#requests);
  }

  /**
   * @param who `somebodyElse`: the provider asks who signs in where somebody is signed in (SAML Core 3.4.1, ForceAuthn)
   * @returns the address to open in a browser. It is of use once, for ten minutes
   */
  start(provider: SamlProvider, { somebodyElse = false } = {}): Promise<string> {
    const request = requestTo(provider);
    const state = this.#waiting.put(request);
    return this.#service(request, somebodyElse).getAuthorizeUrlAsync(state, undefined, {});
  }

  /**
   * @throws {UnknownState} for a callback that belongs to no sign-in that waits
   * @throws {SamlRefused} with all findings, where the response is refused: then the sign-in is over
   * @throws {SignInRefused} for what is no response of SAML: then it is over too
   */
  async finish({ SAMLResponse, RelayState }: SamlCallback): Promise<Captured> {
    const request = typeof RelayState === 'string' ? this.#waiting.take(RelayState) : null;
    if (request === null) throw new UnknownState();
    if (typeof SAMLResponse !== 'string' || SAMLResponse === '') {
      throw new SignInRefused({
        ours: 'The callback has no SAMLResponse: have the provider send its response by POST (HTTP-POST binding).',
      });
    }
    const opened = await opening(SAMLResponse, this.#identity);
    const judged = { opened, request, identity: this.#identity, nowMs: Date.now() };
    const findings = allFindings({ ...judged, environment: this.#environment(FUNCTION_NAME) });
    const refused = refusedByProvider(opened.response, findings);
    if (refused !== null) throw refused;
    const xml = await this.#validated(opened, request).catch(() => {
      throw refusedByUs(findings);
    });
    const verified = parseXml(xml, 'the assertion');
    const [unmet] = unmetExpectations(opened.response, verified, request, this.#identity);
    if (unmet) throw refusedBy(unmet, findings);
    // Where no event can be made of it, a finding says why.
    const { events } = serviceEvents({ assertion: parsedAssertion(verified) });
    return { kind: 'SAMLResponse', where: 'signed in', functionName: FUNCTION_NAME, events, findings };
  }

  /** The assertion that a signature of the provider covers. Whatever else is in the response does not count. */
  async #validated(opened: Opened, request: SamlRequest): Promise<string> {
    const service = this.#service(request);
    const response = { SAMLResponse: Buffer.from(opened.xml).toString('base64') };
    const { profile } = await (opened.decrypted === null
      ? service.validatePostResponseAsync(response)
      : service.validateSigned(await this.#signed(opened, request), request));
    const assertion = profile?.getAssertionXml?.();
    if (!assertion) throw new Error('Missing SAML assertion');
    return assertion;
  }

  /** Of an assertion that was encrypted, what a signature covers: that of the response, or its own. */
  async #signed(opened: Opened, { provider }: SamlRequest): Promise<string> {
    const response = signedResponse(opened, provider.certificates);
    const signed =
      response === null
        ? signedAssertion(opened, provider.certificates)
        : (await opening(Buffer.from(response).toString('base64'), this.#identity)).decrypted;
    if (signed === null) throw new Error('Invalid signature');
    return signed;
  }

  /** One for each sign-in: it knows a single request. */
  #service({ provider, requestId }: SamlRequest, forceAuthn = false): Service {
    const { entityId, acsUrl, signing } = this.#identity;
    const { settings } = readConfiguration('SAML', this.#environment(FUNCTION_NAME));
    return new Service({
      ...{ issuer: entityId, audience: entityId, callbackUrl: acsUrl },
      ...{ entryPoint: provider.ssoUrl, idpCert: provider.certificates },
      ...(provider.wantsSignedRequests && {
        privateKey: signing.privateKey,
        signatureAlgorithm: 'sha256' as const,
      }),
      // One of the two has to be signed: node-saml refuses a response without either.
      ...{ wantAuthnResponseSigned: false, wantAssertionsSigned: false },
      // The person signs in as at the service, with a second factor too.
      ...{ identifierFormat: null, disableRequestedAuthnContext: true, forceAuthn },
      acceptedClockSkewMs: settings.clockSkewSeconds * 1_000,
      validateInResponseTo: ValidateInResponseTo.always,
      generateUniqueId: () => requestId,
      cacheProvider: onlyRequest(requestId),
      // `States` ends it earlier.
      requestIdExpirationPeriodMs: Number.MAX_SAFE_INTEGER,
    });
  }
}

function requestTo(provider: SamlProvider): SamlRequest {
  return { provider, requestId: `_${randomBytes(REQUEST_ID_BYTES).toString('hex')}` };
}

function onlyRequest(requestId: string): CacheProvider {
  const startedAt = new Date().toISOString();
  return {
    saveAsync: async () => null,
    getAsync: async (id) => (id === requestId ? startedAt : null),
    removeAsync: async () => null,
  };
}

async function opening(samlResponse: string, { encryption }: SamlIdentity): Promise<Opened> {
  try {
    return await openedResponse(samlResponse, encryption.privateKey);
  } catch (error) {
    if (!(error instanceof UnusableInput) || error instanceof SignInRefused) throw error;
    throw new SignInRefused({ ours: `The response cannot be read: ${error.message}.` });
  }
}
