/** Sign-ins at a real SAML provider: what becomes a login, and what is refused, with all that is wrong. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import type { Captured } from '../../tools/capture/captured.ts';
import { samlIdentity } from '../../tools/signIn/identity.ts';
import { samlProviderIn } from '../../tools/signIn/metadata.ts';
import { SignInRefused } from '../../tools/signIn/refusals.ts';
import { SamlSignIns } from '../../tools/signIn/saml.ts';
import { encryptedAssertion, encryptionFor } from '../support/samlEncryption.ts';
import { PERSON, samlIdp, signedBy, signedInAt, type Wishes } from '../support/samlIdp.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();
const identity = await samlIdentity(3003, folder);
const [spare, stranger] = await Promise.all([generate(), generate()]);

let wishes: Wishes = {};
const idp = await samlIdp(identity.acsUrl, () => wishes);
afterAll(() => idp.close());

let signIns: SamlSignIns;
beforeEach(() => {
  wishes = {};
  signIns = new SamlSignIns({ identity, environment: () => ({}) });
});

const provider = samlProviderIn(idp.metadata());
/** It may sign with a key of the tests too. */
const trusted = samlProviderIn(idp.metadata([spare.cert]));

async function login(wished: Wishes = {}, by = provider): Promise<Captured> {
  wishes = wished;
  return signIns.finish(await signedInAt(await signIns.start(by)));
}

async function refusal(wished: Wishes, by = provider): Promise<SignInRefused> {
  const error = await login(wished, by).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SignInRefused);
  expect(JSON.stringify(error) + String(error)).not.toMatch(/\bada\b|Lovelace|SAML_ISSUERS/);
  return error as SignInRefused;
}

function codes(
  { findings }: { findings: readonly Captured['findings'][number][] },
  level = 'error',
): string[] {
  return findings.filter((one) => one.level === level).map(({ code }) => code);
}

const AES_CBC = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const LENIENT = { disallowEncryptionWithInsecureAlgorithm: false, warnOnInsecureEncryptionAlgorithm: false };
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#';
const SHA512_PSS = { uri: `${PSS}sha512-rsa-MGF1`, hash: 'sha512', isPss: true };
const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
const NOBODY = '_0123456789abcdef';
const WRONG_SIGNATURE = expect.stringMatching(/signature_wrong$/) as unknown as string;

const encryption = encryptionFor(identity.encryption.certificate);

describe('a response becomes a login', () => {
  test.each<[what: string, wished: Wishes, notes: string[]]>([
    ['with a signed assertion', {}, ['signed']],
    ['with a signed response', { signAssertion: false, signResponse: true }, ['signed']],
    ['with both', { signResponse: true }, ['signed']],
    ['with an assertion encrypted elsewhere', { change: encryptedHere }, ['assertion_opened', 'signed']],
    ['with an encrypted assertion', encryption, ['assertion_opened', 'signed']],
    [
      'encrypted with AES-CBC',
      { ...encryption, encryptionAlgorithm: AES_CBC, ...LENIENT },
      ['assertion_opened', 'signed'],
    ],
    [
      'with an encrypted assertion in a signed response',
      { ...encryption, signAssertion: false, signResponse: true },
      ['assertion_opened'],
    ],
  ])('%s', async (_, wished, notes) => {
    const captured = await login(wished);
    expect(codes(captured)).toEqual([]);
    expect(codes(captured, 'warning')).toEqual([]);
    expect(codes(captured, 'note')).toEqual(expect.arrayContaining(notes));
    expect(captured).toMatchObject({
      functionName: 'samlLoggedIn',
      events: {
        plain: { assertion: { assertionIssuer: idp.entityId } },
        known: {
          assertion: {
            assertionSubject: { subjectNameID: { nameIDValue: 'ada-1', nameIDFormat: 'Persistent' } },
          },
        },
      },
    });
    expect(JSON.stringify(captured.events)).toContain('ada@example.org');
  });

  test.each([
    SHA512_PSS,
    { uri: `${PSS}sha384-rsa-MGF1`, hash: 'sha384', isPss: true },
    { uri: `${PSS}sha256-rsa-MGF1`, hash: 'sha256', isPss: true },
    { uri: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', hash: 'sha384', isPss: false },
  ])('signed with $uri', async (algorithm) => {
    const change = (xml: string) => signedBy(xml, spare, { algorithm });
    expect(codes(await login({ signAssertion: false, change }, trusted))).toEqual([]);
  });

  test('signed with any certificate of the metadata', async () => {
    const captured = await login({}, trusted);
    expect(codes(captured)).toEqual([]);
  });

  test('with groups that the known service joins', async () => {
    const captured = await login({ claims: { ...PERSON, groups: ['staff', 'students'] } });
    expect(codes(captured, 'warning')).toEqual(['values_joined']);
    expect(JSON.stringify(captured.events?.known)).toContain('"staffstudents"');
  });

  test('without an event where none can be made of it, and says why', async () => {
    const withoutStatement = (xml: string) =>
      signedBy(xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/s, ''), spare);
    const captured = await login({ signAssertion: false, change: withoutStatement }, trusted);
    expect(captured.events).toBeNull();
    expect(codes(captured)).toEqual(['authn_statement_missing']);
  });
});

