/** SAML at a real Keycloak, which imported our metadata, with the mappers of docs/providers/keycloak.md. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Person } from '../support/person.ts';
import type { ShownSignIn } from '../support/studio.ts';
import type { Change, Client } from './machine/admin.ts';
import { answered, type Campus, logIn, openCampus, SAML_MAPPERS, X500 } from './machine/campus.ts';
import { ANSWERS, testPeople } from './machine/eitherProtocol.ts';

jest.setTimeout(120_000);

let campus: Campus;
let client: Client;
let asked: { metadataUrl: string };
/** Somebody of the staff, who is signed in. */
const browser = new Person();
beforeAll(async () => {
  campus = await openCampus();
  const { admin, studio } = campus;
  asked = { metadataUrl: `${admin.issuer}/protocol/saml/descriptor` };
  await studio.page('#/sign-in');
  const ours = await (await fetch(`${studio.origin}/saml/metadata`)).text();
  client = await admin.makeClient(await admin.importMetadata(ours));
  await admin.addMappers(client, [...(await admin.predefinedMappers('saml', X500)), ...SAML_MAPPERS]);
});
afterAll(() => campus?.close());

const codes = ({ findings }: ShownSignIn, level: string) =>
  findings.filter((one) => one.level === level).map(({ code }) => code);

/** How a login goes while the client has these attributes. */
function signInWith(attributes: Record<string, string>): Promise<ShownSignIn> {
  return campus.admin.whileChanged(client, { attributes }, () =>
    campus.signIn('saml', asked, 'staff1', browser),
  );
}

testPeople('saml', () => ({ campus, asked }));

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';
const CIPHERS = [
  ...['aes256-gcm', 'aes128-gcm'].map((name) => XMLENC11 + name),
  ...['aes256-cbc', 'aes128-cbc'].map((name) => XMLENC + name),
];
const DIGESTS = [`${XMLENC}sha512`, `${XMLENC}sha256`, 'http://www.w3.org/2000/09/xmldsig#sha1'];
const MGFS = ['512', '384', '256', '224', '1'].map((bits) => `${XMLENC11}mgf1sha${bits}`);
/** "Keys", "Encryption keys config": every choice that there is, without AES-192. */
const ENCRYPTION: Record<string, string>[] = [
  ...CIPHERS.map((algorithm) => ({ algorithm })),
  ...DIGESTS.flatMap((digestMethod) => [
    ...MGFS.map((mgf) => ({
      ...{ keyAlgorithm: `${XMLENC11}rsa-oaep`, digestMethod },
      maskGenerationFunction: mgf,
    })),
    { keyAlgorithm: `${XMLENC}rsa-oaep-mgf1p`, digestMethod },
  ]),
  { keyAlgorithm: `${XMLENC}rsa-1_5` },
];

describe('an assertion is opened that is encrypted by', () => {
  test.each(ENCRYPTION.map((chosen) => ({ chosen, title: Object.values(chosen).map(nameOf).join(', ') })))(
    '$title',
    async ({ chosen }) => {
      const attributes = Object.fromEntries(
        Object.entries(chosen).map(([name, value]) => [`saml.encryption.${name}`, value]),
      );
      const result = await signInWith(attributes);
      expect(result.refused).toBeNull();
      expect(codes(result, 'error')).toEqual([]);
      expect(result.findings.map(({ code }) => code)).toContain('assertion_opened');
    },
  );
});

function nameOf(algorithm: string): string {
  return algorithm.replace(/^.*#/, '');
}

const SIGNED = ['RSA_SHA1', 'RSA_SHA256', 'RSA_SHA512', 'RSA_SHA256_MGF1', 'RSA_SHA512_MGF1'];

describe('a login is accepted', () => {
  test.each<[what: string, attributes: Record<string, string>]>([
    ['with a signed document alone', { 'saml.assertion.signature': 'false' }],
    ['with a signed assertion alone', { 'saml.server.signature': 'false' }],
    ['unencrypted', { 'saml.encrypt': 'false' }],
    ...SIGNED.map((name): [string, Record<string, string>] => [
      `signed by ${name}`,
      { 'saml.signature.algorithm': name },
    ]),
  ])('%s', async (_, attributes) => {
    const result = await signInWith(attributes);
    expect(answered(result)).toEqual(ANSWERS.saml.staff);
    expect(codes(result, 'error')).toEqual([]);
  });
});

describe('Keycloak refuses before the browser leaves', () => {
  test.each<[what: string, change: Change, theirs: RegExp, ours: RegExp]>([
    ['a client that it does not know', { clientId: 'other' }, /Invalid Request/, /^Register this machine/],
    ['a client that is off', { enabled: false }, /Login requester not enabled/, /^Turn the client .* on/],
    [
      'another address for responses',
      {
        redirectUris: ['http://localhost:1/'],
        attributes: { saml_assertion_consumer_url_post: 'http://localhost:1/' },
      },
      /Invalid redirect uri/,
      /^Register exactly this ACS URL .*\/callback\/saml$/,
    ],
  ])('%s', async (_, change, theirs, ours) => {
    const started = await campus.admin.whileChanged(client, change, () => campus.start('saml', asked));
    expect(started.refused).toEqual({
      theirs: expect.stringMatching(theirs),
      ours: expect.stringMatching(ours),
    });
  });

  test('a client that was made by hand, until it accepts requests without a signature', async () => {
    const { clientId, redirectUris } = client;
    const byHand = { clientId, redirectUris, protocol: 'saml' };
    await campus.admin.whileChanged(client, { clientId: 'other' }, async () => {
      const made = await campus.admin.makeClient(byHand);
      try {
        expect((await campus.start('saml', asked)).refused).toEqual({
          theirs: expect.stringMatching(/Invalid requester/),
          ours: expect.stringMatching(/"Client signature required" off/),
        });
        const attributes = { 'saml.client.signature': 'false' };
        await campus.admin.whileChanged(made, { attributes }, async () => {
          expect((await campus.signIn('saml', asked, 'staff1', browser)).refused).toBeNull();
        });
      } finally {
        await campus.admin.removeClient(made);
      }
    });
  });
});

describe('a login is refused', () => {
  test('where the person gives no consent', async () => {
    const person = new Person();
    await campus.admin.whileChanged(client, { consentRequired: true }, async () => {
      const { url = '' } = await campus.start('saml', asked);
      const page = await person.submit(await logIn(person, url, 'staff1'), { cancel: 'No' });
      const { refused } = await campus.result(page);
      expect(refused?.theirs).toMatch(/RequestDenied/);
    });
  });

  test('without any signature', async () => {
    const attributes = { 'saml.assertion.signature': 'false', 'saml.server.signature': 'false' };
    expect(await signInWith(attributes)).toMatchObject({
      login: null,
      refused: { ours: expect.stringMatching(/^Neither the response nor the assertion is signed/) },
    });
  });
});
