/** A response of SAML, or an assertion alone: what it says, and what is wrong with it. */
import * as v from 'valibot';
import { SAML } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Captured, CapturedEvents, FoundSaml } from './captured.ts';
import type { Finding } from './findings.ts';
import { listed, warning } from './findings.ts';
import { type Judging, judgingOf } from './judging.ts';
import type { Provider } from './metadata.ts';
import { parsedAssertion } from './parsedAssertion.ts';
import { groupFindings } from './profileFindings.ts';
import { curedFor } from './providers.ts';
import { responseFindings } from './responseFindings.ts';
import { assertionFindings, contentFindings, inexpressible } from './samlFindings.ts';
import { serviceEvents } from './serviceEvent.ts';
import { checkSignatures } from './signatures.ts';
import { ASSERTION, elementsIn, isElement, METADATA, PROTOCOL, parseXml } from './xml.ts';

const FUNCTION_NAME = 'samlLoggedIn';

/**
 * @param providers of the metadata; null where there is none
 * @throws {UnusableInput} for XML that is no response and no assertion
 */
export function readSaml(
  { xml, sentAt }: FoundSaml,
  providers: readonly Provider[] | null,
  env: NodeJS.ProcessEnv,
): Omit<Captured, 'where'> {
  const lines = xml.replaceAll(/\r\n?/g, '\n');
  const root = rootOf(lines);
  const assertion = assertionIn(root);
  const issuer = issuerOf(assertion) ?? issuerOf(root);
  const { certificates, findings: ofMetadata } = certificatesOf(issuer, providers);
  const signatures = checkSignatures({ xml: lines, root, assertion }, certificates);
  // Metadata of another issuer is told, and asked for no more.
  const isNew = ({ code }: Finding) => providers === null || code !== 'signature_not_checked';
  // Of what the signature covers, where it was checked: nothing beside it counts.
  const read = signatures.verifiedXml === null ? assertion : assertionIn(parsedRoot(signatures.verifiedXml));
  const judging = judgingOf('SAML', env, sentAt);
  const { events, findings } = read ? readAssertion(read, judging) : { events: null, findings: [] };
  return {
    kind: isElement(root, PROTOCOL, 'Response') ? 'SAMLResponse' : 'assertion',
    functionName: FUNCTION_NAME,
    events,
    findings: curedFor(issuer, [
      ...responseFindings(root, judging),
      // The signature may be inside what is encrypted.
      ...signatures.findings.filter(({ code }) => assertion || code !== 'unsigned').filter(isNew),
      ...ofMetadata,
      ...(read ? judging.findings : []),
      ...findings,
    ]),
  };
}

const ROOTS = [
  [PROTOCOL, 'Response'],
  [ASSERTION, 'Assertion'],
  [ASSERTION, 'EncryptedAssertion'],
] as const;

/** Messages that are none of a login. */
const OTHERS: Readonly<Record<string, string>> = {
  AuthnRequest:
    'a request of the service to the provider: take the SAMLResponse that the browser posts after it',
  LogoutRequest: 'a logout and not a login',
  LogoutResponse: 'a logout and not a login',
  ArtifactResponse: 'a response to the service itself: paste the Response inside it',
  Envelope: 'SOAP: paste the Response inside it',
  EntityDescriptor: 'metadata: give it together with a response, to check its signature',
  EntitiesDescriptor: 'metadata: give it together with a response, to check its signature',
  RequestSecurityTokenResponse: 'WS-Federation: choose SAML 2.0 at the provider',
};

function rootOf(xml: string): Element {
  const root = parsedRoot(xml);
  if (ROOTS.some(([namespace, name]) => isElement(root, namespace, name))) return root;
  const isSaml = [PROTOCOL, METADATA].includes(root.namespaceURI ?? '');
  const other = OTHERS[root.localName];
  if (other !== undefined) throw new UnusableInput(`this is ${other}`);
  const found = isSaml ? `a SAML message ${listed([root.localName])}` : 'XML, but not a message of SAML 2.0';
  throw new UnusableInput(`this is ${found}: expected a Response or an Assertion`);
}

function parsedRoot(xml: string): Element {
  return parseXml(xml, 'the SAMLResponse');
}

/** The first one that stands where a response has it. */
function assertionIn(root: Element): Element | undefined {
  return isElement(root, ASSERTION, 'Assertion') ? root : elementsIn(root, ASSERTION, 'Assertion')[0];
}

function issuerOf(element: Element | undefined): string | null {
  const [issuer] = element ? elementsIn(element, ASSERTION, 'Issuer') : [];
  return issuer?.textContent?.trim() || null;
}

function certificatesOf(
  issuer: string | null,
  providers: readonly Provider[] | null,
): { certificates: string[] | null; findings: Finding[] } {
  if (providers === null) return { certificates: null, findings: [] };
  const provider = providers.find(({ entityId }) => entityId === issuer);
  if (provider) return { certificates: provider.certificates, findings: [] };
  const message = `The metadata is from ${listed(providers.map(({ entityId }) => entityId))}, but the response is from ${listed([issuer ?? 'no issuer'])}: its signature is not checked.`;
  const cure = 'Give the metadata of the provider that sent the response.';
  return { certificates: null, findings: [warning('metadata_of_other_issuer', message, cure)] };
}

function readAssertion(element: Element, judging: Judging): Read {
  const assertion = parsedAssertion(element);
  const findings = contentFindings(assertion);
  const { events, reason } = serviceEvents({ assertion });
  if (events === null) return { events, findings: [...inexpressible(reason), ...findings] };
  const event = v.parse(SamlUserLoggedInEvent, events.plain);
  return {
    events,
    findings: [...assertionFindings(event.assertion, judging), ...findings, ...groupFindings(SAML, event)],
  };
}

interface Read {
  /** Null where no event can be made of it: then a finding says why. */
  events: CapturedEvents | null;
  findings: Finding[];
}
