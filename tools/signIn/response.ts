/** A provider's response: all that is wrong with it, what is told first, and the assertion that its signature covers. */
import { error, findingsFor, note } from '../capture/findings.ts';
import { providerWords } from '../capture/refusals.ts';
import { failedStatusOf } from '../capture/samlFindings.ts';
import { readSaml } from '../capture/samlResponse.ts';
import { verify } from '../capture/signatures.ts';
import { ASSERTION, elementsIn, parseXml } from '../capture/xml.ts';
import { type Finding, inOrder } from '../shared/finding.ts';
import { withoutChecks } from '../shared/stage.ts';
import { type Opened, openedResponse } from './decryption.ts';
import { type Expected, textsIn, unmetExpectations } from './expectations.ts';
import type { SamlIdentity } from './identity.ts';
import type { SamlProvider } from './metadata.ts';
import { SignInRefused } from './refusals.ts';

/**
 * The one assertion of the response, out of what a signature of the provider covers: that of the response, or its own. Whatever
 * else is in the response does not count.
 */
export function signedAssertion(
  { xml, response, assertion, decrypted }: Opened,
  { certificates }: SamlProvider,
  { encryption }: SamlIdentity,
): Element | null {
  const all = ['Assertion', 'EncryptedAssertion'].flatMap((name) => elementsIn(response, ASSERTION, name));
  if (all.length !== 1) return null;
  const covered = verify(xml, response, certificates);
  if (covered !== null) return openedResponse(covered, encryption.privateKey).assertion;
  const own = assertion && verify(decrypted ?? xml, assertion, certificates);
  return own === null ? null : parseXml(own, 'the assertion');
}

/** These are of a capture: a sign-in knows its provider, and compares with its own addresses. */
const OF_CAPTURES = ['issuers_not_configured', 'metadata_of_other_issuer', 'assertion_encrypted'];

const OPENED = note(
  'assertion_opened',
  'The assertion was encrypted for us and decrypted with our key. The service has a key of its own.',
);

/** @returns errors first */
export function allFindings(opened: Opened, expected: Expected, environment: NodeJS.ProcessEnv): Finding[] {
  const { xml, response, assertion, decrypted } = opened;
  const { provider } = expected.request;
  // The stage's SAML_ISSUERS are of the service, and we are another one.
  const { SAML_ISSUERS: _, ...env } = withoutChecks(environment);
  // Its signature is checked even where it names another issuer.
  const named = [response, ...(assertion ? [assertion] : [])].flatMap((element) =>
    textsIn(element, 'Issuer'),
  );
  const providers = named.map((entityId) => ({ ...provider, entityId }));
  const read = (part: string) =>
    readSaml({ kind: 'SAMLResponse', xml: part, sentAt: expected.nowMs }, providers, env).findings;
  const unmet = unmetExpectations(response, assertion, expected);
  const told = new Set([...OF_CAPTURES, ...unmet.map(({ code }) => code)]);
  const inside = decrypted === null ? [] : [OPENED, ...read(decrypted).filter(isOfInside(opened, provider))];
  const others = [...read(xml), ...inside].filter(({ code }) => !told.has(code));
  const all = findingsFor(provider.entityId, [...opened.findings, ...unmet, ...others]);
  const distinct = new Map(all.map((one) => [`${one.code} ${one.message}`, one]));
  return inOrder([...distinct.values()]);
}

/** An assertion that was encrypted needs no signature of its own where the response has one. */
function isOfInside(
  { xml, response }: Opened,
  { certificates }: SamlProvider,
): (finding: Finding) => boolean {
  const isSigned = verify(xml, response, certificates) !== null;
  return ({ code }) => !(isSigned && code === 'unsigned');
}

/** Refused by the provider, in its words and in ours; null where its status is Success. */
export function refusedByProvider(response: Element, findings: readonly Finding[]): SignInRefused | null {
  const failed = failedStatusOf(response);
  if (failed === null) return null;
  const missing = findings.find(({ code }) => code === 'status_missing');
  if (missing) return refusedBy(missing, findings);
  const words = providerWords(failed.message).replace(/\.$/, '');
  const said = [failed.codes.join(', '), words].filter((text) => text !== '').join(': ');
  const change = findings.find(({ code }) => code === 'status_not_success')?.change;
  return new SignInRefused(change ?? 'See the log of the provider.', said, findings);
}

/** Of several errors, one of the first of these is told. What the handler would object to is another matter. */
const TOLD_FIRST = [
  /^several_assertions$/,
  /^(?:unsigned|(?:saml_)?signature_\w+)$/,
  /^assertion_(?:not_opened|encryption_unsupported)$/,
  /^(?:request|destination|assertion|conditions|confirmation|name_id|authn_statement|event)_/,
];

const NOT_SIGNED = error(
  'saml_signature_wrong',
  'No signature of the provider covers the assertion.',
  'See the log of the provider, and begin the sign-in again.',
);

/**
 * Where no signature of the provider covers the one assertion.
 *
 * @param findings all of them
 */
export function refusedByUs(findings: readonly Finding[]): SignInRefused {
  const errors = findings.filter(({ level }) => level === 'error');
  const [known] = TOLD_FIRST.flatMap((pattern) => errors.filter(({ code }) => pattern.test(code)));
  return refusedBy(known ?? NOT_SIGNED, findings);
}

export function refusedBy({ message, change }: Finding, findings: readonly Finding[]): SignInRefused {
  return new SignInRefused(change === null ? message : `${message} ${change}`, null, findings);
}
