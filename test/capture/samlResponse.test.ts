/** Really signed responses: the event that the service would send, and all that is wrong. */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { SignedXml } from 'xml-crypto';
import type { Captured } from '../../tools/capture/captured.ts';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { PERSON } from '../support/samlIdp.ts';
import type { SamlProvider } from '../support/samlProvider.ts';
import { eventOf } from '../support/samlService.ts';
import { signXml } from '../support/signXml.ts';
import {
  encryption,
  har,
  ISSUER,
  type Issued,
  metadataOf,
  posted,
  provider,
  response,
  SAML_ISSUERS,
} from './caught.ts';

let ours: SamlProvider;
let other: SamlProvider;
beforeAll(async () => {
  [ours, other] = await Promise.all([provider(), provider()]);
});

const environment = () => ({ SAML_ISSUERS });

async function read(text: string, settings: Record<string, string> = environment()): Promise<Captured> {
  const options = { metadata: metadataOf(ours.cert), environment: () => settings };
  const [captured] = await readCapture(text, options);
  if (!captured) throw new Error('nothing was read');
  return captured;
}

function codes({ findings }: Captured): string[] {
  return findings.map(({ code, level }) => `${level} ${code}`);
}

test.each<[string, Record<string, unknown>]>([
  ['the assertion', {}],
  ['the response and the assertion', { signResponse: true }],
])('with %s signed, the event is that of the service', async (_, options) => {
  const xml = await response(ours, { claims: { ...PERSON, groups: ['staff', 'data'] }, options });
  const captured = await read(xml);
  expect(captured).toMatchObject({ kind: 'SAMLResponse', where: '', functionName: 'samlLoggedIn' });
  expect(captured.events).toEqual({ plain: eventOf(xml, 'plain'), known: eventOf(xml, 'known') });
  expect(captured.findings.filter(({ level }) => level === 'error')).toEqual([]);
});

const SIGNED = 'note signed';

