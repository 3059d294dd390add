/** Encrypted assertions of a real provider, with each algorithm that providers choose. */
import { expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { type Encrypting, encrypted } from '../support/samlEncryption.ts';
import { codes, samlSignIn } from './samlSignIn.ts';

const stranger = await generate();
const at = await samlSignIn();
const { certificate } = at.identity.encryption;

/** Of a response whose assertion is encrypted so, and then changed. */
const encryptedBy = (encrypting: Encrypting, change = (xml: string) => xml) => ({
  change: async (xml: string) => change(await encrypted(xml, certificate, encrypting)),
});

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
const SHA384 = 'http://www.w3.org/2001/04/xmldsig-more#sha384';
const cipher = (uri: string): Encrypting => ({ encryptionAlgorithm: uri });
const mgf1p = (keyEncryptionDigest: string): Encrypting => ({
  ...{ keyEncryptionAlgorithm: `${XMLENC}rsa-oaep-mgf1p`, keyEncryptionDigest },
});
const oaep = (keyEncryptionDigest: string, keyEncryptionMgf: string): Encrypting => ({
  ...{ keyEncryptionAlgorithm: `${XMLENC11}rsa-oaep`, keyEncryptionDigest, keyEncryptionMgf },
});
const USUAL = oaep('sha256', 'sha256');
const RSA_1_5: Encrypting = { keyEncryptionAlgorithm: `${XMLENC}rsa-1_5` };
const CBC = cipher(`${XMLENC}aes256-cbc`);

test.each<[what: string, encrypting: Encrypting, warnings: string[]]>([
  ['rsa-oaep-mgf1p with SHA-1', mgf1p('sha1'), []],
  ['rsa-oaep-mgf1p with SHA-256', mgf1p('sha256'), []],
  ['rsa-oaep-mgf1p with SHA-512', mgf1p('sha512'), []],
  ['rsa-oaep with SHA-1 and MGF1-SHA-1', oaep('sha1', 'sha1'), []],
  ['rsa-oaep with SHA-256 and MGF1-SHA-1', oaep('sha256', 'sha1'), []],
  ['rsa-oaep with SHA-256 and MGF1-SHA-256', USUAL, []],
  ['rsa-oaep with SHA-256 and MGF1-SHA-224', oaep('sha256', 'sha224'), []],
  ['rsa-oaep with SHA-512 and MGF1-SHA-512', oaep('sha512', 'sha512'), []],
  ['AES-128-GCM', cipher(`${XMLENC11}aes128-gcm`), []],
  ['AES-128-CBC', cipher(`${XMLENC}aes128-cbc`), []],
  ['AES-256-CBC', CBC, []],
  ['RSA 1.5, with a warning', RSA_1_5, ['assertion_encryption_rsa15']],
])('%s is opened', async (_, encrypting, warnings) => {
  const captured = await at.login(encryptedBy(encrypting));
  expect(codes(captured)).toEqual([]);
  expect(codes(captured, 'warning')).toEqual(warnings);
  expect(JSON.stringify(captured.events)).toContain('ada@example.org');
});

/** Those that the library does not write stand in the place of others. */
test.each<[what: string, encrypting: Encrypting, written: string, named: string]>([
  ['a cipher', cipher(`${XMLENC}tripledes-cbc`), 'tripledes-cbc', 'tripledes-cbc'],
  ['AES-192 in GCM mode', {}, 'aes256-gcm', 'aes192-gcm'],
  ['AES-192 in CBC mode', CBC, 'aes256-cbc', 'aes192-cbc'],
  ['SHA-384, which the library would take for SHA-1', USUAL, `${XMLENC}sha256`, SHA384],
  ['SHA-384 of mgf1p', mgf1p('sha256'), `${XMLENC}sha256`, SHA384],
  ['an MGF beside mgf1p', oaep('sha1', 'sha1'), `${XMLENC11}rsa-oaep`, `${XMLENC}rsa-oaep-mgf1p`],
  ['a key transport', {}, `${XMLENC}rsa-oaep-mgf1p`, 'urn:own#transport'],
  ['a digest', {}, SHA1, 'urn:own#digest'],
  ['an MGF', oaep('sha1', 'sha1'), 'mgf1sha1', 'mgf1sha9'],
])('%s that is not supported is named with the switch, and the key is not blamed', async (...row) => {
  const [what, encrypting, written, instead] = row;
  const refused = await at.refusal(encryptedBy(encrypting, (xml) => xml.replace(written, instead)));
  const named = what === 'an MGF beside mgf1p' ? 'mgf1sha1' : instead.replace(/^.*(?=#)/, '');
  expect(codes(refused)).toContain('assertion_encryption_unsupported');
  expect(refused.fix).toContain(named);
  expect(refused.fix).toMatch(/not supported here.*Keycloak: client, "Keys", "Encryption keys config"/);
  expect(refused.fix).not.toMatch(/cannot decrypt|Register our metadata/);
});

/** As Shibboleth places it. */
test('a key that stands beside the data is found', async () => {
  const beside = (xml: string) => {
    const [key = ''] = /<e:EncryptedKey.*<\/e:EncryptedKey>/s.exec(xml) ?? [];
    const apart = key.replace('<e:EncryptedKey', '$& Id="k"');
    const named = xml.replace(key, '<RetrievalMethod URI="#k"/>');
    return named.replace('</saml:EncryptedAssertion>', `${apart}$&`);
  };
  expect(codes(await at.login(encryptedBy(USUAL, beside)))).toEqual([]);
});

function changed(text: string, which: number): string {
  let seen = 0;
  return text.replace(/(<\w+:CipherValue>)([^<]+)/g, (all, tag: string, value: string) => {
    if (seen++ !== which) return all;
    const bytes = Buffer.from(value, 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    return `${tag}${bytes.toString('base64')}`;
  });
}

/** What an attacker may try: each failure gives the same sentence. */
test.each<[what: string, encrypting: Encrypting]>([
  ['OAEP and GCM', USUAL],
  ['RSA 1.5 and GCM', RSA_1_5],
  ['OAEP and CBC', { ...USUAL, ...CBC }],
  ['RSA 1.5 and CBC', { ...RSA_1_5, ...CBC }],
])('every failure of decryption has one sentence: %s', async (_, encrypting) => {
  const isCbc = 'encryptionAlgorithm' in encrypting;
  const refusals = await Array.fromAsync(
    [
      { change: (xml: string) => encrypted(xml, stranger.cert, encrypting) },
      encryptedBy(encrypting, (xml) => changed(xml, 0)),
      encryptedBy(encrypting, (xml) => changed(xml, 1)),
      ...(isCbc
        ? [{ change: (xml: string) => encrypted(xml, certificate, encrypting, () => 'no XML') }]
        : []),
    ],
    at.refusal,
  );
  expect(new Set(refusals.map(({ fix }) => fix)).size).toBe(1);
  expect(refusals[0]?.fix).toMatch(/our key cannot decrypt it.* Register our metadata again/);
  expect(refusals.map((one) => codes(one))).toEqual(refusals.map(() => ['assertion_not_opened']));
});
