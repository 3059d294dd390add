/** What a browser catches of a login at a real provider (samlp), and what is done to it on the way. */
import { encryptionFor } from '../support/samlEncryption.ts';
import { PERSON } from '../support/samlIdp.ts';
import { metadataOf as samlMetadataOf } from '../support/samlMetadata.ts';
import { type SamlProvider, samlProvider } from '../support/samlProvider.ts';
import { ACS, ENTITY_ID, request } from '../support/samlService.ts';

export const ISSUER = 'https://idp.example.org/saml';

/** What samlp takes: its types name the part that most tests need. */
export interface Issued {
  claims?: Record<string, string | string[]>;
  nameIdFormat?: string;
  options?: Record<string, unknown>;
}

export async function provider(): Promise<SamlProvider> {
  return samlProvider(ISSUER, ACS);
}

/** @returns XML */
export async function response(
  by: SamlProvider,
  {
    claims = PERSON,
    nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    options,
  }: Issued = {},
): Promise<string> {
  const profileMapper = () => ({
    getClaims: () => claims,
    getNameIdentifier: () => ({ nameIdentifier: 'ada-1', nameIdentifierFormat: nameIdFormat }),
  });
  const issued = { profileMapper, ...options } as Parameters<SamlProvider['respond']>[1];
  return Buffer.from(await by.respond(request(), issued), 'base64').toString();
}

/** As an administrator turns it on for a service. */
export const encryption = ({ cert }: SamlProvider) => ({ ...encryptionFor(cert), signResponse: true });

export function base64(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

/** The metadata of a provider with this certificate. */
export const metadataOf = (cert: string, entityId = ISSUER) =>
  samlMetadataOf({ entityId, certificates: [cert] });

/** What `SAML_ISSUERS` says of the service. */
export const SAML_ISSUERS = JSON.stringify({ [ISSUER]: { audiences: [ENTITY_ID], recipients: [ACS] } });

/** A HAR file as developer tools save it. */
export function har(...entries: object[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } });
}

export function entry(request: object, content: object = {}, startedDateTime = new Date().toISOString()) {
  return {
    startedDateTime,
    request: { method: 'GET', url: 'https://app.example.net/', headers: [], ...request },
    response: { status: 200, headers: [], content: { size: 0, mimeType: 'text/html', ...content } },
  };
}

/** The POST with which a browser brings a response to the service. */
export function posted(xml: string, startedDateTime?: string) {
  const text = new URLSearchParams({ SAMLResponse: base64(xml), RelayState: 'state' }).toString();
  const postData = { mimeType: 'application/x-www-form-urlencoded', text };
  return entry({ method: 'POST', url: ACS, postData }, {}, startedDateTime);
}
