/**
 * Sign-ins at one's own SAML provider: an AuthnRequest by HTTP-Redirect, the response by HTTP-POST (SAML Profiles 4.1). The
 * caller opens an address in a browser, and brings what the browser posts. Nothing is written, and all stays in memory.
 */
import { randomBytes } from 'node:crypto';
import { readConfiguration } from '../../lib/readSettings.ts';
import type { Captured } from '../capture/captured.ts';
import { parsedAssertion } from '../capture/parsedAssertion.ts';
import { serviceEvents } from '../capture/serviceEvent.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Opened, openedResponse } from './decryption.ts';
import { boundedFetch } from './openidFetch.ts';
import type { Requests } from './openidProvider.ts';
import { SignInRefused, UnknownState } from './refused.ts';
import { type SamlRequest, unmetExpectations } from './samlExpectations.ts';
import type { SamlIdentity } from './samlIdentity.ts';
import { probeSaml } from './samlProbe.ts';
import type { SamlProvider } from './samlProviderMetadata.ts';
import { allFindings, refusedBy, refusedByProvider, refusedByUs, signedAssertion } from './samlRefusals.ts';
import { requestUrl } from './samlRequest.ts';
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
  probe(provider: SamlProvider): Promise<string | null> {
    const url = requestUrl(requestTo(provider), { identity: this.#identity, relayState: 'probe' });
    return probeSaml(url, provider, this.#identity, this.#requests);
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
    const identity = this.#identity;
    const environment = this.#environment(FUNCTION_NAME);
    const { clockSkewSeconds } = readConfiguration('SAML', environment).settings;
    const expected = { request, identity, nowMs: Date.now(), skewMs: clockSkewSeconds * 1_000 };
    const opened = opening(SAMLResponse, identity);
    const findings = allFindings(opened, expected, environment);
    const refused = refusedByProvider(opened.response, findings);
    if (refused !== null) throw refused;
    const assertion = signedAssertion(opened, request.provider, identity);
    if (assertion === null) throw refusedByUs(findings);
    const [unmet] = unmetExpectations(opened.response, assertion, expected);
    if (unmet) throw refusedBy(unmet, findings);
    // Where no event can be made of it, a finding says why.
    const { events } = serviceEvents({ assertion: parsedAssertion(assertion) });
    return { kind: 'SAMLResponse', where: 'signed in', functionName: FUNCTION_NAME, events, findings };
  }
}

function requestTo(provider: SamlProvider): SamlRequest {
  return { provider, requestId: `_${randomBytes(REQUEST_ID_BYTES).toString('hex')}` };
}

/** @param samlResponse in base64 (SAML Bindings 3.5.4) */
function opening(samlResponse: string, { encryption }: SamlIdentity): Opened {
  try {
    return openedResponse(Buffer.from(samlResponse, 'base64').toString('utf8'), encryption.privateKey);
  } catch (error) {
    if (!(error instanceof UnusableInput) || error instanceof SignInRefused) throw error;
    throw new SignInRefused({ ours: `The response cannot be read: ${error.message}.` });
  }
}
