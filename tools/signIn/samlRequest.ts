/** A request to sign somebody in, by redirect (SAML Core 3.4.1, Bindings 3.4). */
import { createSign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { ASSERTION, PROTOCOL } from '../capture/xml.ts';
import type { SamlRequest } from './samlExpectations.ts';
import type { SamlIdentity } from './samlIdentity.ts';

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

export interface Asking {
  identity: SamlIdentity;
  /** Comes back with the response. */
  relayState: string;
  /** Whether the provider asks who signs in where somebody is signed in (ForceAuthn). */
  somebodyElse?: boolean;
}

/** @returns the address to open in a browser; signed where the provider wants that (Bindings 3.4.4.1) */
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
