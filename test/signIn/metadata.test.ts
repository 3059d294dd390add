/** What a sign-in needs of a provider's metadata, why it cannot begin with others, and what to register there before. */
import type { ServerResponse } from 'node:http';
import { describe, expect, jest, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { promptForSomebodyElse, registrations } from '../../tools/shared/providers.ts';
import { fetchSamlMetadata, samlProviderIn } from '../../tools/signIn/metadata.ts';
import { type Described, federationOf, metadataOf, SSO_URL } from '../support/samlMetadata.ts';
import { withoutEnd } from '../support/scriptedOpenIdProvider.ts';
import { sharedServer } from '../support/sharedServer.ts';

const IDP = 'https://idp.example.org/saml';
const OTHER = 'https://idp.example.net/saml';
const [first, second] = await Promise.all([generate(), generate()]);
const certificates = [first.cert, second.cert];

const described = (wishes: Described = {}) => metadataOf({ certificates, ...wishes });

test('metadata names the provider, where a sign-in begins, and every certificate that it may sign with', () => {
  const named = { entityId: IDP, ssoUrl: SSO_URL, wantsSignedRequests: false };
  expect(samlProviderIn(described())).toMatchObject({ ...named, certificates: { length: 2 } });
});

test.each(['true', '1'])('metadata may want signed requests: %s', (value) => {
  const metadata = described({ roleAttributes: `WantAuthnRequestsSigned="${value}"` });
  expect(samlProviderIn(metadata).wantsSignedRequests).toBe(true);
});

test('metadata is usable until it expires', () => {
  const metadata = described({ attributes: 'validUntil="2026-01-01T00:00:00Z"' });
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2025-12-31T23:59:59Z'));
  expect(samlProviderIn(metadata).entityId).toBe(IDP);
  clock.mockReturnValue(Date.parse('2026-01-01T00:00:00Z'));
  expect(() => samlProviderIn(metadata)).toThrow(UnusableInput);
  clock.mockRestore();
});

const FEDERATION = federationOf([described(), described({ entityId: OTHER })]);
const EXPIRED = 'validUntil="2020-01-01T00:00:00Z"';

test('metadata of a federation gives the provider that is chosen', () => {
  expect(samlProviderIn(FEDERATION, { entityId: OTHER }).entityId).toBe(OTHER);
});

test.each<[what: string, metadata: string, message: RegExp, entityId?: string]>([
  ['of several providers', FEDERATION, /expected one provider, or its entityId, found .*idp.example.net/],
  ['of another provider', described(), /expected the provider not-there once, found https:/, 'not-there'],
  ['that has it twice', federationOf([described(), described()]), /once, found .*, /, IDP],
  ['without HTTP-Redirect', described({ bindings: ['HTTP-POST'] }), /HTTP-Redirect, found HTTP-POST/],
  ['without a binding', described({ bindings: [] }), /HTTP-Redirect, found nothing/],
  ['without a certificate', described({ certificates: [] }), /expected a readable certificate for signing/],
  ['that expired', described({ attributes: EXPIRED }), /valid until 2020-01-01T00:00:00Z: fetch/],
  ['of a federation that expired', federationOf([described()], EXPIRED), /valid until/],
  ['whose role expired', described({ roleAttributes: EXPIRED }), /valid until/],
  ['that ends at no time', described({ attributes: 'validUntil="soon"' }), /valid until soon/],
  ['with a script as address', described({ ssoUrl: 'javascript:alert(1)' }), /expected a web address/],
  ['without entityID', described({ entityId: '' }), /expected an entityID/],
])('no sign-in begins with metadata %s', (...[_, metadata, message, entityId]) => {
  expect(() => samlProviderIn(metadata, { entityId })).toThrow(UnusableInput);
  expect(() => samlProviderIn(metadata, { entityId })).toThrow(message);
});

test.each([
  ...['http://127.0.0.1:9200/', 'http://localhost:3000/saml', 'https://localhost/', 'https://127.0.0.1/'],
  ...['https://[::1]/', 'https://idp.localhost/', 'https://0.0.0.0/', 'https://[::ffff:127.0.0.1]/'],
])('a sign-in begins at %s, unless the metadata is from elsewhere', (ssoUrl) => {
  const here = described({ ssoUrl });
  for (const from of ['http://localhost:8080/metadata', 'metadata.xml', undefined])
    expect(samlProviderIn(here, { from }).ssoUrl).toBe(ssoUrl);
  const elsewhere = { from: 'https://idp.example.org/metadata' };
  expect(() => samlProviderIn(here, elsewhere)).toThrow(/is not of this machine, and has/);
});

describe('an address', () => {
  let answer: (response: ServerResponse) => unknown;
  const server = sharedServer((_, response) => void answer(response));

  test('gives the metadata', async () => {
    answer = (response) => response.end(described());
    await expect(fetchSamlMetadata(`${server.url}/metadata`)).resolves.toBe(described());
  });

  test.each<[what: string, answer: (response: ServerResponse) => unknown, message: RegExp]>([
    ['answers an error', (response) => response.writeHead(404).end('no'), /responded with 404/],
    ['leads elsewhere', (response) => response.writeHead(302, { location: '/' }).end(), /with 302/],
    ['sends without end', withoutEnd, /more than 1048576 bytes.*MDQ/],
    ['sends nothing', () => undefined, /did not respond in time/],
    ['hangs up', (response) => response.destroy(), /cannot be reached/],
  ])('that %s is refused', async (_, given, message) => {
    answer = given;
    const refusal = fetchSamlMetadata(`${server.url}/metadata`, 1_000);
    await expect(refusal).rejects.toThrow(UnusableInput);
    await expect(refusal).rejects.toThrow(message);
  });

  test('others could change on its way is refused', async () => {
    for (const address of [
      'http://idp.example.org/metadata',
      'http://localhost.example.org/',
      'ftp://localhost/',
    ])
      await expect(fetchSamlMetadata(address)).rejects.toThrow(
        /Expected an address with https, found \w+:\/\/\w+/,
      );
  });
});

const redirectUri = 'http://localhost:3003/callback/openid';
const entityId = 'http://localhost:3003/saml/metadata';
const acsUrl = 'http://localhost:3003/callback/saml';
const NAMES = ['Keycloak', 'Microsoft Entra', 'Okta', 'Google'];

test.each<['openid' | 'saml', string[], string[]]>([
  ['openid', [redirectUri, 'issuer'], [...NAMES, 'Any other provider']],
  ['saml', [entityId, acsUrl], [...NAMES, 'eduGAIN', 'Any other provider']],
])('each provider of %s is told our addresses, and where its own are', (protocol, told, names) => {
  const all = registrations(protocol, { redirectUri, entityId, acsUrl });
  expect(all.map(({ provider }) => provider)).toEqual(names);
  for (const { steps } of all) for (const text of told) expect(steps.join('\n')).toContain(text);
});

test.each([
  ['https://accounts.google.com', 'select_account'],
  ['https://login.microsoftonline.com/2b1a8f7e/v2.0', 'select_account'],
  ['https://login.microsoftonline.com.example.org', 'login'],
])('%s lets somebody else sign in by prompt=%s', (issuer, prompt) => {
  expect(promptForSomebodyElse(issuer)).toBe(prompt);
});
