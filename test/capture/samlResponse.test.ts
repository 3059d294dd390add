/** Really signed responses: the event that the service would send, and all that is wrong. */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { SignedXml } from 'xml-crypto';
import type { Captured } from '../../tools/capture/captured.ts';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { type Issued, PERSON, type SamlProvider } from '../support/samlIdp.ts';
import { eventOf } from '../support/samlService.ts';
import { signXml } from '../support/signXml.ts';
import { encryption, har, ISSUER, metadataOf, posted, provider, response, SAML_ISSUERS } from './caught.ts';

let ours: SamlProvider;
let other: SamlProvider;
beforeAll(async () => {
  [ours, other] = await Promise.all([provider(), provider()]);
});

const SETTINGS = { SAML_ISSUERS };

interface Reading {
  settings?: Record<string, string>;
  /** Default: that of our provider; null for none. */
  metadata?: string | null;
}

async function read(text: string, { settings = SETTINGS, metadata }: Reading = {}): Promise<Captured> {
  const known = metadata === null ? undefined : (metadata ?? metadataOf(ours.cert));
  const [captured] = await readCapture(text, { metadata: known, environment: () => settings });
  if (!captured) throw new Error('nothing was read');
  return captured;
}

function codes({ findings }: Captured): string[] {
  return findings.map(({ code, level }) => `${level} ${code}`);
}

const SIGNED = 'note signed';
const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
const SIGNATURE = /<Signature .*?<\/Signature>/s;

test.each<[string, Record<string, unknown>]>([
  ['the assertion', {}],
  ['the response and the assertion', { signResponse: true }],
])('with %s signed, the event is that of the service', async (_, options) => {
  const xml = await response(ours, { claims: { ...PERSON, groups: ['staff', 'data'] }, ...options });
  const captured = await read(xml);
  expect(captured).toMatchObject({ kind: 'SAMLResponse', where: '', functionName: 'samlLoggedIn' });
  expect(captured.events).toEqual({ plain: eventOf(xml, 'plain'), known: eventOf(xml, 'known') });
  expect(captured.findings.filter(({ level }) => level === 'error')).toEqual([]);
});

