/** Encrypted assertions of a real provider, with each algorithm that providers choose. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import type { Captured } from '../../tools/capture/captured.ts';
import { samlIdentity } from '../../tools/signIn/identity.ts';
import { samlProviderIn } from '../../tools/signIn/metadata.ts';
import { SignInRefused } from '../../tools/signIn/refusals.ts';
import { SamlSignIns } from '../../tools/signIn/saml.ts';
import { aes, type Encrypting, encryptedAssertion, oaep, RSA_1_5 } from '../support/samlEncryption.ts';
import { samlIdp, signedInAt, type Wishes } from '../support/samlIdp.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();
const identity = await samlIdentity(3003, folder);
const stranger = await generate();
let wishes: Wishes = {};
const idp = await samlIdp(identity.acsUrl, () => wishes);
const signIns = new SamlSignIns({ identity, environment: () => ({}) });
afterAll(() => idp.close());

async function login(encrypt: (assertion: string) => string): Promise<Captured> {
  wishes = { change: (xml) => xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, encrypt) };
  return signIns.finish(await signedInAt(await signIns.start(samlProviderIn(idp.metadata()))));
}

async function refusal(encrypt: (assertion: string) => string): Promise<SignInRefused> {
  const error = await login(encrypt).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SignInRefused);
  return error as SignInRefused;
}

function codes({ findings }: { findings: readonly Captured['findings'][number][] }, level: string): string[] {
  return findings.filter((one) => one.level === level).map(({ code }) => code);
}

const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const SHA384 = 'http://www.w3.org/2001/04/xmldsig-more#sha384';
const SHA512 = 'http://www.w3.org/2001/04/xmlenc#sha512';
const GCM = aes('256-gcm');

test.each<[what: string, encrypting: Encrypting]>([
  ['rsa-oaep-mgf1p with SHA-1', { cipher: GCM, transport: oaep(SHA1) }],
  ['rsa-oaep-mgf1p with SHA-256', { cipher: GCM, transport: oaep(SHA256) }],
  ['rsa-oaep-mgf1p with SHA-512', { cipher: GCM, transport: oaep(SHA512) }],
  ['rsa-oaep with SHA-1 and MGF1-SHA-1', { cipher: GCM, transport: oaep(SHA1, 'sha1') }],
  ['rsa-oaep with SHA-256 and MGF1-SHA-1', { cipher: GCM, transport: oaep(SHA256, 'sha1') }],
  ['rsa-oaep with SHA-256 and MGF1-SHA-256', { cipher: GCM, transport: oaep(SHA256, 'sha256') }],
  ['rsa-oaep with SHA-256 and MGF1-SHA-224', { cipher: GCM, transport: oaep(SHA256, 'sha224') }],
  ['rsa-oaep with SHA-512 and MGF1-SHA-512', { cipher: GCM, transport: oaep(SHA512, 'sha512') }],
  ['AES-128-GCM', { cipher: aes('128-gcm'), transport: oaep(SHA256, 'sha256') }],
  ['AES-128-CBC', { cipher: aes('128-cbc'), transport: oaep(SHA256, 'sha256') }],
  ['AES-256-CBC', { cipher: aes('256-cbc'), transport: oaep(SHA256, 'sha256') }],
])('%s is opened', async (_, encrypting) => {
  const captured = await login((text) =>
    encryptedAssertion(text, identity.encryption.certificate, encrypting),
  );
  expect(codes(captured, 'error')).toEqual([]);
  expect(codes(captured, 'warning')).toEqual([]);
  expect(JSON.stringify(captured.events)).toContain('ada@example.org');
});

test('RSA 1.5 is opened with a warning', async () => {
  const encrypting = { cipher: GCM, transport: RSA_1_5 };
  const captured = await login((text) =>
    encryptedAssertion(text, identity.encryption.certificate, encrypting),
  );
  expect(codes(captured, 'warning')).toEqual(['assertion_encryption_rsa15']);
});

describe('what is not supported is named, and the key is not blamed', () => {
  const oldCipher = 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc';
  test.each<[what: string, encrypting: Encrypting, named: string]>([
    ['a cipher', { cipher: oldCipher, transport: oaep(SHA1) }, 'tripledes-cbc'],
    ['AES-192 in GCM mode', { cipher: aes('192-gcm'), transport: oaep(SHA256, 'sha256') }, 'aes192-gcm'],
    ['AES-192 in CBC mode', { cipher: aes('192-cbc'), transport: oaep(SHA256, 'sha256') }, 'aes192-cbc'],
    [
      'SHA-384, which the library would take for SHA-1',
      { cipher: GCM, transport: oaep(SHA384, 'sha384') },
      '#sha384',
    ],
    ['SHA-384 of mgf1p', { cipher: GCM, transport: oaep(SHA384) }, '#sha384'],
    [
      'an MGF beside mgf1p',
      { cipher: GCM, transport: { ...oaep(SHA1), inside: oaep(SHA1, 'sha1').inside } },
      'mgf1sha1',
    ],
    [
      'a key transport',
      { cipher: GCM, transport: { ...oaep(SHA1), uri: 'urn:own#transport' } },
      '#transport',
    ],
    [
      'a digest',
      { cipher: GCM, transport: { ...oaep(SHA1), inside: oaep('urn:own#digest').inside } },
      '#digest',
    ],
    [
      'an MGF',
      { cipher: GCM, transport: { ...oaep(SHA1, 'sha1'), inside: oaep(SHA1, 'sha9').inside } },
      'mgf1sha9',
    ],
  ])('%s', async (_, encrypting, named) => {
    const refused = await refusal((text) =>
      encryptedAssertion(text, identity.encryption.certificate, encrypting),
    );
    expect(codes(refused, 'error')).toContain('assertion_encryption_unsupported');
    expect(refused.fix).toContain(named);
    expect(refused.fix).toMatch(/not supported here/);
    expect(refused.fix).not.toMatch(/cannot decrypt|Register our metadata/);
  });
});

describe('a key that stands beside the data', () => {
  const encrypting = { cipher: GCM, transport: oaep(SHA256, 'sha256') };
  /** As Shibboleth places it. */
  const beside = (text: string, found: string) => {
    const closed = encryptedAssertion(text, identity.encryption.certificate, encrypting);
    const [key = ''] = /<e:EncryptedKey>.*<\/e:EncryptedKey>/s.exec(closed) ?? [];
    const apart = key.replace(
      '<e:EncryptedKey',
      '<e:EncryptedKey xmlns:e="http://www.w3.org/2001/04/xmlenc#" Id="k"',
    );
    return closed
      .replace(key, found)
      .replace('</saml:EncryptedAssertion>', `${apart}</saml:EncryptedAssertion>`);
  };

  test('is found by a RetrievalMethod', async () => {
    const captured = await login((text) => beside(text, '<RetrievalMethod URI="#k"/>'));
    expect(codes(captured, 'error')).toEqual([]);
    expect(JSON.stringify(captured.events)).toContain('ada@example.org');
  });

  test('is told where nothing names it', async () => {
    const refused = await refusal((text) => beside(text, ''));
    expect(refused.fix).toMatch(/does not say which key/);
  });
});

