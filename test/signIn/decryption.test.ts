/** Encrypted assertions of a real provider, with each algorithm that providers choose. */
import { describe, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { aes, type Encrypting, encryptedAssertion, oaep, RSA_1_5 } from '../support/samlEncryption.ts';
import { ASSERTION, codes, samlSignIn } from './samlSignIn.ts';

const stranger = await generate();
const at = await samlSignIn();
const { certificate } = at.identity.encryption;

type Encrypt = (assertion: string) => string;
const login = (encrypt: Encrypt) => at.login({ change: (xml) => xml.replace(ASSERTION, encrypt) });
const refusal = (encrypt: Encrypt) => at.refusal({ change: (xml) => xml.replace(ASSERTION, encrypt) });
const by = (encrypting: Encrypting) => (text: string) => encryptedAssertion(text, certificate, encrypting);

const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const SHA384 = 'http://www.w3.org/2001/04/xmldsig-more#sha384';
const SHA512 = 'http://www.w3.org/2001/04/xmlenc#sha512';
const GCM = aes('256-gcm');
const USUAL = oaep(SHA256, 'sha256');

test.each<[what: string, cipher: string, transport: Encrypting['transport'], warnings: string[]]>([
  ['rsa-oaep-mgf1p with SHA-1', GCM, oaep(SHA1), []],
  ['rsa-oaep-mgf1p with SHA-256', GCM, oaep(SHA256), []],
  ['rsa-oaep-mgf1p with SHA-512', GCM, oaep(SHA512), []],
  ['rsa-oaep with SHA-1 and MGF1-SHA-1', GCM, oaep(SHA1, 'sha1'), []],
  ['rsa-oaep with SHA-256 and MGF1-SHA-1', GCM, oaep(SHA256, 'sha1'), []],
  ['rsa-oaep with SHA-256 and MGF1-SHA-256', GCM, USUAL, []],
  ['rsa-oaep with SHA-256 and MGF1-SHA-224', GCM, oaep(SHA256, 'sha224'), []],
  ['rsa-oaep with SHA-512 and MGF1-SHA-512', GCM, oaep(SHA512, 'sha512'), []],
  ['AES-128-GCM', aes('128-gcm'), USUAL, []],
  ['AES-128-CBC', aes('128-cbc'), USUAL, []],
  ['AES-256-CBC', aes('256-cbc'), USUAL, []],
  ['RSA 1.5, with a warning', GCM, RSA_1_5, ['assertion_encryption_rsa15']],
])('%s is opened', async (_, cipher, transport, warnings) => {
  const captured = await login(by({ cipher, transport }));
  expect(codes(captured)).toEqual([]);
  expect(codes(captured, 'warning')).toEqual(warnings);
  expect(JSON.stringify(captured.events)).toContain('ada@example.org');
});

test.each<[what: string, cipher: string, transport: Encrypting['transport'], named: string]>([
  ['a cipher', 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc', oaep(SHA1), 'tripledes-cbc'],
  ['AES-192 in GCM mode', aes('192-gcm'), USUAL, 'aes192-gcm'],
  ['AES-192 in CBC mode', aes('192-cbc'), USUAL, 'aes192-cbc'],
  ['SHA-384, which the library would take for SHA-1', GCM, oaep(SHA384, 'sha384'), '#sha384'],
  ['SHA-384 of mgf1p', GCM, oaep(SHA384), '#sha384'],
  ['an MGF beside mgf1p', GCM, { ...oaep(SHA1), inside: oaep(SHA1, 'sha1').inside }, 'mgf1sha1'],
  ['a key transport', GCM, { ...oaep(SHA1), uri: 'urn:own#transport' }, '#transport'],
  ['a digest', GCM, { ...oaep(SHA1), inside: oaep('urn:own#digest').inside }, '#digest'],
  ['an MGF', GCM, { ...oaep(SHA1, 'sha1'), inside: oaep(SHA1, 'sha9').inside }, 'mgf1sha9'],
])('%s that is not supported is named with the switch, and the key is not blamed', async (...row) => {
  const [, cipher, transport, named] = row;
  const refused = await refusal(by({ cipher, transport }));
  expect(codes(refused)).toContain('assertion_encryption_unsupported');
  expect(refused.fix).toContain(named);
  expect(refused.fix).toMatch(/not supported here.*Keycloak: client, "Keys", "Encryption keys config"/);
  expect(refused.fix).not.toMatch(/cannot decrypt|Register our metadata/);
});

describe('a key that stands beside the data', () => {
  /** As Shibboleth places it. */
  const beside = (found: string) => (text: string) => {
    const closed = by({ cipher: GCM, transport: USUAL })(text);
    const [key = ''] = /<e:EncryptedKey>.*<\/e:EncryptedKey>/s.exec(closed) ?? [];
    const apart = key.replace('<e:EncryptedKey', '$& xmlns:e="http://www.w3.org/2001/04/xmlenc#" Id="k"');
    return closed.replace(key, found).replace('</saml:EncryptedAssertion>', `${apart}$&`);
  };

  test('is found by a RetrievalMethod', async () => {
    const captured = await login(beside('<RetrievalMethod URI="#k"/>'));
    expect(codes(captured)).toEqual([]);
    expect(JSON.stringify(captured.events)).toContain('ada@example.org');
  });

  test('is not found where nothing names it', async () => {
    expect((await refusal(beside(''))).fix).toMatch(/our key cannot decrypt it/);
  });
});

function changed(text: string, which: number): string {
  let seen = 0;
  return text.replace(/(CipherValue>)([^<]+)/g, (all, tag: string, value: string) => {
    if (seen++ !== which) return all;
    const bytes = Buffer.from(value, 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    return `${tag}${bytes.toString('base64')}`;
  });
}

/** What an attacker may try: each failure gives the same sentence. */
test.each<[what: string, encrypting: Encrypting]>([
  ['OAEP and GCM', { cipher: GCM, transport: USUAL }],
  ['RSA 1.5 and GCM', { cipher: GCM, transport: RSA_1_5 }],
  ['OAEP and CBC', { cipher: aes('256-cbc'), transport: USUAL }],
  ['RSA 1.5 and CBC', { cipher: aes('256-cbc'), transport: RSA_1_5 }],
])('every failure of decryption has one sentence: %s', async (_, encrypting) => {
  const encrypts: Encrypt[] = [
    (text) => encryptedAssertion(text, stranger.cert, encrypting),
    (text) => changed(by(encrypting)(text), 0),
    (text) => changed(by(encrypting)(text), 1),
    ...(encrypting.cipher.endsWith('cbc') ? [() => by(encrypting)('no XML')] : []),
  ];
  const refusals = await Array.fromAsync(encrypts, refusal);
  expect(new Set(refusals.map(({ fix }) => fix)).size).toBe(1);
  expect(refusals[0]?.fix).toMatch(/our key cannot decrypt it/);
});
