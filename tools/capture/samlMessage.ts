/** A message of SAML: what it says, and what is wrong with it. */
import * as v from 'valibot';
import { KINDS } from '../../lib/kinds.ts';
import { SAML } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Finding } from '../shared/finding.ts';
import type { Captured, Found, FoundSaml } from './captured.ts';
import { findingsFor, listed, note, warning } from './findings.ts';
import { type Judging, judgingOf } from './judging.ts';
import type { Provider } from './metadata.ts';
import { parsedAssertion } from './parsedAssertion.ts';
import { groupFindings } from './profileFindings.ts';
import {
  assertionFindings,
  contentFindings,
  inexpressible,
  partFindings,
  responseFindings,
} from './samlFindings.ts';
import { serviceEvents } from './serviceEvent.ts';
import { checkSignatures, type Keys, type Signed } from './signatures.ts';
import { ASSERTION, elementsIn, isElement, METADATA, PROTOCOL, parseXml, withLineEnds } from './xml.ts';

/** A response, an assertion, or an encrypted assertion. */
export interface SamlMessage extends Signed {
  /** What is to be said of an assertion that is or was encrypted. */
  findings: readonly Finding[];
}

const ROOTS = [
  [PROTOCOL, 'Response'],
  [ASSERTION, 'Assertion'],
  [ASSERTION, 'EncryptedAssertion'],
] as const;

const ENCRYPTED = warning(
  'assertion_encrypted',
  'The assertion is encrypted for the service and cannot be decrypted here.',
  'Turn encryption off for this service while you look (Keycloak: client, "Encrypt assertions"; Entra: "Token encryption"; Okta: "Assertion Encryption"; AD FS: EncryptClaims; Shibboleth: p:encryptAssertions), or take the event of the service.',
);

/** @throws {UnusableInput} for XML that is no response and no assertion */
export function messageIn(sent: string): SamlMessage {
  const xml = withLineEnds(sent);
  const root = parseXml(xml, 'the SAMLResponse');
  if (!ROOTS.some(([namespace, name]) => isElement(root, namespace, name))) {
    const isSaml = [PROTOCOL, METADATA].includes(root.namespaceURI ?? '');
    const what = isSaml ? `a SAML message ${listed([root.localName])}` : 'XML, but not a message of SAML 2.0';
    throw new UnusableInput(
      `this is ${what}: expected the Response that the browser posts to the service, or an Assertion`,
    );
  }
  const [assertion] = partsOf(root, 'Assertion');
  const isEncrypted = partsOf(root, 'EncryptedAssertion').length > 0;
  return { xml, root, assertion, decrypted: null, findings: isEncrypted ? [ENCRYPTED] : [] };
}

/** The root itself, or those that stand where a response has them. */
export function partsOf(root: Element, name: 'Assertion' | 'EncryptedAssertion'): Element[] {
  return isElement(root, ASSERTION, name) ? [root] : elementsIn(root, ASSERTION, name);
}

const NOT_CHECKED = note(
  'signature_not_checked',
  'The signature is not checked, because there is no metadata of the provider.',
  'Give the metadata of the provider too.',
);

/**
 * @param providers of the metadata; null where there is none
 * @throws {UnusableInput} for XML that is no response and no assertion
 */
export function readSaml(
  { xml, sentAt = null }: Found & FoundSaml,
  providers: readonly Provider[] | null,
  env: NodeJS.ProcessEnv,
): Omit<Captured, 'where'> {
  const message = messageIn(xml);
  const { root, assertion } = message;
  const issuer = issuerOf(assertion) ?? issuerOf(root);
  const provider = providers?.find(({ entityId }) => entityId === issuer);
  const unchecked = providers === null ? NOT_CHECKED : ofOtherIssuer(issuer, providers);
  const judging = judgingOf('SAML', env, sentAt);
  const { events, findings } = readMessage(message, messageIn, provider?.certificates ?? unchecked, judging);
  return {
    kind: isElement(root, PROTOCOL, 'Response') ? 'SAMLResponse' : 'assertion',
    functionName: KINDS.SAML.functionName,
    events,
    findings: findingsFor(issuer, findings),
  };
}

function issuerOf(element: Element | undefined): string | null {
  return elementsIn(element, ASSERTION, 'Issuer')[0]?.textContent?.trim() || null;
}

function ofOtherIssuer(issuer: string | null, providers: readonly Provider[]): Finding {
  return warning(
    'metadata_of_other_issuer',
    `The metadata is from ${listed(providers.map(({ entityId }) => entityId))}, but the response is from ${listed([issuer ?? 'no issuer'])}: its signature is not checked.`,
    'Give the metadata of the provider that sent the response.',
  );
}

/**
 * Reads what a signature of the provider covers; the message as it came, where none does or none is checked.
 *
 * @param open reads the XML that a signature covers, as the message was read
 * @returns `signed`: the assertion out of what a signature covers, for whatever else is in the message does not count
 */
export function readMessage(
  message: SamlMessage,
  open: (xml: string) => SamlMessage,
  keys: Keys,
  judging: Judging,
): Pick<Captured, 'events' | 'findings'> & { signed: Element | undefined } {
  const { covered, findings } = checkSignatures(message, keys);
  const signed = covered === null ? undefined : open(covered).assertion;
  const read = covered === null ? message.assertion : signed;
  const isResponse = isElement(message.root, PROTOCOL, 'Response');
  const ofResponse = isResponse ? responseFindings(message.root, judging) : [];
  const all = [...message.findings, ...ofResponse, ...findings];
  if (read === undefined) return { signed, events: null, findings: all };
  const { events, findings: ofAssertion } = readAssertion(read, judging);
  return { signed, events, findings: [...all, ...judging.findings, ...ofAssertion] };
}

function readAssertion(element: Element, judging: Judging): Pick<Captured, 'events' | 'findings'> {
  const assertion = parsedAssertion(element);
  const findings = [...partFindings(element), ...contentFindings(assertion)];
  const { events, problems } = serviceEvents({ assertion });
  // Where no event can be made of it, a finding says why.
  if (events === null) return { events, findings: [...inexpressible(problems), ...findings] };
  const event = v.parse(SamlUserLoggedInEvent, events.plain);
  return {
    events,
    findings: [...assertionFindings(event.assertion, judging), ...findings, ...groupFindings(SAML, event)],
  };
}
