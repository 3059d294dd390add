/** SAML metadata of providers: the certificates with which they sign, and where a sign-in begins. */
import { X509Certificate } from 'node:crypto';
import { UnusableInput } from '../shared/commandLine.ts';
import { attributeOf, elementsBelow, elementsIn, isElement, METADATA, parseXml, SIGNATURE } from './xml.ts';

/** What to take in the place of a whole federation's metadata. */
export const ONE_PROVIDER =
  'take the metadata of one provider: federations have an address for each (MDQ), and providers serve their own';

/** A provider as its metadata has it, complete or not. */
export type Provider = ReturnType<typeof entitiesIn>[number];

/**
 * @param metadata an `EntityDescriptor`, or a few of them in an `EntitiesDescriptor` (SAML Metadata 2.3)
 * @param name of the metadata, for an error
 * @throws {UnusableInput} where it has no provider
 */
export function entitiesIn(metadata: string, name = 'the metadata') {
  const root = parseXml(metadata.replace(/^\uFEFF/, '').trim(), name, ONE_PROVIDER);
  const entities = [root, ...elementsBelow(root, METADATA, 'EntityDescriptor')];
  const providers = entities
    .filter((entity) => isElement(entity, METADATA, 'EntityDescriptor'))
    .map((entity) => ({ entity, roles: elementsIn(entity, METADATA, 'IDPSSODescriptor') }))
    .filter(({ roles }) => roles.length > 0)
    .map(({ entity, roles }) => ({
      entityId: attributeOf(entity, 'entityID') ?? '',
      /** In PEM. */
      certificates: roles.flatMap(certificatesOf),
      /** By binding, such as `HTTP-Redirect`: where a sign-in begins. */
      ssoUrls: new Map(roles.flatMap(ssoUrlsOf)),
      // `xs:boolean`
      wantsSignedRequests: roles.some((role) =>
        ['true', '1'].includes(attributeOf(role, 'WantAuthnRequestsSigned') ?? ''),
      ),
      /** Each that holds for it, its own and those around it (SAML Metadata 2.3.1, 2.3.2, 2.4.1). */
      validUntil: [...roles, ...withAncestors(entity)].flatMap((one) => attributeOf(one, 'validUntil') ?? []),
    }));
  if (providers.length > 0) return providers;
  throw new UnusableInput(
    `${name}: expected an EntityDescriptor with an IDPSSODescriptor: take the metadata of the provider, not of the service`,
  );
}

function certificatesOf(role: Element): string[] {
  return elementsIn(role, METADATA, 'KeyDescriptor')
    .filter((key) => attributeOf(key, 'use') !== 'encryption')
    .flatMap((key) => elementsBelow(key, SIGNATURE, 'X509Certificate'))
    .flatMap((element) => pemOf(element.textContent ?? ''));
}

const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:';

function ssoUrlsOf(role: Element): [binding: string, url: string][] {
  return elementsIn(role, METADATA, 'SingleSignOnService').map((service) => [
    (attributeOf(service, 'Binding') ?? '').replace(BINDING, ''),
    attributeOf(service, 'Location') ?? '',
  ]);
}

function withAncestors(element: Element): Element[] {
  const parent = element.parentNode;
  return parent?.nodeType === 1 ? [element, ...withAncestors(parent as Element)] : [element];
}

/** None for what is no certificate, or is one of an unknown kind of key. */
export function pemOf(base64: string): string[] {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    return certificate.publicKey ? [certificate.toString()] : [];
  } catch {
    return [];
  }
}
