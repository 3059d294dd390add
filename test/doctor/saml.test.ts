/** SAML providers as the doctor sees them: metadata of samlp, as it is, near its end, signed and changed. */
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import samlp from 'samlp';
import type { SamlIssuer } from '../../lib/issuers.ts';
import type { Rule } from '../../lib/profile/schema/mappingSchema.ts';
import type { ListedIssuers } from '../../tools/doctor/listedIssuers.ts';
import { examineSaml, type MetadataOptions, type SamlFacts } from '../../tools/doctor/samlProviders.ts';
import { federationOf } from '../support/samlMetadata.ts';
import { httpServer, type LocalServer, selfSigned } from '../support/servers.ts';
import { type SigningMethod, signXml } from '../support/signXml.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const ISSUER = 'https://idp.example.org/saml';
const SERVICE = 'https://service.example.net/saml';
const ACS = 'https://service.example.net/saml/acs';
const NOW = Date.now();
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();

const folder = temporaryFolder();
let own: { key: string; cert: string };
let newer: { key: string; cert: string };
let federation: { key: string; cert: string };
let server: LocalServer;
/** What is served: metadata, or a status. */
let served: string | number;
beforeAll(async () => {
  own = await selfSigned('idp.example');
  newer = await selfSigned('idp.example');
  federation = await selfSigned('federation.example');
  server = await httpServer((_, response) => {
    if (typeof served === 'number') response.writeHead(served).end();
    else response.end(served);
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

/** As samlp publishes it. */
function metadata(certificate = own.cert, issuer = ISSUER): string {
  const sent: string[] = [];
  const publish = samlp.metadata({ issuer, cert: certificate });
  const request = { headers: { host: 'idp.example.org' }, originalUrl: '/metadata', protocol: 'https' };
  publish(request, { set: () => {}, send: (xml) => void sent.push(xml) });
  return sent.join('');
}

/** A certificate whose key is of an algorithm that there is not, instead of RSA (RFC 8017 A.1). */
function ofUnknownKind(pem: string): string {
  const der = new X509Certificate(pem).raw
    .toString('hex')
    .replace('2a864886f70d010101', '2a864886f70d010163');
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(der, 'hex').toString('base64')}\n-----END CERTIFICATE-----`;
}

const withAttributes = (xml: string, attributes: string) =>
  xml.replace(' entityID=', ` ${attributes} entityID=`);
const withBoth = () => {
  const [, keyDescriptor = ''] = /(<KeyDescriptor.*<\/KeyDescriptor>)/s.exec(metadata(newer.cert)) ?? [];
  return metadata().replace('<KeyDescriptor', `${keyDescriptor}<KeyDescriptor`);
};
const scope = (...texts: string[]) =>
  `<Extensions xmlns:shibmd="urn:mace:shibboleth:metadata:1.0">${texts.map((text) => `<shibmd:Scope>${text}</shibmd:Scope>`).join('')}</Extensions>`;
const withScopes = (...texts: string[]) =>
  metadata().replace('<KeyDescriptor', `${scope(...texts)}<KeyDescriptor`);
const withId = (xml = metadata()) => withAttributes(xml, 'ID="_1"');
const signed = (xml = withId(), by = federation, method: SigningMethod = {}) =>
  signXml(xml, '/*', '/*', { privateKey: by.key }, method);
const SERVICE_METADATA = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ISSUER}"><SPSSODescriptor protocolSupportEnumeration="a"/></EntityDescriptor>`;

interface Given {
  rules?: Rule[];
  before?: SamlFacts;
  issuers?: string[];
  options?: Partial<MetadataOptions>;
}

/** Of what is served at an address. */
function examine({ rules = [], before = {}, issuers = [ISSUER], options = {} }: Given = {}) {
  const settings: SamlIssuer = { audiences: [SERVICE], recipients: [ACS] };
  const listed: ListedIssuers<SamlIssuer> = {
    kind: 'SAML',
    settings: new Map(issuers.map((issuer) => [issuer, settings])),
    isChecked: true,
    mapped: new Map(rules.length === 0 ? [] : [[ISSUER, { sources: null, rules }]]),
  };
  const given = { metadata: [`${server.url}/metadata`], keys: [], validUntilHours: 24, nowMs: NOW };
  return examineSaml(listed, before, { ...given, ...options });
}

const pinned = () => ({ options: { keys: [federation.cert] } });
const codesOf = ({ findings }: { findings: { code: string }[] }) => findings.map(({ code }) => code);

const FROM_OTHERS = { affiliations: undefined, from: ['eduPersonScopedAffiliation'], message: undefined };

test('metadata of samlp is well, and its keys are in the facts', async () => {
  served = metadata();
  const { findings, unasked, facts } = await examine();
  const ends = Object.values(facts[ISSUER]?.keys ?? {});
  expect([findings, unasked, ends]).toEqual([
    [],
    [],
    [new X509Certificate(own.cert).validToDate.toISOString()],
  ]);
});

/** What is wrong, once; and that the cure ends it. */
test.each<[string, string[], () => string, () => string, Given?]>([
  [
    'metadata that has ended',
    ['metadata_ended'],
    () => withAttributes(metadata(), `validUntil="${inHours(-1)}"`),
    () => withAttributes(metadata(), `validUntil="${inHours(120)}"`),
  ],
  [
    'metadata near its end',
    ['metadata_ending'],
    () => withAttributes(metadata(), `validUntil="${inHours(23)}"`),
    () => withAttributes(metadata(), `validUntil="${inHours(24)}"`),
  ],
  [
    'an end that is no time',
    ['metadata_ended'],
    () => withAttributes(metadata(), 'validUntil="soon"'),
    metadata,
  ],
  ['no such entity', ['entity_missing'], () => metadata(own.cert, 'https://other.example'), metadata],
  ['a service', ['entity_not_a_provider'], () => SERVICE_METADATA, metadata],
  [
    'no key for signing',
    ['saml_keys_missing'],
    () => metadata().replace('use="signing"', 'use="encryption"'),
    metadata,
  ],
  ['a key of an unknown kind', ['saml_keys_missing'], () => metadata(ofUnknownKind(own.cert)), metadata],
  ['what is no metadata', ['metadata_unusable'], () => '<html/>', metadata],
  ['what is cut off', ['metadata_unusable'], () => metadata().slice(0, -9), metadata],
  ['a DOCTYPE', ['metadata_unusable'], () => `<!DOCTYPE a [<!ENTITY b "c">]>${metadata()}`, metadata],
  ['a federation', ['metadata_of_federation'], () => federationOf([metadata()]), metadata],
  [
    'a scope of somebody else',
    ['scope_not_of_provider'],
    () => withScopes('a.example'),
    () => withScopes('a.example', 'b.example'),
    { rules: [{ scopes: ['a.example', 'b.example'], ...FROM_OTHERS }] },
  ],
  [
    'a scope that the mapping refuses',
    ['scope_not_in_mapping'],
    () => withScopes('a.example', 'x.b.example', 'c.example'),
    () => withScopes('a.example', 'x.b.example'),
    { rules: [{ scopes: ['a.example', '*.b.example'], ...FROM_OTHERS }] },
  ],
])('%s', async (_, codes, wrong, cured, given = {}) => {
  served = wrong();
  const found = await examine(given);
  expect([codesOf(found), found.unasked]).toEqual([codes, []]);
  served = cured();
  expect(await examine({ ...given, before: found.facts })).toMatchObject({ findings: [], unasked: [] });
});

test('scopes that are patterns are not compared', async () => {
  served = withScopes('a.example').replace('<shibmd:Scope>', '<shibmd:Scope regexp="true">');
  expect(codesOf(await examine({ rules: [{ scopes: ['b.example'], ...FROM_OTHERS }] }))).toEqual([]);
});

test('a certificate that has ended is a note alone', async () => {
  served = metadata();
  const { findings } = await examine({ options: { nowMs: NOW + 2 * 365 * 24 * HOUR_MS } });
  expect(findings).toMatchObject([{ code: 'saml_certificate_ended', level: 'note' }]);
});

describe('since the last run', () => {
  test.each<[string, () => string, () => string, string[]]>([
    ['a new key beside the old one', () => metadata(), withBoth, ['saml_keys_changed']],
    ['an old key that went', withBoth, () => metadata(newer.cert), ['saml_keys_changed']],
    ['a key in the place of the other', () => metadata(), () => metadata(newer.cert), ['saml_keys_replaced']],
    ['nothing', () => metadata(), () => metadata(), []],
  ])('%s', async (_, first, then, codes) => {
    served = first();
    const { facts: before } = await examine();
    served = then();
    const changed = await examine({ before });
    expect(codesOf(changed)).toEqual(codes);
    expect(codesOf(await examine({ before: changed.facts }))).toEqual([]);
  });
});

test('the metadata of a federation is told the address for one entity', async () => {
  served = federationOf([metadata()]);
  expect((await examine()).findings[0]?.cure).toContain('MDQ');
});

const SHA1 = { uri: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', hash: 'sha1', isPss: false };

describe('a pinned key', () => {
  const notOfKey = 'does not cover it, is of another key';
  test.each<[string, () => string, string | null]>([
    ['that signed it', signed, null],
    ['that signed something else', () => signed().replace(own.cert.slice(100, 110), 'AAAAAAAAAA'), notOfKey],
    ['where another one signed it', () => signed(withId(), newer), notOfKey],
    ['where it is of another element', () => signed().replace('ID="_1"', 'ID="_2"'), notOfKey],
    ['that signed by SHA-1', () => signed(withId(), federation, { algorithm: SHA1 }), notOfKey],
    ['where nobody signed it', metadata, 'is missing'],
  ])('%s', async (_, make, problem) => {
    served = signed();
    const { facts: before } = await examine(pinned());
    served = make();
    const { findings, facts } = await examine({ before, ...pinned() });
    if (problem === null) return expect(findings).toEqual([]);
    expect(findings).toMatchObject([
      { code: 'metadata_signature_wrong', message: expect.stringContaining(problem) },
    ]);
    expect(facts).toEqual(before);
  });

  test('covers what is read: a role inside the signature is none', async () => {
    const role = SERVICE_METADATA.replace('SPSSODescriptor', 'IDPSSODescriptor');
    served = signed().replace('</SignatureValue>', `$&<Object>${role}</Object>`);
    const { facts } = await examine(pinned());
    expect(Object.values(facts[ISSUER]?.keys ?? {})).toHaveLength(1);
  });
});

describe('where metadata is', () => {
  test('a file', async () => {
    const file = join(folder, 'metadata.xml');
    writeFileSync(file, metadata());
    const { findings, facts } = await examine({ options: { metadata: [file] } });
    expect([findings, Object.keys(facts)]).toEqual([[], [ISSUER]]);
  });

  test('an address for each entity', async () => {
    served = metadata();
    const { findings } = await examine({ options: { metadata: [`${server.url}/entities/{entityID}`] } });
    expect(findings).toMatchObject([{ code: 'metadata_unverified' }]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/entities/https%3A%2F%2Fidp.example.org%2Fsaml',
    ]);
  });

  test('an address that does not know the entity', async () => {
    served = 404;
    const { findings } = await examine({
      options: { ...pinned().options, metadata: [`${server.url}/entities/{entityID}`] },
    });
    expect(findings).toMatchObject([{ code: 'entity_missing', subject: ISSUER }]);
  });

  test.each<[string, string[], number, string]>([
    ['none is given', [], 200, '--metadata'],
    ['the file is not there', ['/nowhere/metadata.xml'], 200, 'ENOENT'],
    ['the address has none', [], 500, 'responded with 500'],
    ['the address is plain http elsewhere', ['http://idp.example.org/metadata'], 200, 'expected https'],
  ])('could not be asked where %s, and the facts stay', async (_, given, status, told) => {
    served = metadata();
    const { facts: before } = await examine();
    served = status === 200 ? served : status;
    const places = status === 200 ? given : [`${server.url}/metadata`];
    const found = await examine({ before, options: { metadata: places } });
    expect([found.findings, found.unasked]).toEqual([
      [],
      [{ subject: expect.any(String), message: expect.stringContaining(told) }],
    ]);
    if (status !== 200 || given.length === 0) expect(found.facts).toEqual(before);
  });
});

test('an address with a password is refused', async () => {
  const options = { metadata: ['https://user:secret@idp.example.org/metadata'] };
  await expect(examine({ options })).rejects.toThrow(/^--metadata: expected an address without(?!.*secret)/);
});
