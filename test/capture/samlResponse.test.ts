/** Really signed responses: the event that the service would send, and all that is wrong. */
import { describe, expect, jest, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { SignedXml } from 'xml-crypto';
import { type Issued, PERSON } from '../support/samlIdp.ts';
import { eventOf } from '../support/samlService.ts';
import { signXml } from '../support/signXml.ts';
import * as caught from './caught.ts';
import { codes, metadataOf, posted, provider, readOne, response, SAML_ISSUERS } from './caught.ts';

const [ours, other] = await Promise.all([provider(), provider()]);
const [XML, OTHERS] = await Promise.all([response(ours), response(other)]);
const METADATA = metadataOf(ours.cert);

/** @param metadata null for none */
const read = (text: string, metadata: string | null = METADATA, settings: object = { SAML_ISSUERS }) =>
  readOne(text, { ...settings }, metadata ?? undefined);

const SIGNED = 'note signed';
const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
const SIGNATURE = /<Signature .*?<\/Signature>/s;
const [OWN = ''] = ASSERTION.exec(XML) ?? [];

test('with the response and the assertion signed, the event is that of the service', async () => {
  const xml = await response(ours, { claims: { ...PERSON, groups: ['staff', 'data'] }, signResponse: true });
  const captured = await read(xml);
  expect(captured).toMatchObject({ kind: 'SAMLResponse', where: '', functionName: 'samlLoggedIn' });
  expect(captured.events).toEqual({ plain: eventOf(xml, 'plain'), known: eventOf(xml, 'known') });
  expect(captured.findings.filter(({ level }) => level === 'error')).toEqual([]);
});

const ELSEWHERE = { audience: 'https://other.example', recipient: 'https://other.example/acs' };
const OLD = { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' };
const SEVERAL = { claims: { givenname: 'Ada', groups: 'staff;data' }, ...ELSEWHERE, ...OLD };
const ALL = [
  ...['error assertion_audience_refused', 'error assertion_confirmation_refused'],
  ...['warning saml_signature_sha1', 'warning groups_ambiguous'],
];
const OF_ANOTHER = ['error assertion_issuer_refused', 'warning metadata_of_other_issuer'];

test.each<[string, Issued, string[]]>([
  ['another destination', { destination: 'urn:b' }, ['warning destination_differs', SIGNED]],
  ['another audience and recipient, SHA-1, groups joined: all at once', SEVERAL, [...ALL, SIGNED]],
  ['an issuer that is not listed', { issuer: 'urn:b' }, [...OF_ANOTHER, SIGNED]],
  ['several values', { claims: { ...PERSON, role: ['a', 'b'] } }, ['warning values_joined', SIGNED]],
  ['no value', { claims: { ...PERSON, role: '' } }, ['warning attribute_empty', SIGNED]],
])('%s', async (_, issued, expected) => {
  expect(codes(await read(await response(ours, issued)))).toEqual(expected);
});

const without = (name: string) =>
  XML.replace(new RegExp(`<saml:${name}[ >].*?(?:/>|</saml:${name}>)`, 's'), '');
const STATUS = /(<samlp:Status>).*(<\/samlp:Status>)/s;
const AUTHN_STATEMENT = /<saml:AuthnStatement.*<\/saml:AuthnStatement>/s;

/** Nobody has signed what these became. */
test.each([
  ['an empty Status', XML.replace(STATUS, '$1$2'), 'error status_missing'],
  ['no assertion', XML.replace(OWN, ''), 'error assertion_missing'],
  ['no AuthnStatement', without('AuthnStatement'), 'error authn_statement_missing'],
  ['no Conditions', without('Conditions'), 'error event_invalid'],
  ['no NameID', without('NameID'), 'error name_id_missing'],
  ['no signature', XML.replace(SIGNATURE, ''), 'error unsigned'],
  ['two Subjects', XML.replace(/<saml:Subject>.*<\/saml:Subject>/s, '$&$&'), 'error assertion_part_repeated'],
  ['two AuthnStatements', XML.replace(AUTHN_STATEMENT, '$&$&'), 'warning assertion_part_repeated'],
  ['two assertions', XML.replace(OWN, OWN + OWN.replace(/ ID="_/, ' ID="_2')), 'error several_assertions'],
])('a response with %s', async (_, xml, code) => {
  expect(codes(await read(xml, null))).toContain(code);
});

test('the time of a bare response is now, and that of a HAR entry is when it was sent', async () => {
  const inHours = (hours: number) => Date.now() + hours * 3_600_000;
  const sent = async (hours: number) =>
    codes(await read(caught.har(posted(XML, new Date(inHours(hours)).toISOString()))));
  expect(await sent(0)).toEqual([SIGNED]);
  expect(await sent(1)).toContain('error assertion_expired');
  expect(await sent(-1)).toContain('error assertion_not_yet_valid');
  const clock = jest.spyOn(Date, 'now').mockReturnValue(inHours(1));
  const captured = await read(XML).finally(() => clock.mockRestore());
  expect(codes(captured)).toEqual(['warning assertion_expired', SIGNED]);
  expect(captured.findings[0]?.message).toBe('The assertion expired 55 minutes ago.');
});

test('what is not checked is said', async () => {
  const xml = await response(ours, { audience: 'https://other.example' });
  expect(codes(await read(xml, METADATA, {}))).toEqual([SIGNED, 'note issuers_not_configured']);
  expect(codes(await read(XML, null))).toEqual([SIGNED, 'note signature_not_checked']);
});

describe('a signature', () => {
  const UNSIGNED = XML.replace(SIGNATURE, '');
  const CERTIFICATE = /<X509Certificate>[^<]*/;
  const [CLAIMED = ''] = CERTIFICATE.exec(XML) ?? [];

  test.each([
    ['of another key', OTHERS, 'a certificate that is not in the metadata'],
    ['over something else', XML.replace('ada@', 'eve@'), 'does not match'],
    ['with the key of the provider claimed', OTHERS.replace(CERTIFICATE, CLAIMED), 'does not match'],
  ])('%s is wrong', async (_, xml, part) => {
    const message = expect.stringContaining(part);
    const { findings } = await read(xml);
    expect(findings[0]).toMatchObject({ code: 'saml_signature_wrong', level: 'error', message });
  });

  test('of the response vouches for the assertion in it, with any key of the metadata', async () => {
    const { private: privateKey, cert } = await generate([{ name: 'commonName', value: 'idp.example.org' }]);
    const xml = signXml(UNSIGNED, '/*', "/*/*[local-name(.)='Issuer']", { privateKey });
    const key = (pem: string) => /<md:KeyDescriptor.*<\/md:KeyDescriptor>/s.exec(metadataOf(pem))?.[0] ?? '';
    const metadata = METADATA.replace(key(ours.cert), key(ours.cert) + key(cert));
    const { findings } = await read(xml, metadata);
    const change = expect.stringContaining('(Keycloak: client, "Sign assertions")');
    expect(findings).toMatchObject([{ code: 'signed', level: 'note', change }]);
    const ofEncryption = key(cert).replace(/Descriptor[^>]*/, 'Descriptor use="encryption"');
    const changed = await read(xml.replace('ada@', 'eve@'), metadata);
    const otherUse = await read(xml, metadata.replace(key(cert), ofEncryption));
    for (const wrong of [changed, otherUse]) expect(wrong.findings[0]?.code).toBe('saml_signature_wrong');
  });

  const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
  const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const covering = (xpath: string, { isEmptyUri = false, transforms = [ENVELOPED, EXCLUSIVE] } = {}) => {
    const digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256';
    return (signed: SignedXml) => signed.addReference({ xpath, transforms, digestAlgorithm, isEmptyUri });
  };
  const both = (signed: SignedXml) => {
    covering('/*')(signed);
    covering("//*[local-name(.)='Assertion']")(signed);
  };
  const threeTransforms = covering('/*', { transforms: [ENVELOPED, EXCLUSIVE, EXCLUSIVE] });
  const asItIs = (xml: string) => xml;
  const twice = (xml: string) => xml.replace(SIGNATURE, '$&$&');
  const [WRAPPED, WRONG] = ['error saml_signature_wrapped', 'error saml_signature_wrong'];

  /** SAML Core 5.4: it covers its own parent, by one reference to its ID, with the transforms that SAML has. */
  test.each<[string, string[], (signed: SignedXml) => void, (xml: string) => string]>([
    ['as SAML has it', [SIGNED], covering('/*'), asItIs],
    ['by two references', [WRAPPED, WRONG], both, asItIs],
    ['by no ID', [WRAPPED, WRONG], covering('/*', { isEmptyUri: true }), asItIs],
    ['by three transforms', [WRONG], threeTransforms, asItIs],
    ['that is there twice', [WRONG], covering('/*'), twice],
  ])('%s', async (_, expected, cover, change) => {
    const keys = await generate();
    const signed = new SignedXml({
      ...{ privateKey: keys.private, canonicalizationAlgorithm: EXCLUSIVE },
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    });
    cover(signed);
    const location = { reference: "/*/*[local-name(.)='Issuer']", action: 'after' } as const;
    signed.computeSignature(UNSIGNED, { location });
    const captured = await read(change(signed.getSignedXml()), metadataOf(keys.cert));
    expect(codes(captured).filter((code) => code.includes('sign'))).toEqual(expected);
  });

  const EVIL = OWN.replace(SIGNATURE, '').replaceAll('ada@', 'eve@');
  const BESIDE = EVIL.replace(/ ID="[^"]*"/, ' ID="_evil"') + OWN;
  const AROUND = EVIL.replace('</saml:Assertion>', `<x>${OWN}</x>$&`);
  const EXTENSIONS = `<samlp:Extensions>${OWN}</samlp:Extensions>$&`;
  const [SIGNATURE_OF_IT = ''] = SIGNATURE.exec(OWN) ?? [];
  const OBJECT = `<Object>${OWN.replace(SIGNATURE, '')}</Object></Signature>`;
  const INSIDE = EVIL.replace('</saml:Issuer>', `$&${SIGNATURE_OF_IT.replace('</Signature>', OBJECT)}`);

  /** The ways in which a signed assertion was hidden beside a forged one (XSW, "On Breaking SAML", section 4). */
  test.each([
    ['beside the signed one, under its ID', XML.replace(OWN, EVIL + OWN)],
    ['beside it, under another ID', XML.replace(OWN, BESIDE)],
    ['around the signed one', XML.replace(OWN, AROUND)],
    ['and the signed one among the extensions', XML.replace(OWN, EVIL).replace('<samlp:Status>', EXTENSIONS)],
    ['with the signature, and the signed one inside it', XML.replace(OWN, INSIDE)],
  ])('does not vouch for an assertion %s', async (_, wrapped) => {
    expect(wrapped).toContain('eve@');
    expect(codes(await read(wrapped))).toContain(WRAPPED);
    expect(codes(await read(wrapped, null))).toContain(WRAPPED);
  });

  test('is not broken by a comment, which cuts no text either', async () => {
    const xml = await response(ours, { signResponse: true, signAssertion: false });
    const comment = xml.replace('ada@example.org', 'ada@<!-- not signed -->example.org');
    const captured = await read(comment);
    expect(codes(captured)).toContain(SIGNED);
    expect(JSON.stringify(captured.events)).toContain('"ada@example.org"');
  });
});

const TOO_MANY = 'expected at most 4000 elements: take the metadata of one provider';
const SERVICE = '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>';

test.each([
  ['of a whole federation', METADATA.replace('<md:IDP', `${'<a/>'.repeat(4_000)}$&`), TOO_MANY],
  ['of a service', SERVICE, 'IDPSSODescriptor'],
  ['that is no XML', 'https://idp.example.org/metadata', 'the metadata: expected XML'],
])('metadata %s cannot be used', async (_, metadata, message) => {
  await expect(read(XML, metadata)).rejects.toThrow(message);
});

test('an assertion alone is read, with its own signature', async () => {
  const captured = await read(OWN);
  expect([captured.kind, ...codes(captured)]).toEqual(['assertion', SIGNED]);
  expect(captured.events).toEqual((await read(XML)).events);
});

test('findings hold no value of the person and no part of a message', async () => {
  const person = Object.keys(PERSON).map((name, index) => [name, `canary${index};canary`]);
  const more = { groups: 'canary1;canary2', role: ['canary3', 'canary4'] };
  const issued = await response(ours, { claims: { ...Object.fromEntries(person), ...more } });
  const xml = issued.replace('ada-1', 'canary5').replace(/_session-1/g, 'canary6');
  const { findings } = await read(xml);
  expect(findings.length).toBeGreaterThan(2);
  expect(JSON.stringify(findings)).not.toMatch(/canary|ada-1/);
  expect(JSON.stringify(findings)).not.toContain(/<SignatureValue>([^<]{20})/.exec(xml)?.[1]);
});
