/** Sign-ins at a real SAML provider: what becomes a login, and what is refused, with all that is wrong. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { SignInRefused } from '../../tools/signIn/refusals.ts';
import { encryptedAssertion, encryptionFor } from '../support/samlEncryption.ts';
import { PERSON, signedBy, type Wishes } from '../support/samlIdp.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { ASSERTION, codes, samlSignIn } from './samlSignIn.ts';

const [spare, stranger] = await Promise.all([generate(), generate()]);
const { identity, idp, login, refusal } = await samlSignIn(temporaryFolder(), [spare.cert]);
afterAll(() => idp.close());

const AES_CBC = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const LENIENT = { disallowEncryptionWithInsecureAlgorithm: false, warnOnInsecureEncryptionAlgorithm: false };
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#';
const SHA512_PSS = { uri: `${PSS}sha512-rsa-MGF1`, hash: 'sha512', isPss: true };
const NOBODY = '_0123456789abcdef';

const encryption = encryptionFor(identity.encryption.certificate);
const encrypted = (text: string) => encryptedAssertion(text, identity.encryption.certificate);
const unsigned = { signAssertion: false };
const ofResponse = { ...unsigned, signResponse: true };

describe('a response becomes a login', () => {
  test.each<[what: string, wished: Wishes, notes: string[]]>([
    ['with a signed assertion', {}, ['signed']],
    ['with a signed response', ofResponse, ['signed']],
    ['with both', { signResponse: true }, ['signed']],
    [
      'encrypted elsewhere',
      { change: (xml) => xml.replace(ASSERTION, encrypted) },
      ['assertion_opened', 'signed'],
    ],
    ['with an encrypted assertion', encryption, ['assertion_opened', 'signed']],
    [
      'with AES-CBC',
      { ...encryption, encryptionAlgorithm: AES_CBC, ...LENIENT },
      ['assertion_opened', 'signed'],
    ],
    ['encrypted in a signed response', { ...encryption, ...ofResponse }, ['assertion_opened']],
  ])('%s', async (_, wished, notes) => {
    const captured = await login(wished);
    expect(codes(captured)).toEqual([]);
    expect(codes(captured, 'warning')).toEqual([]);
    expect(codes(captured, 'note')).toEqual(expect.arrayContaining(notes));
    const known = {
      assertionSubject: { subjectNameID: { nameIDValue: 'ada-1', nameIDFormat: 'Persistent' } },
    };
    expect(captured).toMatchObject({
      functionName: 'samlLoggedIn',
      events: { plain: { assertion: { assertionIssuer: idp.entityId } }, known: { assertion: known } },
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
    expect(codes(await login({ ...unsigned, change }))).toEqual([]);
  });

  test('with groups that the known service joins', async () => {
    const captured = await login({ claims: { ...PERSON, groups: ['staff', 'students'] } });
    expect(codes(captured, 'warning')).toEqual(['values_joined']);
    expect(JSON.stringify(captured.events?.known)).toContain('"staffstudents"');
  });

  test('without an event where none can be made of it, and says why', async () => {
    const change = (xml: string) =>
      signedBy(xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/s, ''), spare);
    const captured = await login({ ...unsigned, change });
    expect(captured.events).toBeNull();
    expect(codes(captured)).toEqual(['authn_statement_missing']);
  });
});

const ELSEWHERE = 'https://app.example.net/acs';
const OTHER_KEY = { key: stranger.private, cert: stranger.cert };
const OTHERS = { audience: 'urn:other', recipient: 'urn:acs', issuer: 'urn:idp', lifetimeInSeconds: -300 };
const WRONG = ['saml_signature_wrong'];
/** As Keycloak does: the namespaces of the response are not there yet. */
const signedAlone = (assertion: string) => signedBy(assertion, spare, { canonicalization: INCLUSIVE });
const byOtherHash = (xml: string) => signedBy(xml, spare, { algorithm: { ...SHA512_PSS, hash: 'sha384' } });

