/** Metadata of SAML providers. */
import { X509Certificate } from 'node:crypto';

export const SSO_URL = 'https://idp.example.org/sso';
const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings:';

export interface Described {
  entityId?: string;
  /** In PEM. */
  certificates?: string[];
  /** Of the SingleSignOnService. */
  bindings?: string[];
  ssoUrl?: string;
  /** Attributes of the IDPSSODescriptor and of the EntityDescriptor, as XML has them. */
  roleAttributes?: string;
  attributes?: string;
}

export function metadataOf({
  entityId = 'https://idp.example.org/saml',
  certificates = [],
  bindings = ['HTTP-POST', 'HTTP-Redirect'],
  ssoUrl = SSO_URL,
  roleAttributes = '',
  attributes = '',
}: Described = {}): string {
  const keys = certificates.map((pem) => {
    const der = new X509Certificate(pem).raw.toString('base64');
    return `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${der}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  });
  const services = bindings.map(
    (binding) => `<md:SingleSignOnService Binding="${BINDINGS}${binding}" Location="${ssoUrl}"/>`,
  );
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}" ${attributes}>
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${roleAttributes}>
    ${[...keys, ...services].join('\n    ')}
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;
}

export function federationOf(entities: string[], attributes = ''): string {
  return `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ${attributes}>${entities.join('\n')}</md:EntitiesDescriptor>`;
}
