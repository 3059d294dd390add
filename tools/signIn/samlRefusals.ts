/** Why a provider's response gave no login: all that is wrong with it, and what is told first. */
import type { Finding } from '../capture/findings.ts';
import { inOrder, note, problem } from '../capture/findings.ts';
import { curedFor } from '../capture/providers.ts';
import { providerWords } from '../capture/providerWords.ts';
import { failedStatusOf } from '../capture/responseFindings.ts';
import { readSaml } from '../capture/samlResponse.ts';
import { checkSignatures } from '../capture/signatures.ts';
import { withoutChecks } from '../shared/stage.ts';
import { type Refusal, SignInRefused } from './refused.ts';
import { type SamlRequest, textsIn, unmetExpectations } from './samlExpectations.ts';
import type { SamlIdentity } from './samlIdentity.ts';
import type { Opened } from './samlOpened.ts';

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
  const words = providerWords(failed.message).replace(/\.$/, '');
  const theirs = [failed.codes.join(', ') || 'no StatusCode', ...(words ? [words] : [])].join(': ');
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

/** What node-saml refuses though all else is right. */
const UNKNOWN = problem(
  'response_refused',
  'The response does not follow SAML 2.0, or the time in which the subject is confirmed (SubjectConfirmationData) is over.',
  'See the log of the provider, set the clocks by NTP, and begin the sign-in again.',
);

/**
 * Refused by node-saml, whose message is not shown: it may quote the response.
 *
 * @param findings all of them
 */
export function refusedByUs(findings: readonly Finding[]): SamlRefused {
  const problems = findings.filter(({ level }) => level === 'problem');
  const [known] = TOLD_FIRST.flatMap((pattern) => problems.filter(({ code }) => pattern.test(code)));
  return known ? refusedBy(known, findings) : refusedBy(UNKNOWN, [UNKNOWN, ...findings]);
}

export function refusedBy({ message, cure }: Finding, findings: readonly Finding[]): SamlRefused {
  return new SamlRefused({ ours: cure === null ? message : `${message} ${cure}` }, findings);
}

export interface Judged {
  opened: Opened;
  request: SamlRequest;
  identity: SamlIdentity;
  /** The settings of the stage: its handler and its clock skew. */
  environment: NodeJS.ProcessEnv;
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** These are of a capture: a sign-in knows its provider, and compares with its own addresses. */
const OF_CAPTURES = ['issuers_not_configured', 'metadata_of_other_issuer', 'assertion_encrypted'];

/** @returns problems first */
export function allFindings({ opened, request, identity, environment, nowMs }: Judged): Finding[] {
  const { xml, response, assertion, decrypted } = opened;
  // The stage's SAML_ISSUERS are of the service, and we are another one.
  const { SAML_ISSUERS: _, ...env } = withoutChecks(environment);
  // Its signature is checked even where it names another issuer.
  const providers = issuersOf(opened).map((entityId) => ({ ...request.provider, entityId }));
  const read = (part: string) => {
    const found = { kind: 'SAMLResponse', xml: part, sentAt: nowMs } as const;
    return readSaml(found, providers, env).findings;
  };
  const findings = [
    ...opened.findings,
    ...unmetExpectations(response, assertion, request, identity),
    ...read(xml),
    ...(decrypted === null ? [] : [opening(), ...read(decrypted).filter(isOfInside(opened, request))]),
  ];
  const ours = findings.filter(({ code }) => !OF_CAPTURES.includes(code));
  return inOrder(distinct(curedFor(request.provider.entityId, ours)));
}

function issuersOf({ response, assertion }: Opened): string[] {
  return [response, ...(assertion ? [assertion] : [])].flatMap((element) => textsIn(element, 'Issuer'));
}

/** An assertion that was encrypted needs no signature of its own where the response has one. */
function isOfInside(opened: Opened, { provider }: SamlRequest): (finding: Finding) => boolean {
  const isSigned = signedResponse(opened, provider.certificates) !== null;
  return ({ code }) => !(isSigned && code === 'unsigned');
}

/** @returns the XML of the response that a signature of its own covers; null where there is none */
export function signedResponse({ xml, response }: Opened, certificates: readonly string[]): string | null {
  const signed = { xml: xml.replaceAll(/\r\n?/g, '\n'), root: response, assertion: undefined };
  return checkSignatures(signed, certificates).verifiedXml;
}

/** The same of an assertion that was encrypted. */
export function signedAssertion(
  { decrypted, assertion }: Opened,
  certificates: readonly string[],
): string | null {
  if (decrypted === null || assertion === null) return null;
  return checkSignatures({ xml: decrypted, root: assertion, assertion }, certificates).verifiedXml;
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