const ELSEWHERE = { audience: 'https://other.example', recipient: 'https://other.example/acs' };
const OLD = { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' };
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

test.each<[string, Issued, string[]]>([
  ['nothing', {}, [SIGNED]],
  ['another audience', { audience: 'urn:b' }, ['error assertion_audience_refused', SIGNED]],
  ['another recipient', { recipient: 'urn:b' }, ['error assertion_confirmation_refused', SIGNED]],
  ['another destination', { destination: 'urn:b' }, ['warning destination_differs', SIGNED]],
  [
    'another audience and recipient, SHA-1, groups joined: all at once',
    { claims: { givenname: 'Ada', groups: 'staff;data' }, ...ELSEWHERE, ...OLD },
    [
      ...['error assertion_audience_refused', 'error assertion_confirmation_refused'],
      ...['warning saml_signature_sha1', 'warning groups_ambiguous', SIGNED],
    ],
  ],
  [
    'an issuer that is not listed',
    { issuer: 'https://idp.example.com' },
    ['error assertion_issuer_refused', 'warning metadata_of_other_issuer', SIGNED],
  ],
  ['several values', { claims: { ...PERSON, role: ['a', 'b'] } }, ['warning values_joined', SIGNED]],
  ['no value', { claims: { ...PERSON, role: '' } }, ['warning attribute_empty', SIGNED]],
  ['a transient NameID', { nameIdFormat: TRANSIENT }, [SIGNED, 'note name_id_transient']],
])('%s', async (_, issued, expected) => {
  expect(codes(await read(await response(ours, issued)))).toEqual(expected);
});

const without = (name: string) => (xml: string) =>
  xml.replace(new RegExp(`<saml:${name}[ >].*?(?:/>|</saml:${name}>)`, 's'), '');

/** Nobody has signed what these became. */
test.each<[string, (xml: string) => string, string]>([
  ['no Status', (xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/s, ''), 'error status_missing'],
  [
    'an empty Status',
    (xml) => xml.replace(/(<samlp:Status>).*(<\/samlp:Status>)/s, '$1$2'),
    'error status_missing',
  ],
  ['no assertion', (xml) => xml.replace(ASSERTION, ''), 'error assertion_missing'],
  ['no AuthnStatement', without('AuthnStatement'), 'error authn_statement_missing'],
  ['no confirmation', without('SubjectConfirmationData'), 'error confirmation_missing'],
  ['no NameID', without('NameID'), 'error name_id_missing'],
  ['no signature', (xml) => xml.replace(SIGNATURE, ''), 'error unsigned'],
  ['no Name of an Attribute', (xml) => xml.replace(/ Name="[^"]*"/, ''), 'warning attribute_unnamed'],
  [
    'two AuthnStatements',
    (xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/s, '$&$&'),
    'warning assertion_part_repeated',
  ],
  [
    'two assertions',
    (xml) => xml.replace(ASSERTION, (own) => own + own.replace(/ ID="_/, ' ID="_2')),
    'error several_assertions',
  ],
  ['no InResponseTo', (xml) => xml.replaceAll(/ InResponseTo="[^"]*"/g, ''), 'note unsolicited'],
  [
    'an encrypted attribute',
    (xml) => xml.replace('</saml:AttributeStatement>', '<saml:EncryptedAttribute/>$&'),
    'warning attribute_encrypted',
  ],
])('a response with %s', async (_, change, code) => {
  expect(codes(await read(change(await response(ours)), { metadata: null }))).toContain(code);
});

test('the time of a bare response is now, and that of a HAR entry is when it was sent', async () => {
  const xml = await response(ours);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  expect(codes(await read(har(posted(xml, at(0)))))).toEqual([SIGNED]);
  expect(codes(await read(har(posted(xml, at(1)))))).toContain('error assertion_expired');
  expect(codes(await read(har(posted(xml, at(-1)))))).toContain('error assertion_not_yet_valid');
  const later = Date.now() + 3_600_000;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
  const captured = await read(xml).finally(() => clock.mockRestore());
  expect(codes(captured)).toEqual(['warning assertion_expired', SIGNED]);
  expect(captured.findings[0]?.message).toBe('The assertion expired 55 minutes ago.');
});

test('what is not checked is said', async () => {
  const xml = await response(ours, { audience: 'https://other.example' });
  expect(codes(await read(xml, { settings: {} }))).toEqual([SIGNED, 'note issuers_not_configured']);
  const unchecked = await read(await response(ours), { metadata: null });
  expect(codes(unchecked)).toEqual([SIGNED, 'note signature_not_checked']);
});

describe('a signature', () => {
  const CERTIFICATE = /<X509Certificate>[^<]*/;

  test.each<[string, () => Promise<string>, string]>([
    ['of another key', () => response(other), 'a certificate that is not in the metadata'],
    ['over something else', async () => (await response(ours)).replace('ada@', 'eve@'), 'does not match'],
    [
      'with the key of the provider claimed',
      async () => {
        const [own = ''] = CERTIFICATE.exec(await response(ours)) ?? [];
        return (await response(other)).replace(CERTIFICATE, own);
      },
      'does not match',
    ],
  ])('%s is wrong', async (_, make, message) => {
    const { findings } = await read(await make());
    expect(findings[0]).toMatchObject({ code: 'saml_signature_wrong', level: 'error' });
    expect(findings[0]?.message).toContain(message);
  });

  test('of the response vouches for the assertion in it, with any key of the metadata', async () => {
    const { private: privateKey, cert } = await generate([{ name: 'commonName', value: 'idp.example.org' }]);
    const unsigned = (await response(ours)).replace(SIGNATURE, '');
    const xml = signXml(unsigned, '/*', "/*/*[local-name(.)='Issuer']", { privateKey });
    const key = (pem: string) => /<md:KeyDescriptor.*<\/md:KeyDescriptor>/s.exec(metadataOf(pem))?.[0] ?? '';
    const metadata = metadataOf(ours.cert).replace(key(ours.cert), key(ours.cert) + key(cert));
    const { findings } = await read(xml, { metadata });
    expect(findings).toMatchObject([{ code: 'signed', level: 'note' }]);
    expect(findings[0]?.change).toContain('(Keycloak: client, "Sign assertions")');
    const ofEncryption = key(cert).replace(/Descriptor[^>]*/, 'Descriptor use="encryption"');
    for (const wrong of [
      await read(xml.replace('ada@', 'eve@'), { metadata }),
      await read(xml, { metadata: metadata.replace(key(cert), ofEncryption) }),
    ])
      expect(wrong.findings[0]?.code).toBe('saml_signature_wrong');
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
    signed.computeSignature((await response(ours)).replace(SIGNATURE, ''), { location });
    const captured = await read(change(signed.getSignedXml()), { metadata: metadataOf(keys.cert) });
    expect(codes(captured).filter((code) => code.includes('sign'))).toEqual(expected);
  });

  const evil = (assertion: string) => assertion.replace(SIGNATURE, '').replaceAll('ada@', 'eve@');
  const withObject = (own: string) => {
    const [signature = ''] = SIGNATURE.exec(own) ?? [];
    return signature.replace('</Signature>', `<Object>${own.replace(signature, '')}</Object></Signature>`);
  };

  /** The ways in which a signed assertion was hidden beside a forged one (XSW, "On Breaking SAML", section 4). */
  test.each<[string, (own: string) => string, (xml: string, own: string) => string]>([
    ['beside the signed one, under its ID', (own) => evil(own) + own, asItIs],
    ['beside it, under another ID', (own) => evil(own).replace(/ ID="[^"]*"/, ' ID="_evil"') + own, asItIs],
    ['around the signed one', (own) => evil(own).replace('</saml:Assertion>', `<x>${own}</x>$&`), asItIs],
    [
      'and the signed one among the extensions',
      evil,
      (xml, own) => xml.replace('<samlp:Status>', `<samlp:Extensions>${own}</samlp:Extensions>$&`),
    ],
    [
      'with the signature, and the signed one inside it',
      (own) => evil(own).replace('</saml:Issuer>', `$&${withObject(own)}`),
      asItIs,
    ],
  ])('does not vouch for an assertion %s', async (_, wrap, around) => {
    const xml = await response(ours);
    const [own = ''] = ASSERTION.exec(xml) ?? [];
    const wrapped = around(xml.replace(own, wrap(own)), own);
    expect(wrapped).toContain('eve@');
    expect(codes(await read(wrapped))).toContain(WRAPPED);
    expect(codes(await read(wrapped, { metadata: null }))).toContain(WRAPPED);
  });

  test('is not broken by a comment, which cuts no text either', async () => {
    const xml = await response(ours, { signResponse: true, signAssertion: false });
    const comment = xml.replace('ada@example.org', 'ada@<!-- not signed -->example.org');
    const captured = await read(comment);
    expect(codes(captured)).toContain(SIGNED);
    expect(JSON.stringify(captured.events)).toContain('"ada@example.org"');
  });
});

test.each<[string, (metadata: string) => string, string]>([
  [
    'of a whole federation',
    (own) => own.replace('<md:IDPSSODescriptor', `${'<a/>'.repeat(4_000)}$&`),
    'expected at most 4000 elements: take the metadata of one provider',
  ],
  [
    'of a service',
    () => '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>',
    'IDPSSODescriptor',
  ],
  ['that is no XML', () => 'https://idp.example.org/metadata', 'the metadata: expected XML'],
  ['with a DOCTYPE', () => '<!DOCTYPE x><x/>', 'the metadata: it has a DOCTYPE'],
])('metadata %s cannot be used', async (_, change, message) => {
  const metadata = change(metadataOf(ours.cert));
  await expect(read(await response(ours), { metadata })).rejects.toThrow(message);
});

test('metadata of another provider is named', async () => {
  const captured = await read(await response(ours), {
    metadata: metadataOf(ours.cert, 'https://other.example'),
  });
  const message = expect.stringMatching(new RegExp(`https://other\\.example.*${ISSUER}`));
  expect(captured.findings[0]).toMatchObject({ code: 'metadata_of_other_issuer', level: 'warning', message });
});

test('what is encrypted cannot be opened, and says so', async () => {
  const captured = await read(await response(ours, encryption(ours)));
  expect(codes(captured)).toEqual(['warning assertion_encrypted', SIGNED]);
  expect(captured.events).toBeNull();
  expect(captured.findings[0]?.change).toContain('Encrypt assertions');
});

test('an assertion alone is read, with its own signature', async () => {
  const [own = ''] = ASSERTION.exec(await response(ours)) ?? [];
  const captured = await read(own);
  expect(captured.kind).toBe('assertion');
  expect(codes(captured)).toEqual([SIGNED]);
});

test('findings hold no value of the person and no part of a message', async () => {
  const claims = {
    ...Object.fromEntries(Object.keys(PERSON).map((name, index) => [name, `canary${index};canary`])),
    ...{ groups: 'canary1;canary2', role: ['canary3', 'canary4'] },
  };
  const issued = await response(ours, { claims });
  const xml = issued.replace('ada-1', 'canary5').replace(/_session-1/g, 'canary6');
  const { findings } = await read(xml);
  expect(findings.length).toBeGreaterThan(2);
  expect(JSON.stringify(findings)).not.toMatch(/canary|ada-1/);
  expect(JSON.stringify(findings)).not.toContain(/<SignatureValue>([^<]{20})/.exec(xml)?.[1]);
});

test.each([
  ['over', { lifetimeInSeconds: -600 }, /longer lifetime/],
  ['for another recipient', { recipient: 'https://other.example/acs' }, /ACS URL/],
])('a confirmation that is %s: what to change is said', async (_, options, change) => {
  const { findings } = await read(await response(ours, options));
  const refused = findings.find(({ code }) => code === 'assertion_confirmation_refused');
  expect(refused?.change).toMatch(change);
});
