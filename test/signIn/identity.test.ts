/** The keys for which providers encrypt and with which we sign: lasting, and for only their owner. */
import { X509Certificate } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { entitiesIn } from '../../tools/capture/metadata.ts';
import { attributeOf, elementsBelow, METADATA, parseXml } from '../../tools/capture/xml.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { ourMetadata, samlIdentity } from '../../tools/signIn/identity.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const PORT = 3003;
const FILE = '.studio/saml-identity.json';
const root = temporaryFolder();
const made = join(root, 'made');
const identity = await samlIdentity(PORT, made);
const other = await samlIdentity(PORT, join(root, 'other'));
const { signing, encryption } = identity;

describe('an identity', () => {
  test('has addresses on this machine, and a key each for signing and for encryption', () => {
    const acsUrl = 'http://localhost:3003/callback/saml';
    expect(identity).toMatchObject({ entityId: 'http://localhost:3003/saml/metadata', acsUrl });
    for (const { certificate } of [signing, encryption])
      expect(Date.parse(new X509Certificate(certificate).validTo)).toBeGreaterThan(Date.parse('2040-01-01'));
    expect(signing.privateKey).not.toBe(encryption.privateKey);
  });

  test('survives restarts, on any port', async () => {
    await expect(samlIdentity(PORT, made)).resolves.toEqual(identity);
    await expect(samlIdentity(3004, made)).resolves.toMatchObject({ signing, encryption });
  });

  test('is for its owner only, leaves nothing else behind, and is ignored by git', async () => {
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(join(made, '.studio'))).toBe('700');
    expect(await mode(join(made, FILE))).toBe('600');
    expect(await readdir(join(made, '.studio'))).toEqual(['saml-identity.json']);
    expect((await readFile('.gitignore', 'utf8')).split('\n')).toContain('.studio/');
  });

  test('is one where two processes make it at once', async () => {
    const project = join(root, 'twice');
    const [one, two] = await Promise.all([samlIdentity(PORT, project), samlIdentity(PORT, project)]);
    expect(one).toEqual(two);
    expect(await readdir(join(project, '.studio'))).toEqual(['saml-identity.json']);
  });
});

test('where it cannot be kept, a sentence says so', async () => {
  const project = join(root, 'unusable');
  await mkdir(project);
  await writeFile(join(project, '.studio'), '');
  // The second project is a file.
  for (const place of [project, join(project, '.studio')]) {
    const refusal = samlIdentity(PORT, place);
    await expect(refusal).rejects.toThrow(UnusableInput);
    await expect(refusal).rejects.toThrow(/\.studio: expected a folder that can be read and written/);
  }
});

describe('a key is refused', () => {
  const project = join(root, 'changed');
  const folder = join(project, '.studio');
  const file = join(project, FILE);
  beforeEach(async () => {
    await rm(project, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, await readFile(join(made, FILE)), { mode: 0o600 });
  });
  const write = (content: object) => writeFile(file, JSON.stringify(content));
  const wrong = { ...signing, certificate: other.signing.certificate };

  test.each<[what: string, change: () => Promise<unknown>, message: RegExp]>([
    ['that the group can read', () => chmod(file, 0o640), /others on this machine .*chmod 600/],
    ['that all can read', () => chmod(file, 0o604), /chmod 600/],
    ['in a folder that others reach', () => chmod(folder, 0o755), /chmod 700/],
    ['that is cut', () => writeFile(file, '{"signing":{"privateKey":"'), /expected a private key with its/],
    ['that is empty', () => writeFile(file, ''), /expected a private key with its certificate/],
    ['for signing, of another', () => write({ encryption, signing: wrong }), /register again/],
    ['for encryption, of another', () => write({ signing, encryption: wrong }), /register/],
    ['that is alone, for both uses', () => write(signing), /one for encryption.*register again/],
  ])('%s', async (_, change, message) => {
    await change();
    const refusal = samlIdentity(PORT, project);
    await expect(refusal).rejects.toThrow(UnusableInput);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.not.toThrow(signing.privateKey.slice(40, 80));
  });
});

test('our metadata has our addresses, and the certificate for each use', () => {
  const metadata = parseXml(ourMetadata(identity), 'our metadata');
  const [service] = elementsBelow(metadata, METADATA, 'AssertionConsumerService');
  expect(attributeOf(metadata, 'entityID')).toBe(identity.entityId);
  expect(attributeOf(service, 'Location')).toBe(identity.acsUrl);
  const keys = elementsBelow(metadata, METADATA, 'KeyDescriptor').map((key) => [
    attributeOf(key, 'use'),
    Buffer.from(key.textContent?.trim() ?? '', 'base64'),
  ]);
  expect(keys).toEqual([
    ['signing', new X509Certificate(signing.certificate).raw],
    ['encryption', new X509Certificate(encryption.certificate).raw],
  ]);
  expect(() => entitiesIn(ourMetadata(identity))).toThrow(/metadata of the provider/);
});

test('our metadata offers authenticated encryption first, with its digest and MGF, and no RSA 1.5', () => {
  const metadata = parseXml(ourMetadata(identity), 'our metadata');
  const offered = elementsBelow(metadata, METADATA, 'EncryptionMethod').map((method) =>
    [method, ...elementsBelow(method, '*', '*')].map((one) => attributeOf(one, 'Algorithm')?.split('#')[1]),
  );
  const ciphers = [['aes256-gcm'], ['aes128-gcm'], ['aes256-cbc'], ['aes128-cbc']];
  expect(offered).toEqual([...ciphers, ['rsa-oaep', 'sha256', 'mgf1sha256'], ['rsa-oaep-mgf1p', 'sha1']]);
});
