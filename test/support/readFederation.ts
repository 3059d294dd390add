/**
 * Reads a signed federation that is made as it is read, in a process of its own, whose memory is told.
 *
 * usage: node readFederation.ts <entities> <rsa|ecdsa>
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readMetadata } from '../../tools/doctor/readMetadata.ts';
import { selfSigned } from './servers.ts';

const MD = 'urn:oasis:names:tc:SAML:2.0:metadata';
const DS = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

const [, , entitiesText, algorithm = 'rsa'] = process.argv;
const count = Number(entitiesText);
const { cert } = await selfSigned('idp.example.org');
const certificate = cert.replaceAll(/-----.*-----|\s/g, '');
const START = `<md:EntitiesDescriptor xmlns:md="${MD}" ID="_1">`;
const END = '</md:EntitiesDescriptor>';

/** In canonical form: its hash is that of the text. Entities of real federations have some 8 KB. */
function entity(index: number): string {
  const key = `<md:KeyDescriptor><ds:KeyInfo xmlns:ds="${DS}"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  const names = ['de', 'en', 'fr'].map(
    (language) =>
      `<md:OrganizationName xml:lang="${language}">University ${index} &amp; more</md:OrganizationName>`,
  );
  return `<md:EntityDescriptor entityID="https://idp-${index}.example.org"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${key.repeat(4)}</md:IDPSSODescriptor><md:Organization>${names.join('')}</md:Organization></md:EntityDescriptor>`;
}

function signature(privateKey: KeyObject): string {
  const hash = createHash('sha256').update(START);
  for (let index = 0; index < count; index++) hash.update(entity(index));
  const digest = hash.update(END).digest('base64');
  const method = (name: string, algorithm: string) => `<ds:${name} Algorithm="${algorithm}"></ds:${name}>`;
  const transforms = method('Transform', `${DS}enveloped-signature`) + method('Transform', EXCLUSIVE);
  const reference = `<ds:Reference URI="#_1"><ds:Transforms>${transforms}</ds:Transforms>${method('DigestMethod', 'http://www.w3.org/2001/04/xmlenc#sha256')}<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`;
  const info = `${method('CanonicalizationMethod', EXCLUSIVE)}${method('SignatureMethod', `http://www.w3.org/2001/04/xmldsig-more#${algorithm}-sha256`)}${reference}</ds:SignedInfo>`;
  const signed = Buffer.from(`<ds:SignedInfo xmlns:ds="${DS}">${info}`);
  const value = sign('sha256', signed, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `<ds:Signature xmlns:ds="${DS}"><ds:SignedInfo>${info}<ds:SignatureValue>${value.toString('base64')}</ds:SignatureValue></ds:Signature>`;
}

async function* federation(privateKey: KeyObject): AsyncGenerator<Uint8Array> {
  yield Buffer.from(START + signature(privateKey));
  for (let index = 0; index < count; index++) yield Buffer.from(entity(index));
  yield Buffer.from(END);
}

const { privateKey, publicKey } =
  algorithm === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
const wanted = new Set([`https://idp-${count - 1}.example.org`]);
const { entities, signature: read } = await readMetadata(federation(privateKey), wanted);
const problem = read === null ? 'none' : read.problem([publicKey]);
const megabytes = Math.round(process.resourceUsage().maxRSS / 1_024);
console.log(JSON.stringify({ found: entities.size, problem, megabytes }));
