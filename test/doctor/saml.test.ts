/** SAML metadata as the doctor sees it: with what a federation adds, and what goes wrong. */
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type MetadataOptions, samlFindings } from '../../tools/doctor/saml.ts';
import { type Described, federationOf, metadataOf } from '../support/samlMetadata.ts';
import { selfSigned } from '../support/servers.ts';
import { sharedServer } from '../support/sharedServer.ts';
import { type SigningMethod, signXml } from '../support/signXml.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const ISSUER = 'https://idp.example.org/saml';
const NOW = Date.now();
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();

const folder = temporaryFolder();
const own = await selfSigned('idp.example');
const federation = await selfSigned('federation.example');
/** What is served: metadata, or a status. */
let served: string | number;
const server = sharedServer((_, response) => {
  if (typeof served === 'number') response.writeHead(served).end();
  else response.end(served);
});
beforeEach(() => {
  server.requests.length = 0;
  served = metadata();
});

const metadata = (described: Described = {}) =>
  metadataOf({ entityId: ISSUER, certificates: [own.cert], ...described });

/** A certificate whose key is of an algorithm that there is not, instead of RSA (RFC 8017 A.1). */
function ofUnknownKind(pem: string): string {
  const hex = new X509Certificate(pem).raw.toString('hex');
  const der = Buffer.from(hex.replace('2a864886f70d010101', '2a864886f70d010163'), 'hex');
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----`;
}

const withAttributes = (attributes: string) => metadata({ attributes });
const withScopes = (...scopes: string[]) => {
  const elements = scopes.map((scope) => `<shibmd:Scope>${scope}</shibmd:Scope>`).join('');
  const extensions = `<md:Extensions xmlns:shibmd="urn:mace:shibboleth:metadata:1.0">${elements}</md:Extensions>`;
  return metadata().replace('<md:KeyDescriptor', `${extensions}$&`);
};
const signed = (xml = withAttributes('ID="_1"'), method: SigningMethod = {}) =>
  signXml(xml, '/*', '/*', { privateKey: federation.key }, method);

/** Of what is served at an address. */
async function examine(options: Partial<MetadataOptions> = {}, scopes: string[] = []): Promise<string[]> {
  const issuers = [{ issuer: ISSUER, userinfo: false, scopes }];
  const given = { metadata: [`${server.url}/metadata`], keys: [], nowMs: NOW, ...options };
  const findings = await samlFindings(issuers, given);
  return findings.map(({ level, code }) => `${level} ${code}`);
}

const FOR_ENCRYPTION = metadata().replace('use="signing"', 'use="encryption"');
const OF_UNKNOWN_KIND = metadata({ certificates: [ofUnknownKind(own.cert)] });
const PATTERNS = withScopes('a.example').replace('<shibmd:Scope>', '<shibmd:Scope regexp="true">');

test.each<[what: string, served: string, scopes: string[], ...found: string[]]>([
  ['an end that is past', withAttributes(`validUntil="${inHours(-1)}"`), [], 'error metadata_ended'],
  ['an end that is near', withAttributes(`validUntil="${inHours(23)}"`), [], 'warning metadata_ending'],
  ['an end that is far', withAttributes(`validUntil="${inHours(24)}"`), []],
  ['an end that is no time', withAttributes('validUntil="soon"'), [], 'error metadata_ended'],
  ['another entity', metadata({ entityId: 'https://other.example' }), [], 'error entity_missing'],
  ['a service', metadata().replaceAll('IDPSSO', 'SPSSO'), [], 'error entity_not_a_provider'],
  ['no key for signing', FOR_ENCRYPTION, [], 'error saml_keys_missing'],
  ['a key of an unknown kind', OF_UNKNOWN_KIND, [], 'error saml_keys_missing'],
  ['what is cut off', metadata().slice(0, -9), [], 'error metadata_unusable'],
  ['a federation', federationOf([metadata()]), [], 'error metadata_unusable'],
  ['another’s scope', withScopes('a.example'), ['a.example', 'b.example'], 'error scope_not_of_provider'],
  ['its own scopes', withScopes('a.example', 'x.b.example'), ['a.example', '*.b.example']],
  ['scopes that are patterns', PATTERNS, ['b.example']],
])('%s', async (_, given, scopes, ...found) => {
  served = given;
  expect(await examine({}, scopes)).toEqual(found);
});

test('a certificate that has ended is a note', async () => {
  const nowMs = NOW + 2 * 365 * 24 * HOUR_MS;
  expect(await examine({ nowMs })).toEqual(['note saml_certificate_ended']);
});

const SHA1 = { uri: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', hash: 'sha1', isPss: false };
const WRONG = ['error metadata_signature_wrong'];
const IN_SIGNATURE = `$&<Object><s:Scope xmlns:s="urn:mace:shibboleth:metadata:1.0">b.example</s:Scope></Object>`;
const WITH_SCOPE = signed().replace('</SignatureValue>', IN_SIGNATURE);

test.each([
  ['that signed it', [], signed()],
  ['that signed something else', WRONG, signed().replace('/sso', '/other')],
  ['of another element', WRONG, signed().replace('ID="_1"', 'ID="_2"')],
  ['that signed by SHA-1', WRONG, signed(undefined, { algorithm: SHA1 })],
  ['where nobody signed it', WRONG, metadata()],
  ['that does not cover a scope inside the signature, which is not read', [], WITH_SCOPE],
  ['where another one signed it', WRONG, signed(), own.cert],
])('a pinned key %s', async (...[_, found, given, key = federation.cert]) => {
  served = given ?? '';
  expect(await examine({ keys: [key] }, ['a.example'])).toEqual(found);
});

describe('where metadata is', () => {
  test('a file', async () => {
    const file = join(folder, 'metadata.xml');
    writeFileSync(file, metadata());
    expect(await examine({ metadata: [file] })).toEqual([]);
  });

  test('an address for each entity, which may not know it', async () => {
    const query = { metadata: [`${server.url}/entities/{entityID}`] };
    expect(await examine(query)).toEqual([]);
    expect(server.requests).toMatchObject([{ path: '/entities/https%3A%2F%2Fidp.example.org%2Fsaml' }]);
    served = 404;
    expect(await examine(query)).toEqual(['error entity_missing']);
  });

  test.each<[string, string[] | undefined, number]>([
    ['none is given', [], 200],
    ['the file is not there', ['/nowhere/metadata.xml'], 200],
    ['the address has none', undefined, 500],
    ['the address is plain http elsewhere', ['http://idp.example.org/metadata'], 200],
  ])('could not be asked where %s', async (_, given, status) => {
    if (status !== 200) served = status;
    expect(await examine(given && { metadata: given })).toEqual(['warning inconclusive']);
  });

  test('an address with a password is refused, and not shown', async () => {
    const refused = examine({ metadata: ['https://user:secret@idp.example.org/metadata'] });
    await expect(refused).rejects.toThrow(/^--metadata: expected an address without(?!.*secret)/);
  });
});
