/** What people catch of a real login in the developer tools of their browser. */
import { SAML } from '@node-saml/node-saml';
import type { Issued, SamlProvider } from '../support/samlProvider.ts';
import { ACS, ENTITY_ID } from '../support/samlService.ts';

const SSO = 'https://idp.example.org/sso';

/** A SAMLResponse as it is posted to the service, in base64. */
export async function caughtResponse(provider: SamlProvider, issued: Issued = {}): Promise<string> {
  const service = new SAML({
    issuer: ENTITY_ID,
    callbackUrl: ACS,
    entryPoint: SSO,
    idpCert: provider.cert,
  });
  return provider.respond(new URL(await service.getAuthorizeUrlAsync('', undefined, {})), issued);
}

/** Metadata of an identity provider, as it publishes them. */
export function metadataOf(issuer: string, { cert }: SamlProvider): string {
  const body = cert.replaceAll(/-----[^-]+-----|\s/g, '');
  return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${body}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${SSO}"/>
  </IDPSSODescriptor>
</EntityDescriptor>`;
}

/** A HAR file (HTTP Archive 1.2) of the requests that lead to a login. */
export function harOf(samlResponse: string): string {
  const request = (method: string, url: string, text?: string) => ({
    startedDateTime: new Date().toISOString(),
    time: 12,
    request: {
      ...{ method, url, httpVersion: 'HTTP/2', cookies: [], headers: [], queryString: [] },
      ...(text !== undefined && {
        postData: { mimeType: 'application/x-www-form-urlencoded', text },
      }),
    },
    response: { status: 302, headers: [], content: { size: 0, mimeType: 'text/html', text: '' } },
  });
  const body = new URLSearchParams({ SAMLResponse: samlResponse, RelayState: 'x' }).toString();
  const entries = [
    request('GET', SSO),
    request('GET', 'https://app.example.net/'),
    request('POST', ACS, body),
  ];
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'Firefox', version: '140' }, entries } });
}

/** An export of the browser's extension SAML-tracer. */
export function traceOf(samlResponse: string): string {
  const saml = Buffer.from(samlResponse, 'base64').toString();
  const post = [['SAMLResponse', samlResponse]];
  return JSON.stringify({
    requests: [
      { method: 'GET', url: SSO, get: [], post: [] },
      { method: 'POST', url: ACS, protocol: 'SAML-P', get: [], post, saml },
    ],
    timestamp: new Date().toISOString(),
  });
}