describe('a response is refused, with all that is wrong', () => {
  test.each<[what: string, wished: Wishes, fix: RegExp, errors: string[]]>([
    ['unsigned', unsigned, /Neither .* signed/, ['unsigned']],
    ['encrypted and unsigned', { ...encryption, ...unsigned }, /Neither .* signed/, ['unsigned']],
    [
      'signed with another key',
      OTHER_KEY,
      /certificate that is not in the metadata.* Fetch the metadata/,
      WRONG,
    ],
    ['changed on its way', { change: (xml) => xml.replace('ada@', 'eve@') }, /does not match/, WRONG],
    [
      'for another service',
      { audience: 'urn:other' },
      /Found: urn:other\. Expected: http/,
      ['assertion_audience_refused'],
    ],
    ['expired', { lifetimeInSeconds: -300 }, /expired/, ['assertion_expired']],
    [
      'sent elsewhere',
      { destination: ELSEWHERE },
      /sent to https:\/\/app.example.net\/acs; we are/,
      ['destination_differs'],
    ],
    [
      'whose assertion is for another address',
      { recipient: ELSEWHERE },
      /Found: https:\/\/app.example.net\/acs\. Expected: .*"Reply URL"/,
      ['assertion_confirmation_refused'],
    ],
    [
      'of another issuer',
      { issuer: 'urn:idp' },
      /Found: urn:idp\. Expected: http/,
      ['assertion_issuer_refused'],
    ],
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
      ['saml_signature_wrapped'],
    ],
    [
      'signed with parameters of PSS in the message',
      { change: (xml) => xml.replace(/(<(?:\w+:)?SignatureMethod Algorithm=")[^"]*/, `$1${PSS}rsa-pss`) },
      /signed with \S*#rsa-pss.* not supported here/,
      ['saml_signature_unsupported'],
    ],
    [
      'signed alone with inclusive canonicalization, and put into the response',
      { ...unsigned, change: (xml) => xml.replace(ASSERTION, signedAlone) },
      /uses inclusive canonicalization.*"Canonicalization method": EXCLUSIVE/,
      WRONG,
    ],
    ['signed by another hash than it says', { ...unsigned, change: byOtherHash }, /does not match/, WRONG],
    [
      'confirmed for a time that is over',
      { ...unsigned, change: overconfirmed },
      /Expected: a time in the future/,
      ['assertion_confirmation_refused'],
    ],
    [
      'wrong in every way',
      { ...OTHERS, ...OTHER_KEY },
      /certificate that is not in the metadata/,
      [
        ...['saml_signature_wrong', 'assertion_audience_refused', 'assertion_confirmation_refused'],
        ...['assertion_expired', 'assertion_issuer_refused'],
      ],
    ],
  ])('%s', async (_, wished, fix, errors) => {
    const refused = await refusal(wished);
    expect(refused.providerMessage).toBeNull();
    expect(refused.fix).toMatch(fix);
    expect(codes(refused)).toEqual(expect.arrayContaining(errors));
    expect(refused.findings.every(({ level, change }) => level !== 'error' || change !== null)).toBe(true);
  });

  test.each([
    ['a DOCTYPE', (assertion: string) => `<!DOCTYPE a>${assertion}`, /encrypted assertion: it has a DOCTYPE/],
    ['something else', () => '<other/>', /other instead of an Assertion/],
  ])('whose encrypted assertion has %s', async (_, inside, message) => {
    const change = (xml: string) => xml.replace(ASSERTION, (assertion) => encrypted(inside(assertion)));
    const refused = login({ change });
    await expect(refused).rejects.toThrow(SignInRefused);
    await expect(refused).rejects.toThrow(message);
  });

  test('by the provider, in its words and in ours', async () => {
    const description = 'ada@example.org is not assigned to the application.';
    const error = { code: 'urn:oasis:names:tc:SAML:2.0:status:Responder', description };
    const refused = await refusal({ error });
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
  const [assertion = ''] = ASSERTION.exec(xml) ?? [];
  const forged = assertion
    .replace(/<(\w*:?)Signature .*<\/\1Signature>/s, '')
    .replace(/ ID="[^"]*"/, ' ID="_forged"')
    .replace('ada@example.org', 'eve@example.org');
  const aside = parent === '' ? assertion : `<${parent}>${assertion}</${parent}>`;
  return xml.replace(assertion, `${forged}${aside}`);
}

/** Conditions hold a few minutes longer. */
function overconfirmed(xml: string): string {
  const over = new Date(Date.now() - 120_000).toISOString();
  return signedBy(
    xml.replace(/(<saml:SubjectConfirmationData [^>]*NotOnOrAfter=")[^"]*/, `$1${over}`),
    spare,
  );
}