describe('a response is refused, with all that is wrong', () => {
  test.each<[what: string, wished: Wishes, fix: RegExp, problems: string[]]>([
    ['unsigned', { signAssertion: false }, /Neither .* signed/, ['unsigned']],
    ['encrypted and unsigned', { ...encryption, signAssertion: false }, /Neither .* signed/, ['unsigned']],
    [
      'signed with a key that is not in the metadata',
      { key: stranger.private, cert: stranger.cert },
      /certificate that is not in the metadata.* Fetch the metadata/,
      [WRONG_SIGNATURE],
    ],
    [
      'changed on its way',
      { change: (xml) => xml.replace('ada@example.org', 'eve@example.org') },
      /does not match/,
      [WRONG_SIGNATURE],
    ],
    ['for another service', { audience: 'urn:other' }, /meant for urn:other/, ['assertion_audience_refused']],
    ['expired', { lifetimeInSeconds: -300 }, /expired/, ['assertion_expired']],
    [
      'sent elsewhere',
      { destination: 'https://app.example.net/acs' },
      /sent to https:\/\/app.example.net\/acs; we are/,
      ['destination_differs'],
    ],
    [
      'whose assertion is for another address',
      { recipient: 'https://app.example.net/acs' },
      /recipient .* is https:\/\/app.example.net\/acs.* "Reply URL"/,
      ['assertion_confirmation_refused'],
    ],
    ['of another issuer', { issuer: 'urn:idp' }, /issuer is urn:idp/, ['assertion_issuer_refused']],
    ['to another request', { inResponseTo: NOBODY }, /another request/, ['request_differs']],
    [
      'whose assertion is to another request',
      { inResponseTo: NOBODY, change: (xml, id) => xml.replace(NOBODY, id) },
      /another request/,
      ['request_differs'],
    ],
    [
      'that names no request',
      { change: (xml) => xml.replace(/ InResponseTo="[^"]*"/, '') },
      /has no InResponseTo.*Begin the sign-in here/,
      ['request_differs'],
    ],
    [
      'encrypted for another service',
      encryptionFor(stranger.cert),
      /our key cannot decrypt it.* Register our metadata again/,
      ['assertion_not_opened'],
    ],
    [
      'with a signed assertion beside the one that is read',
      { change: (xml) => wrapped(xml) },
      /signature|assertions/i,
      ['several_assertions'],
    ],
    [
      'whose signed assertion stands aside of the one that is read',
      { change: (xml) => wrapped(xml, 'samlp:Extensions') },
      /signature/,
      [expect.stringMatching(/signature_wrapped$/) as unknown as string],
    ],
    [
      'signed with parameters of PSS in the message',
      { change: (xml) => xml.replace(/(<(?:\w+:)?SignatureMethod Algorithm=")[^"]*/, `$1${PSS}rsa-pss`) },
      /signed with \S*#rsa-pss.* not supported here/,
      ['saml_signature_unsupported'],
    ],
    [
      'signed alone with inclusive canonicalization, and put into the response',
      { signAssertion: false, change: (xml) => xml.replace(ASSERTION, signedAlone) },
      /uses inclusive canonicalization.*"Canonicalization method": EXCLUSIVE/,
      [WRONG_SIGNATURE],
    ],
    [
      'signed by another hash than it says',
      {
        signAssertion: false,
        change: (xml) => signedBy(xml, spare, { algorithm: { ...SHA512_PSS, hash: 'sha384' } }),
      },
      /does not match/,
      [WRONG_SIGNATURE],
    ],
    [
      'confirmed for a time that is over',
      { key: spare.private, cert: spare.cert, signAssertion: false, change: overconfirmed },
      /SubjectConfirmationData.* is over/,
      ['response_refused'],
    ],
    [
      'wrong in every way',
      {
        ...{ audience: 'urn:other', recipient: 'urn:acs', issuer: 'urn:idp', lifetimeInSeconds: -300 },
        ...{ key: stranger.private, cert: stranger.cert },
      },
      /certificate that is not in the metadata/,
      [
        WRONG_SIGNATURE,
        'assertion_audience_refused',
        'assertion_confirmation_refused',
        'assertion_expired',
        'assertion_issuer_refused',
      ],
    ],
  ])('%s', async (_, wished, ours, problems) => {
    const refused = await refusal(wished, trusted);
    expect(refused.providerMessage).toBeNull();
    expect(refused.fix).toMatch(ours);
    expect(codes(refused)).toEqual(expect.arrayContaining(problems));
    expect(refused.findings.every(({ level, change }) => level !== 'error' || change !== null)).toBe(true);
  });

  test.each([
    ['a DOCTYPE', (assertion: string) => `<!DOCTYPE a>${assertion}`, /encrypted assertion: it has a DOCTYPE/],
    ['something else', () => '<other/>', /other instead of an Assertion/],
  ])('whose encrypted assertion has %s', async (_, inside, message) => {
    const encrypted = (assertion: string) =>
      encryptedAssertion(inside(assertion), identity.encryption.certificate);
    const change = (xml: string) => xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, encrypted);
    await expect(login({ change })).rejects.toThrow(SignInRefused);
    await expect(login({ change })).rejects.toThrow(message);
  });

  test('by the provider, in its words and in ours', async () => {
    const refused = await refusal({
      error: {
        code: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
        description: 'ada@example.org is not assigned to the application.',
      },
    });
    expect(refused.providerMessage).toBe('Responder: … is not assigned to the application');
    expect(refused.fix).toMatch(/^Assign the person to this application/);
    expect(codes(refused)).toEqual(['status_not_success']);
  });

  test('with a Status of failure and an assertion all the same', async () => {
    const refused = await refusal({ change: (xml) => xml.replace('status:Success', 'status:Requester') });
    expect(refused.providerMessage).toBe('Requester');
  });
});

/** The signed assertion goes where nobody reads it, and a forged one takes its place (signature wrapping). */
function wrapped(xml: string, parent = ''): string {
  const [assertion = ''] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml) ?? [];
  const forged = assertion
    .replace(/<(\w*:?)Signature .*<\/\1Signature>/s, '')
    .replace(/ ID="[^"]*"/, ' ID="_forged"')
    .replace('ada@example.org', 'eve@example.org');
  const aside = parent === '' ? assertion : `<${parent}>${assertion}</${parent}>`;
  return xml.replace(assertion, `${forged}${aside}`);
}

function encryptedHere(xml: string): string {
  return xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, (assertion) =>
    encryptedAssertion(assertion, identity.encryption.certificate),
  );
}

/** As Keycloak does: the namespaces of the response are not there yet. */
function signedAlone(assertion: string): string {
  return signedBy(assertion, spare, { canonicalization: INCLUSIVE });
}

/** Conditions hold a few minutes longer. */
function overconfirmed(xml: string): string {
  const over = new Date(Date.now() - 120_000).toISOString();
  const changed = xml.replace(/(<saml:SubjectConfirmationData [^>]*NotOnOrAfter=")[^"]*/, `$1${over}`);
  return signedBy(changed, spare);
}
