/** Sign-ins at a real SAML provider: what becomes a login, and what is refused, with all that is wrong. */
import { describe, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { ASSERTION, encrypted, encryptionFor } from '../support/samlEncryption.ts';
import { signedBy, type Wishes } from '../support/samlIdp.ts';
import { codes, samlSignIn } from './samlSignIn.ts';

const [spare, stranger] = await Promise.all([generate(), generate()]);
const { identity, idp, login, refusal } = await samlSignIn(spare.cert);

const PSS = 'http://www.w3.org/2007/05/xmldsig-more#';
const NOBODY = '_0123456789abcdef';

const { certificate } = identity.encryption;
const encryption = encryptionFor(certificate);
const unsigned = { signAssertion: false };
const ofResponse = { ...unsigned, signResponse: true };
const changing = (...[from, to]: [string | RegExp, string]) => ({
  change: (xml: string) => xml.replace(from, to),
});

describe('a response becomes a login', () => {
  test.each<[what: string, wished: Wishes, notes: string[]]>([
    ['with a signed assertion', {}, ['signed']],
    ['with a signed response', ofResponse, ['signed']],
    ['with both', { signResponse: true }, ['signed']],
    ['with an encrypted assertion', encryption, ['assertion_opened', 'signed']],
    ['encrypted in a signed response', { ...encryption, ...ofResponse }, ['assertion_opened']],
  ])('%s', async (_, wished, notes) => {
    const captured = await login(wished);
    expect([...codes(captured), ...codes(captured, 'warning')]).toEqual([]);
    expect(codes(captured, 'note')).toEqual(expect.arrayContaining(notes));
    const subjectNameID = { nameIDValue: 'ada-1', nameIDFormat: 'Persistent' };
    const plain = { assertion: { assertionIssuer: idp.entityId } };
    const events = { plain, known: { assertion: { assertionSubject: { subjectNameID } } } };
    expect(captured).toMatchObject({ functionName: 'samlLoggedIn', events });
    expect(JSON.stringify(captured.events)).toContain('ada@example.org');
  });

  test.each([
    { uri: `${PSS}sha512-rsa-MGF1`, hash: 'sha512', isPss: true },
    { uri: `${PSS}sha384-rsa-MGF1`, hash: 'sha384', isPss: true },
    { uri: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', hash: 'sha384', isPss: false },
  ])('signed with $uri', async (algorithm) => {
    const change = (xml: string) => signedBy(xml, spare, { algorithm });
    expect(codes(await login({ ...unsigned, change }))).toEqual([]);
  });
});

const ELSEWHERE = 'https://app.example.net/acs';
const OTHER_KEY = { key: stranger.private, cert: stranger.cert };
const SHA512_PSS = { uri: `${PSS}sha512-rsa-MGF1`, hash: 'sha384', isPss: true };
const byOtherHash = (xml: string) => signedBy(xml, spare, { algorithm: SHA512_PSS });
const TO_NOBODY = { inResponseTo: NOBODY };
const ASSERTION_TO_NOBODY = { ...TO_NOBODY, change: (xml: string, id: string) => xml.replace(NOBODY, id) };
const METHOD_OF_PSS = changing(/(<(?:\w+:)?SignatureMethod Algorithm=")[^"]*/, `$1${PSS}rsa-pss`);
const BESIDE = { change: besideForged };
const SENT_ELSEWHERE = /sent to https:\/\/app.example.net\/acs; expected http:/;
const FOR_ELSEWHERE = /Found: .*, https:\/\/app.example.net\/acs\. Expected: http:.*"Reply URL"/;
const NO_REQUEST = /has no InResponseTo.*Begin the sign-in here/;
const OF_PSS = /signed with \S*#rsa-pss.* not supported here/;
const STRANGER = /certificate that is not in the metadata.* Fetch the metadata/;
const OTHERS = { audience: 'urn:other', recipient: 'urn:a', destination: 'urn:a', lifetimeInSeconds: -300 };
const [WRONG, UNCONFIRMED] = ['saml_signature_wrong', 'assertion_confirmation_refused'];
const [AUDIENCE, EXPIRED] = ['assertion_audience_refused', 'assertion_expired'];
const ISSUER = 'assertion_issuer_refused';

describe('a response is refused, with all that is wrong', () => {
  test.each<[what: string, wished: Wishes, fix: RegExp, ...errors: string[]]>([
    ['unsigned', unsigned, /Neither .* signed/, 'unsigned'],
    ['encrypted and unsigned', { ...encryption, ...unsigned }, /Neither .* signed/, 'unsigned'],
    ['sent elsewhere', { destination: ELSEWHERE }, SENT_ELSEWHERE, 'destination_differs'],
    ['whose assertion is for another address', { recipient: ELSEWHERE }, FOR_ELSEWHERE, UNCONFIRMED],
    ['to another request', TO_NOBODY, /another request/, 'request_differs'],
    ['whose assertion is to another request', ASSERTION_TO_NOBODY, /another request/, 'request_differs'],
    ['that names no request', changing(/ InResponseTo="[^"]*"/, ''), NO_REQUEST, 'request_differs'],
    ['with a signed assertion beside it', BESIDE, /signature|assertions/i, 'several_assertions'],
    ['signed with parameters of PSS in the message', METHOD_OF_PSS, OF_PSS, 'saml_signature_unsupported'],
    ['signed by another hash than it says', { ...unsigned, change: byOtherHash }, /does not match/, WRONG],
    ['for another service', { audience: 'urn:other' }, /Found: urn:other\. Expected: http/, AUDIENCE],
    ['of another issuer', { issuer: 'urn:idp' }, /Found: urn:idp\. Expected: http/, ISSUER],
    ['wrong in every way', { ...OTHERS, ...OTHER_KEY }, STRANGER, WRONG, UNCONFIRMED, AUDIENCE, EXPIRED],
  ])('%s', async (_, wished, fix, ...errors) => {
    const refused = await refusal(wished);
    expect(refused).toMatchObject({ providerMessage: null, fix: expect.stringMatching(fix) });
    expect(codes(refused)).toEqual(expect.arrayContaining(errors));
    expect(refused.findings.every(({ level, change }) => level !== 'error' || change !== null)).toBe(true);
  });

  test.each([
    ['a DOCTYPE', (assertion: string) => `<!DOCTYPE a>${assertion}`, /encrypted assertion: it has a DOCTYPE/],
    ['something else', () => '<other/>', /other instead of an Assertion/],
  ])('whose encrypted assertion has %s', async (_, inside, message) => {
    const change = (xml: string) => encrypted(xml, certificate, {}, inside);
    expect((await refusal({ change })).message).toMatch(message);
  });

  test('by the provider, in its words and in ours', async () => {
    const description = 'ada@example.org is not assigned to the application.';
    const error = { code: 'urn:oasis:names:tc:SAML:2.0:status:Responder', description };
    const refused = await refusal({ error });
    const fix = expect.stringMatching(/^Assign the person to this application/);
    const providerMessage = 'Responder: … is not assigned to the application';
    expect(refused).toMatchObject({ providerMessage, fix, findings: [{ code: 'status_not_success' }] });
  });

  test('with a Status of failure and an assertion all the same', async () => {
    const { providerMessage } = await refusal(changing('status:Success', 'status:Requester'));
    expect(providerMessage).toBe('Requester');
  });
});

/** A forged assertion stands before the signed one (signature wrapping). */
function besideForged(xml: string): string {
  return xml.replace(ASSERTION, (assertion) => {
    const forged = assertion.replace(/<(\w*:?)Signature .*<\/\1Signature>/s, '').replace('ada@', 'eve@');
    return forged.replace(/ ID="[^"]*"/, ' ID="_forged"') + assertion;
  });
}
