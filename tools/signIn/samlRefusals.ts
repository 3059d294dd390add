/** Why a provider's response gave no login: all that is wrong with it, and what is told first. */
import type { Finding } from '../capture/findings.ts';
import { inOrder, note, problem } from '../capture/findings.ts';
import { curedFor } from '../capture/providers.ts';
import { providerWords } from '../capture/providerWords.ts';
import { failedStatusOf } from '../capture/responseFindings.ts';
import { readSaml } from '../capture/samlResponse.ts';
import { verify } from '../capture/signatures.ts';
import { ASSERTION, elementsIn, parseXml } from '../capture/xml.ts';
import { withoutChecks } from '../shared/stage.ts';
import { type Opened, openedResponse } from './decryption.ts';
import { type Refusal, SignInRefused } from './refused.ts';
import { type Expected, textsIn, unmetExpectations } from './samlExpectations.ts';
import type { SamlIdentity } from './samlIdentity.ts';
import type { SamlProvider } from './samlProviderMetadata.ts';

/** Beside the first objection, all that is wrong, each with the provider's switch that mends it. */
export class SamlRefused extends SignInRefused {
  override readonly name = 'SamlRefused';
  readonly findings: Finding[];

  constructor(refusal: Refusal, findings: readonly Finding[]) {
    super(refusal);
    this.findings = [...findings];
  }
}

/** Refused by the provider, in its words and in ours; null where its status is Success. */
export function refusedByProvider(response: Element, findings: readonly Finding[]): SamlRefused | null {
  const failed = failedStatusOf(response);
  if (failed === null) return null;
  const [missing] = findings.filter(({ code }) => code === 'status_missing');
  if (missing) return refusedBy(missing, findings);
  const words = providerWords(failed.message).replace(/\.$/, '');
  const theirs = [failed.codes.join(', '), ...(words ? [words] : [])].join(': ');
  const cure = findings.find(({ code }) => code === 'status_not_success')?.cure;
  return new SamlRefused({ theirs, ours: cure ?? 'See the log of the provider.' }, findings);
}

/** Of several problems, one of the first of these is told. What the handler would object to is another matter. */
const TOLD_FIRST = [
  /^several_assertions$/,
  /^(?:unsigned|(?:saml_)?signature_\w+)$/,
  /^assertion_(?:not_opened|encryption_unsupported)$/,
  /^(?:request|destination|assertion|conditions|confirmation|name_id|authn_statement|event)_/,
];

/**
 * Where no signature of the provider covers the one assertion.
 *
 * @param findings all of them
 */
export function refusedByUs(findings: readonly Finding[]): SamlRefused {
  const problems = findings.filter(({ level }) => level === 'problem');
  const [known] = TOLD_FIRST.flatMap((pattern) => problems.filter(({ code }) => pattern.test(code)));
  return refusedBy(known ?? NOT_SIGNED, findings);
}

const NOT_SIGNED = problem(
  'saml_signature_wrong',
  'No signature of the provider covers the assertion.',
  'See the log of the provider, and begin the sign-in again.',
);

export function refusedBy({ message, cure }: Finding, findings: readonly Finding[]): SamlRefused {
  return new SamlRefused({ ours: cure === null ? message : `${message} ${cure}` }, findings);
}

/** These are of a capture: a sign-in knows its provider, and compares with its own addresses. */
const OF_CAPTURES = ['issuers_not_configured', 'metadata_of_other_issuer', 'assertion_encrypted'];

/** @returns problems first */
export function allFindings(opened: Opened, expected: Expected, environment: NodeJS.ProcessEnv): Finding[] {
  const { xml, response, assertion, decrypted } = opened;
  const { provider } = expected.request;
  // The stage's SAML_ISSUERS are of the service, and we are another one.
  const { SAML_ISSUERS: _, ...env } = withoutChecks(environment);
  // Its signature is checked even where it names another issuer.
  const providers = issuersOf(opened).map((entityId) => ({ ...provider, entityId }));
  const read = (part: string) => {
    const found = { kind: 'SAMLResponse', xml: part, sentAt: expected.nowMs } as const;
    return readSaml(found, providers, env).findings;
  };
  const unmet = unmetExpectations(response, assertion, expected);
  const told = [...OF_CAPTURES, ...unmet.map(({ code }) => code)];
  const others = [
    ...read(xml),
    ...(decrypted === null ? [] : [opening(), ...read(decrypted).filter(isOfInside(opened, provider))]),
  ].filter(({ code }) => !told.includes(code));
  const all = [...opened.findings, ...unmet, ...others];
  return inOrder(distinct(curedFor(provider.entityId, all)));
}

function issuersOf({ response, assertion }: Opened): string[] {
  return [response, ...(assertion ? [assertion] : [])].flatMap((element) => textsIn(element, 'Issuer'));
}

/** An assertion that was encrypted needs no signature of its own where the response has one. */
function isOfInside(opened: Opened, provider: SamlProvider): (finding: Finding) => boolean {
  const isSigned = verify(opened.xml, opened.response, provider.certificates) !== null;
  return ({ code }) => !(isSigned && code === 'unsigned');
}

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

function opening(): Finding {
  return note(
    'assertion_opened',
    'The assertion was encrypted for us and decrypted with our key. The service has a key of its own.',
  );
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [`${one.code} ${one.message}`, one])).values()];
}