/** What an attacker may try: each failure gives the same sentence. */
describe('every failure of decryption has one sentence', () => {
  const changed = (text: string, which: number) => {
    let seen = 0;
    return text.replace(/(CipherValue>)([^<]+)/g, (all, tag: string, value: string) => {
      if (seen++ !== which) return all;
      const bytes = Buffer.from(value, 'base64');
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      return `${tag}${bytes.toString('base64')}`;
    });
  };
  test.each<[what: string, encrypting: Encrypting]>([
    ['OAEP and GCM', { cipher: GCM, transport: oaep(SHA256, 'sha256') }],
    ['RSA 1.5 and GCM', { cipher: GCM, transport: RSA_1_5 }],
    ['OAEP and CBC', { cipher: aes('256-cbc'), transport: oaep(SHA256, 'sha256') }],
    ['RSA 1.5 and CBC', { cipher: aes('256-cbc'), transport: RSA_1_5 }],
  ])('%s', async (_, encrypting) => {
    const closed = (text: string, pem = identity.encryption.certificate) =>
      encryptedAssertion(text, pem, encrypting);
    const refusals = [
      await refusal((text) => closed(text, stranger.cert)),
      await refusal((text) => changed(closed(text), 0)),
      await refusal((text) => changed(closed(text), 1)),
      ...(encrypting.cipher.endsWith('cbc') ? [await refusal(() => closed('no XML'))] : []),
    ];
    expect(new Set(refusals.map(({ fix }) => fix)).size).toBe(1);
    expect(refusals[0]?.fix).toMatch(/our key cannot decrypt it/);
  });
});
