/** A response of SAML, or an assertion alone: what it says, and what is wrong with it. */
import * as v from 'valibot';
import { KINDS } from '../../lib/kinds.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Finding } from '../shared/finding.ts';
import type { Captured, FoundSaml } from './captured.ts';
import { findingsFor, found, listed, warning } from './findings.ts';
import { type Judging, judgingOf } from './judging.ts';
import type { Provider } from './metadata.ts';
import { parsedAssertion } from './parsedAssertion.ts';
import { groupFindings } from './profileFindings.ts';
import { assertionFindings, contentFindings, inexpressible, responseFindings } from './samlFindings.ts';
import { serviceEvents } from './serviceEvent.ts';
import { checkSignatures } from './signatures.ts';
import { ASSERTION, elementsIn, isElement, METADATA, PROTOCOL, parseXml, withLineEnds } from './xml.ts';

/**
 * @param providers of the metadata; null where there is none
 * @throws {UnusableInput} for XML that is no response and no assertion
 */
export function readSaml(
  { xml: sent, sentAt }: FoundSaml,
  providers: readonly Provider[] | null,
  env: NodeJS.ProcessEnv,
): Omit<Captured, 'where'> {
  const xml = withLineEnds(sent);
  const root = rootOf(xml);
  const assertion = assertionIn(root);
  const issuer = issuerOf(assertion) ?? issuerOf(root);
  const provider = providers?.find(({ entityId }) => entityId === issuer);
  const signatures = checkSignatures({ xml, root, assertion }, provider?.certificates ?? null);
  const isTold = ({ code }: Finding) => {
    // The signature may be inside what is encrypted.
    if (code === 'unsigned') return assertion !== undefined;
    // Metadata of another issuer is told, and asked for no more.
    return code !== 'signature_not_checked' || providers === null;
  };
  // Of what the signature covers, where it was checked: nothing beside it counts.
  const { verifiedXml } = signatures;
  const read = verifiedXml === null ? assertion : assertionIn(parsedRoot(verifiedXml));
  const judging = judgingOf('SAML', env, sentAt);
  const { events, findings } = read ? readAssertion(read, judging) : { events: null, findings: [] };
  return {
    kind: isElement(root, PROTOCOL, 'Response') ? 'SAMLResponse' : 'assertion',
    functionName: KINDS.SAML.functionName,
    events,
    findings: findingsFor(issuer, [
      ...responseFindings(root, judging),
      ...signatures.findings.filter(isTold),
      ...found([providers !== null && !provider && ofOtherIssuer(issuer, providers)]),
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

function rootOf(xml: string): Element {
  const root = parsedRoot(xml);
  if (ROOTS.some(([namespace, name]) => isElement(root, namespace, name))) return root;
  const isSaml = [PROTOCOL, METADATA].includes(root.namespaceURI ?? '');
  const what = isSaml ? `a SAML message ${listed([root.localName])}` : 'XML, but not a message of SAML 2.0';
  throw new UnusableInput(
    `this is ${what}: expected the Response that the browser posts to the service, or an Assertion`,
  );
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

function ofOtherIssuer(issuer: string | null, providers: readonly Provider[]): Finding {
  return warning(
    'metadata_of_other_issuer',
    `The metadata is from ${listed(providers.map(({ entityId }) => entityId))}, but the response is from ${listed([issuer ?? 'no issuer'])}: its signature is not checked.`,
    'Give the metadata of the provider that sent the response.',
  );
}

function readAssertion(element: Element, judging: Judging): Pick<Captured, 'events' | 'findings'> {
  const assertion = parsedAssertion(element);
  const findings = contentFindings(assertion);
  const { events, problems } = serviceEvents({ assertion });
  // Where no event can be made of it, a finding says why.
  if (events === null) return { events, findings: [...inexpressible(problems), ...findings] };
  const event = v.parse(SamlUserLoggedInEvent, events.plain);
  return {
    events,
    findings: [...assertionFindings(event.assertion, judging), ...findings, ...groupFindings(SAML, event)],
  };
}