test.each<[string, Issued, string[]]>([
  ['nothing', {}, [SIGNED]],
  [
    'another audience',
    { options: { audience: 'https://other.example' } },
    ['error assertion_audience_refused', SIGNED],
  ],
  [
    'another recipient',
    { options: { recipient: 'https://other.example/acs' } },
    ['error assertion_confirmation_refused', SIGNED],
  ],
  [
    'another destination',
    { options: { destination: 'https://other.example/acs' } },
    ['warning destination_differs', SIGNED],
  ],
  [
    'another audience and recipient, SHA-1, groups joined: all at once',
    {
      claims: { givenname: 'Ada', groups: 'staff;data' },
      options: {
        ...{ audience: 'https://other.example', recipient: 'https://other.example/acs' },
        ...{ signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' },
      },
    },
    [
      'error assertion_audience_refused',
      'error assertion_confirmation_refused',
      'warning saml_signature_sha1',
      'warning groups_ambiguous',
      SIGNED,
    ],
  ],
  [
    'an issuer that is not listed',
    { options: { issuer: 'https://idp.example.com' } },
    ['error assertion_issuer_refused', 'warning metadata_of_other_issuer', SIGNED],
  ],
  [
    'several values in an Attribute',
    { claims: { ...PERSON, role: ['a', 'b'] } },
    ['warning values_joined', SIGNED],
  ],
  ['an Attribute without a value', { claims: { ...PERSON, role: '' } }, ['warning attribute_empty', SIGNED]],
  [
    'a transient NameID',
    { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    [SIGNED, 'note name_id_transient'],
  ],
])('%s', async (_, issued, expected) => {
  expect(codes(await read(await response(ours, issued)))).toEqual(expected);
});

/** Nobody has signed what these became. */
test.each<[string, (xml: string) => string, string[]]>([
  [
    'two AuthnStatements',
    (xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/s, '$&$&'),
    ['warning assertion_part_repeated'],
  ],
  ['no Status', (xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/s, ''), ['error status_missing']],
  [
    'an empty Status',
    (xml) => xml.replace(/(<samlp:Status>).*(<\/samlp:Status>)/s, '$1$2'),
    ['error status_missing'],
  ],
])('a response with %s', async (_, change, expected) => {
  const [captured] = await readCapture(change(await response(ours)), { environment });
  expect(captured && codes(captured)).toEqual([...expected, SIGNED, 'note signature_not_checked']);
});

describe('the time', () => {
  test('of a bare response is now: that it has expired since then is no problem', async () => {
    const xml = await response(ours);
    const later = Date.now() + 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    const captured = await read(xml).finally(() => clock.mockRestore());
    expect(codes(captured)).toEqual(['warning assertion_expired', SIGNED]);
    expect(captured.findings[0]?.message).toBe('The assertion expired 55 minutes ago.');
  });

  test('of a HAR entry is when it was sent', async () => {
    const xml = await response(ours);
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    expect(codes(await read(har(posted(xml, at(0)))))).toEqual([SIGNED]);
    expect(codes(await read(har(posted(xml, at(1)))))).toContain('error assertion_expired');
    expect(codes(await read(har(posted(xml, at(-1)))))).toContain('error assertion_not_yet_valid');
  });
});

test('without issuers in the settings, it says what it does not check', async () => {
  const xml = await response(ours, { options: { audience: 'https://other.example' } });
  expect(codes(await read(xml, {}))).toEqual([SIGNED, 'note issuers_not_configured']);
});

const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const SIGNATURE_ELEMENT = /<Signature .*?<\/Signature>/s;

function covering(xpath: string, { isEmptyUri = false, transforms = [ENVELOPED, EXCLUSIVE] } = {}) {
  const digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256';
  return (signed: SignedXml) => signed.addReference({ xpath, transforms, digestAlgorithm, isEmptyUri });
}

function both(signed: SignedXml): void {
  covering('/*')(signed);
  covering("//*[local-name(.)='Assertion']")(signed);
}

describe('a signature', () => {
  test('is not checked without metadata', async () => {
    const [captured] = await readCapture(await response(ours), { environment });
    expect(captured && codes(captured)).toEqual([SIGNED, 'note signature_not_checked']);
  });

  test.each<[string, () => Promise<string>, string]>([
    ['of another key', () => response(other), 'a certificate that is not in the metadata'],
    [
      'over something else',
      async () => (await response(ours)).replace('ada@example.org', 'eve@example.org'),
      'does not match',
    ],
    [
      'with the key of the provider claimed',
      async () => {
        const certificate = /<X509Certificate>[^<]*/;
        const [own = ''] = certificate.exec(await response(ours)) ?? [];
        return (await response(other)).replace(certificate, own);
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
    const unsigned = (await response(ours)).replace(/<Signature .*<\/Signature>/s, '');
    const xml = signXml(unsigned, '/*', "/*/*[local-name(.)='Issuer']", { privateKey });
    const key = (pem: string) => /<md:KeyDescriptor.*<\/md:KeyDescriptor>/s.exec(metadataOf(pem))?.[0] ?? '';
    const metadata = metadataOf(ours.cert).replace(key(ours.cert), key(ours.cert) + key(cert));
    const [captured] = await readCapture(xml, { metadata, environment });
    expect(captured?.findings).toMatchObject([{ code: 'signed', level: 'note' }]);
    expect(captured?.findings[0]?.message).toContain(
      'The response is signed, but the assertion in it is not',
    );
    const [forged] = await readCapture(xml.replace('ada@', 'eve@'), { metadata, environment });
    expect(forged?.findings[0]?.code).toBe('saml_signature_wrong');
  });

  test('is missing', async () => {
    const xml = (await response(ours)).replace(/<Signature .*<\/Signature>/s, '');
    expect(codes(await read(xml))).toEqual(['error unsigned']);
  });

  /** SAML Core 5.4: it covers its own parent, by one reference to its ID, with the transforms that SAML has. */
  test.each<[string, string[], (signed: SignedXml) => void, (xml: string) => string]>([
    ['as SAML has it', [SIGNED], covering('/*'), (xml) => xml],
    ['by two references', ['saml_signature_wrapped', 'saml_signature_wrong'], both, (xml) => xml],
    [
      'by no ID',
      ['saml_signature_wrapped', 'saml_signature_wrong'],
      covering('/*', { isEmptyUri: true }),
      (xml) => xml,
    ],
    [
      'by three transforms',
      ['saml_signature_wrong'],
      covering('/*', { transforms: [ENVELOPED, EXCLUSIVE, EXCLUSIVE] }),
      (xml) => xml,
    ],
    [
      'that is there twice',
      ['saml_signature_wrong'],
      covering('/*'),
      (xml) => xml.replace(SIGNATURE_ELEMENT, '$&$&'),
    ],
  ])('%s', async (_, expected, cover, change) => {
    const keys = await generate();
    const unsigned = (await response(ours)).replace(SIGNATURE_ELEMENT, '');
    const signed = new SignedXml({
      ...{ privateKey: keys.private, canonicalizationAlgorithm: EXCLUSIVE },
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    });
    cover(signed);
    signed.computeSignature(unsigned, {
      location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
    });
    const options = { metadata: metadataOf(keys.cert), environment };
    const [captured] = await readCapture(change(signed.getSignedXml()), options);
    const found =
      captured?.findings.map(({ code, level }) => (level === 'note' ? `note ${code}` : code)) ?? [];
    expect(found.filter((code) => code.includes('sign'))).toEqual(expected);
  });

  const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
  const SIGNATURE = /<Signature .*<\/Signature>/s;
  const evil = (assertion: string) => assertion.replace(SIGNATURE, '').replaceAll('ada@', 'eve@');

  /** The ways in which a signed assertion was hidden beside a forged one (XSW, "On Breaking SAML", section 4). */
  test.each<[string, (xml: string, assertion: string) => string]>([
    ['beside the signed one, under its ID', (xml, own) => xml.replace(own, evil(own) + own)],
    [
      'beside the signed one, under another ID',
      (xml, own) => xml.replace(own, evil(own).replace(/ ID="[^"]*"/, ' ID="_evil"') + own),
    ],
    [
      'around the signed one',
      (xml, own) =>
        xml.replace(own, evil(own).replace('</saml:Assertion>', `<x>${own}</x></saml:Assertion>`)),
    ],
    [
      'and the signed one among the extensions',
      (xml, own) =>
        xml
          .replace(own, evil(own))
          .replace('<samlp:Status>', `<samlp:Extensions>${own}</samlp:Extensions><samlp:Status>`),
    ],
    [
      'with the signature, and the signed one inside it',
      (xml, own) => {
        const [signature = ''] = SIGNATURE.exec(own) ?? [];
        const hidden = signature.replace(
          '</Signature>',
          `<Object>${own.replace(signature, '')}</Object></Signature>`,
        );
        return xml.replace(own, evil(own).replace('</saml:Issuer>', `</saml:Issuer>${hidden}`));
      },
    ],
  ])('does not vouch for an assertion %s', async (_, wrap) => {
    const xml = await response(ours);
    const [own = ''] = ASSERTION.exec(xml) ?? [];
    const wrapped = wrap(xml, own);
    expect(wrapped).toContain('eve@');
    const captured = await read(wrapped);
    expect(codes(captured)).toContain('error saml_signature_wrapped');
    const unchecked = await readCapture(wrapped, { environment });
    expect(unchecked.flatMap(codes)).toContain('error saml_signature_wrapped');
  });
});

describe('metadata', () => {
  test('of a whole federation says what to take', async () => {
    const metadata = metadataOf(ours.cert).replace('<md:IDPSSODescriptor', `${'<a/>'.repeat(4_000)}$&`);
    await expect(readCapture(await response(ours), { metadata, environment })).rejects.toThrow(
      'expected at most 4000 elements: take the metadata of one provider',
    );
  });

  test('of another provider is named', async () => {
    const metadata = metadataOf(ours.cert, 'https://other.example');
    const [captured] = await readCapture(await response(ours), { metadata, environment });
    expect(captured?.findings[0]).toMatchObject({ code: 'metadata_of_other_issuer', level: 'warning' });
    expect(captured?.findings[0]?.message).toContain('https://other.example');
    expect(captured?.findings[0]?.message).toContain(ISSUER);
  });

  test.each([
    [
      'of a service',
      '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>',
      'IDPSSODescriptor',
    ],
    ['that is no XML', 'https://idp.example.org/metadata', 'the metadata: expected XML'],
    ['with a DOCTYPE', '<!DOCTYPE x><x/>', 'the metadata: it has a DOCTYPE'],
  ])('%s cannot be used', async (_, metadata, message) => {
    await expect(readCapture(await response(ours), { metadata, environment })).rejects.toThrow(message);
  });
});

test('what is encrypted cannot be opened, and says so', async () => {
  const captured = await read(await response(ours, { options: encryption(ours) }));
  expect(codes(captured)).toEqual(['warning assertion_encrypted', SIGNED]);
  expect(captured.events).toBeNull();
  expect(captured.findings[0]?.change).toContain('Encrypt assertions');
});

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

test('a refusal of the provider is told with its words', async () => {
  const denied = `<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode
    Value="urn:oasis:names:tc:SAML:2.0:status:RequestDenied"/></samlp:StatusCode>
    <samlp:StatusMessage>not assigned</samlp:StatusMessage>`;
  const xml = (await response(ours))
    .replace(`<samlp:StatusCode Value="${SUCCESS}"/>`, denied)
    .replace(/<saml:Assertion .*<\/saml:Assertion>/s, '');
  const { findings, events } = await read(xml);
  expect(events).toBeNull();
  expect(findings).toMatchObject([
    {
      code: 'status_not_success',
      message: 'The provider refused the login: Responder, RequestDenied: not assigned.',
    },
  ]);
  expect(findings[0]?.change).toContain('Assign');
});

test.each<[string, (xml: string) => string, string]>([
  [
    'without an assertion',
    (xml) => xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, ''),
    'assertion_missing',
  ],
  ['without an AuthnStatement', without('AuthnStatement'), 'authn_statement_missing'],
  ['without a confirmation', without('SubjectConfirmationData'), 'confirmation_missing'],
  [
    'with two assertions',
    (xml) =>
      xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, (own) => own + own.replace(/ ID="_/, ' ID="_2')),
    'several_assertions',
  ],
  ['without a request', (xml) => xml.replaceAll(/ InResponseTo="[^"]*"/g, ''), 'unsolicited'],
])('a response %s', async (_, change, code) => {
  const { findings } = await read(change(await response(ours)));
  expect(findings.map((finding) => finding.code)).toContain(code);
});

function without(name: string): (xml: string) => string {
  return (xml) => xml.replace(new RegExp(`<saml:${name}[ >].*?(?:/>|</saml:${name}>)`, 's'), '');
}

test('an assertion alone is read, with its own signature', async () => {
  const [own = ''] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(await response(ours)) ?? [];
  const captured = await read(own);
  expect(captured.kind).toBe('assertion');
  expect(codes(captured)).toEqual([SIGNED]);
});

test('findings hold no value of the person and no part of a message', async () => {
  const claims = {
    ...Object.fromEntries(Object.keys(PERSON).map((name, index) => [name, `canary${index};canary`])),
    groups: 'canary1;canary2',
    role: ['canary3', 'canary4'],
  };
  const xml = (await response(ours, { claims }))
    .replace('ada-1', 'canary5')
    .replace(/_session-1/g, 'canary6');
  const { findings } = await read(xml);
  expect(findings.length).toBeGreaterThan(2);
  expect(JSON.stringify(findings)).not.toMatch(/canary|ada-1/);
  expect(JSON.stringify(findings)).not.toContain(/<SignatureValue>([^<]{20})/.exec(xml)?.[1]);
});

test.each([
  ['over', { lifetimeInSeconds: -600 }, /longer lifetime/],
  ['for another recipient', { recipient: 'https://other.example/acs' }, /ACS URL/],
])('a confirmation that is %s: the cure is its own', async (_, options, cure) => {
  const { findings } = await read(await response(ours, { options }));
  const refused = findings.find(({ code }) => code === 'assertion_confirmation_refused');
  expect(refused?.change).toMatch(cure);
});
