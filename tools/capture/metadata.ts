/** SAML metadata of providers: the certificates with which they sign. */
import { X509Certificate } from 'node:crypto';
import { UnusableInput } from '../cli/commandLine.ts';
import {
  attributeOf,
  elementsBelow,
  elementsIn,
  isElement,
  MAX_XML_LENGTH,
  METADATA,
  parseXml,
  SIGNATURE,
} from './xml.ts';

export interface Provider {
  entityId: string;
  /** In PEM. */
  certificates: string[];
}

/**
 * @param metadata an `EntityDescriptor`, or a few of them in an `EntitiesDescriptor` (SAML Metadata 2.3)
 * @throws {UnusableInput} where it has no provider with a certificate
 */
export function providersIn(metadata: string): Provider[] {
  if (metadata.length > MAX_XML_LENGTH) {
    throw new UnusableInput(
      `the metadata: expected at most ${MAX_XML_LENGTH} characters: take that of the one provider, not of its whole federation`,
    );
  }
  const root = parseXml(metadata.replace(/^\uFEFF/, '').trim(), 'the metadata');
  const entities = [root, ...elementsBelow(root, METADATA, 'EntityDescriptor')];
  const providers = entities
    .filter((entity) => isElement(entity, METADATA, 'EntityDescriptor'))
    .map((entity) => ({
      entityId: attributeOf(entity, 'entityID') ?? '',
      certificates: certificatesOf(entity),
    }))
    .filter(({ certificates }) => certificates.length > 0);
  if (providers.length > 0) return providers;
  throw new UnusableInput(
    'the metadata: expected an EntityDescriptor with an IDPSSODescriptor and a certificate: take the metadata of the provider, not that of the service',
  );
}

function certificatesOf(entity: Element): string[] {
  return elementsIn(entity, METADATA, 'IDPSSODescriptor')
    .flatMap((descriptor) => elementsIn(descriptor, METADATA, 'KeyDescriptor'))
    .filter((key) => attributeOf(key, 'use') !== 'encryption')
    .flatMap((key) => elementsBelow(key, SIGNATURE, 'X509Certificate'))
    .flatMap((element) => pemOf(element.textContent ?? ''));
}

/** None for what is no certificate. */
export function pemOf(base64: string): string[] {
  try {
    return [new X509Certificate(Buffer.from(base64, 'base64')).toString()];
  } catch {
    return [];
  }
}
