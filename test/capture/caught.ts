/** What a browser catches of a login at a real provider (samlp), and what is done to it on the way. */
import type { Captured } from '../../tools/capture/captured.ts';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { encryptionFor } from '../support/samlEncryption.ts';
import { type Issued, type SamlProvider, samlProvider } from '../support/samlIdp.ts';
import { metadataOf as samlMetadataOf } from '../support/samlMetadata.ts';
import { ACS, ENTITY_ID, request } from '../support/samlService.ts';

const ISSUER = 'https://idp.example.org/saml';

export const provider = () => samlProvider(ISSUER, ACS);

/** All logins in a text, as they are read at a service with these settings. */
export function readAll(
  text: string,
  settings: NodeJS.ProcessEnv = {},
  metadata?: string,
): Promise<Captured[]> {
  return readCapture(text, { metadata, environment: () => settings });
}

/** The first of them. */
export async function readOne(...given: Parameters<typeof readAll>): Promise<Captured> {
  const [captured] = await readAll(...given);
  if (!captured) throw new Error('nothing was read');
  return captured;
}

/** With their levels. */
export function codes({ findings }: Captured): string[] {
  return findings.map(({ code, level }) => `${level} ${code}`);
}

/** @returns XML */
export function response(by: SamlProvider, issued: Issued = {}): Promise<string> {
  return by.respond(request(), issued);
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
