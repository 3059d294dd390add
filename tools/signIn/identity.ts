/** Who this machine is to a SAML provider: an entity id, and two key pairs that survive restarts. */
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, type Stats } from 'node:fs';
import { link, lstat, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import * as v from 'valibot';
import { METADATA, PROTOCOL, SIGNATURE } from '../capture/xml.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { PROJECT } from '../shared/project.ts';
import { addressOf, SAML_CALLBACK, SAML_METADATA } from './callback.ts';
import { OAEP, OAEP_MGF1P, XMLENC, XMLENC11 } from './decryption.ts';

/** PKCS #8 and X.509 in PEM. */
const KeyPair = v.object({ privateKey: v.string(), certificate: v.string() });
type KeyPair = v.InferOutput<typeof KeyPair>;
/** One each: what is done with a key for one use tells nothing of the other (NIST SP 800-57 part 1, section 5.2). */
const Keys = v.object({
  /** Signs requests, where the provider wants that. */
  signing: KeyPair,
  encryption: KeyPair,
});
type Keys = v.InferOutput<typeof Keys>;

export interface SamlIdentity extends Keys {
  /** The address of our metadata too. */
  entityId: string;
  /** Of the assertion consumer service, which takes responses by POST. */
  acsUrl: string;
}

const FOLDER = '.studio';
const FILE = 'saml-identity.json';
const KEY_BITS = 3_072;
/** Providers hold the certificate: a new one has to be registered again. */
const LIFETIME_YEARS = 20;

/**
 * @param port where responses come in
 * @param project the folder with `.studio/`, in which the keys are made at the first time
 * @throws {UnusableInput} where others can read the keys, or their file cannot be used
 */
export async function samlIdentity(port: number, project: string = PROJECT): Promise<SamlIdentity> {
  const folder = join(project, FOLDER);
  const file = join(folder, FILE);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await requirePrivate(folder, await lstat(folder), 'a folder');
    const keys = (await readKeys(file)) ?? (await makeKeys(file));
    return { entityId: addressOf(port, SAML_METADATA), acsUrl: addressOf(port, SAML_CALLBACK), ...keys };
  } catch (error) {
    if (error instanceof UnusableInput) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new UnusableInput(
      `${folder}: expected a folder that can be read and written, to keep the keys of SAML sign-ins (${code}): correct its permissions, or remove it`,
    );
  }
}

/** Windows has no such modes: there the folder's own rights count. */
async function requirePrivate(path: string, stats: Stats, expected: 'a folder' | 'a file'): Promise<void> {
  const isExpected = expected === 'a file' ? stats.isFile() : stats.isDirectory();
  if (!isExpected) throw new UnusableInput(`${path}: expected ${expected}: remove it`);
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return;
  const mode = expected === 'a file' ? '600' : '700';
  throw new UnusableInput(
    `${path} has private keys, and others on this machine can read it: if nobody has, chmod ${mode} it; otherwise remove it and register again`,
  );
}

/** @returns null where there is no file */
async function readKeys(file: string): Promise<Keys | null> {
  if (!existsSync(file)) return null;
  const handle = await open(file);
  try {
    await requirePrivate(file, await handle.stat(), 'a file');
    return usable(file, await handle.readFile('utf8'));
  } finally {
    await handle.close();
  }
}

function usable(file: string, text: string): Keys {
  try {
    const keys = v.parse(v.pipe(v.string(), v.parseJson(), Keys), text);
    if ([keys.signing, keys.encryption].every(isPair)) return keys;
  } catch {
    // Its message may quote a key.
  }
  throw new UnusableInput(
    `${file}: expected a private key with its certificate for signing and one for encryption: remove the file, and register again at the provider`,
  );
}

function isPair({ privateKey, certificate }: KeyPair): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
}

/** Whole or not at all; where two processes make keys at once, both use those of the first. */
async function makeKeys(file: string): Promise<Keys> {
  const [signing, encryption] = await Promise.all([makePair(), makePair()]);
  const keys = { signing, encryption };
  const unfinished = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(unfinished, JSON.stringify(keys, null, 2), { mode: 0o600, flag: 'wx' });
    await link(unfinished, file);
    return keys;
  } catch (error) {
    const others = await readKeys(file);
    if (others === null) throw error;
    return others;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function makePair(): Promise<KeyPair> {
  const notAfterDate = new Date();
  notAfterDate.setFullYear(notAfterDate.getFullYear() + LIFETIME_YEARS);
  const name = [{ name: 'commonName', value: 'localhost' }];
  const made = await generate(name, { keySize: KEY_BITS, algorithm: 'sha256', notAfterDate });
  return { privateKey: made.private, certificate: made.cert };
}

const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** The best first. More are opened, and not advertised. */
const ENCRYPTION_METHODS = [
  [`${XMLENC11}aes256-gcm`],
  [`${XMLENC11}aes128-gcm`],
  [`${XMLENC}aes256-cbc`],
  [`${XMLENC}aes128-cbc`],
  [
    OAEP,
    `<ds:DigestMethod Algorithm="${XMLENC}sha256"/><MGF xmlns="${XMLENC11}" Algorithm="${XMLENC11}mgf1sha256"/>`,
  ],
  [OAEP_MGF1P, `<ds:DigestMethod Algorithm="${SIGNATURE}sha1"/>`],
];

/**
 * Our metadata, to register at a provider (SAML Metadata 2.4.4). `AuthnRequestsSigned` is false: requests are signed where
 * the provider's metadata wants that, and no provider needs to insist on it.
 */
export function ourMetadata({ entityId, acsUrl, signing, encryption }: SamlIdentity): string {
  const methods = ENCRYPTION_METHODS.map(
    ([algorithm, inside = '']) => `<EncryptionMethod Algorithm="${algorithm}">${inside}</EncryptionMethod>`,
  );
  return `<?xml version="1.0"?>
<EntityDescriptor xmlns="${METADATA}" xmlns:ds="${SIGNATURE}" entityID="${entityId}">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">
    <KeyDescriptor use="signing">${keyInfo(signing)}</KeyDescriptor>
    <KeyDescriptor use="encryption">${keyInfo(encryption)}${methods.join('')}</KeyDescriptor>
    <AssertionConsumerService Binding="${POST_BINDING}" Location="${acsUrl}" index="0" isDefault="true"/>
  </SPSSODescriptor>
</EntityDescriptor>`;
}

function keyInfo({ certificate }: KeyPair): string {
  const base64 = new X509Certificate(certificate).raw.toString('base64');
  return `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`;
}
