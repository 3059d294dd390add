/** The response to a request of ours: a login, or all that is wrong with it and what is told first. */
import { KINDS } from '../../lib/kinds.ts';
import type { Captured } from '../capture/captured.ts';
import { error, findingsFor, found } from '../capture/findings.ts';
import { judgingOf } from '../capture/judging.ts';
import { providerWords } from '../capture/refusals.ts';
import { failedStatusOf } from '../capture/samlFindings.ts';
import { readMessage, type SamlMessage } from '../capture/samlMessage.ts';
import { ASSERTION, attributeOf, elementsBelow, isElement, PROTOCOL } from '../capture/xml.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Finding, inOrder } from '../shared/finding.ts';
import { openedMessage } from './decryption.ts';
import type { SamlIdentity } from './identity.ts';
import type { SamlProvider } from './metadata.ts';
import { SignInRefused } from './refusals.ts';

export interface SamlRequest {
  provider: SamlProvider;
  requestId: string;
}

/**
 * @param env of the function. We are another service than the one of its SAML_ISSUERS
 * @throws {SignInRefused} where the response is refused, with all findings, or is none of SAML
 */
export function readResponse(
  xml: string,
  { provider, requestId }: SamlRequest,
  identity: SamlIdentity,
  env: NodeJS.ProcessEnv,
): Captured {
  const { entityId, acsUrl } = identity;
  const open = (sent: string) => openedMessage(sent, identity.encryption.privateKey);
  const message = opening(() => open(xml));
  const own = new Map([[provider.entityId, { audiences: [entityId], recipients: [acsUrl] }]]);
  const judging = judgingOf('SAML', env, Date.now(), { samlIssuers: own });
  const read = readMessage(message, open, provider.certificates, judging);
  const all = [
    ...read.findings.map((finding) => ofOurs(finding, identity)),
    ...found([requestError(message.root, read.signed ?? message.assertion, requestId)]),
  ];
  const findings = inOrder(findingsFor(provider.entityId, all));
  const failed = failedStatusOf(message.root);
  if (failed !== null) throw refusedByProvider(failed, findings);
  const first = toldFirst(findings) ?? (read.signed === undefined ? NOT_SIGNED : undefined);
  if (first !== undefined) throw refusedBy(first, findings);
  const { functionName } = KINDS.SAML;
  return { kind: 'SAMLResponse', where: 'signed in', functionName, events: read.events, findings };
}

function opening(open: () => SamlMessage): SamlMessage {
  try {
    const message = open();
    if (isElement(message.root, PROTOCOL, 'Response')) return message;
    throw new UnusableInput('expected a Response: have the provider send only its responses here');
  } catch (failure) {
    if (!(failure instanceof UnusableInput) || failure instanceof SignInRefused) throw failure;
    throw new SignInRefused(`The response cannot be read: ${failure.message}.`);
  }
}

/** What the table of reasons says of the settings of a stage, said of our registration at the provider. */
function ofOurs(finding: Finding, { entityId, acsUrl }: SamlIdentity): Finding {
  const enter = `Enter ${acsUrl} as our ACS URL at the provider (Keycloak: "Assertion Consumer Service POST Binding URL"; Entra: "Reply URL"; Okta: "Single sign-on URL").`;
  const changes = new Map([
    ['destination_differs', enter],
    [
      'assertion_confirmation_refused',
      `${enter} If it came too late, have the provider issue assertions with a longer lifetime.`,
    ],
    [
      'assertion_audience_refused',
      `Enter ${entityId} as our entity ID at the provider (Keycloak: "Client ID"; Entra: "Identifier (Entity ID)"; Okta: "Audience URI (SP Entity ID)"; Google: "Entity ID").`,
    ],
    [
      'assertion_issuer_refused',
      'Give the metadata of the provider that signs people in: its entityID must equal the issuer exactly.',
    ],
  ]);
  const change = changes.get(finding.code);
  return change === undefined ? finding : { ...finding, level: 'error', change };
}

/** Both have to name the request: that of a response of which only the assertion is signed can be changed on its way. */
function requestError(response: Element, assertion: Element | undefined, requestId: string): Finding | null {
  const data = assertion ? elementsBelow(assertion, ASSERTION, 'SubjectConfirmationData') : [];
  const named = [response, ...data].map((one) => attributeOf(one, 'InResponseTo'));
  if (named.every((id) => id === requestId)) return null;
  return error(
    'request_differs',
    named.includes(null)
      ? 'The response or its assertion has no InResponseTo: the login began at the provider.'
      : 'The response or its assertion answers another request (InResponseTo).',
    'Begin the sign-in here, and finish it in the same tab.',
  );
}

/** In the words of the provider, and in ours. */
function refusedByProvider(
  { codes, message }: NonNullable<ReturnType<typeof failedStatusOf>>,
  findings: readonly Finding[],
): SignInRefused {
  const ofStatus = findings.find(({ code }) => code.startsWith('status_')) ?? NOT_SIGNED;
  if (codes.length === 0) return refusedBy(ofStatus, findings);
  const words = providerWords(message).replace(/\.$/, '');
  const said = [codes.join(', '), words].filter((text) => text !== '').join(': ');
  return new SignInRefused(ofStatus.change ?? ofStatus.message, said, findings);
}

/** Of several errors, one of the first of these is told. */
const TOLD_FIRST = [
  /^several_assertions$/,
  /^(?:unsigned|saml_signature_\w+)$/,
  /^assertion_\w*(?:opened|unsupported)$/,
];

function toldFirst(findings: readonly Finding[]): Finding | undefined {
  const errors = findings.filter(({ level }) => level === 'error');
  const [known] = TOLD_FIRST.flatMap((pattern) => errors.filter(({ code }) => pattern.test(code)));
  return known ?? errors[0];
}

const NOT_SIGNED = error(
  'saml_signature_wrong',
  'No signature of the provider covers the assertion.',
  'See the log of the provider, and begin the sign-in again.',
);

function refusedBy({ message, change }: Finding, findings: readonly Finding[]): SignInRefused {
  return new SignInRefused(change === null ? message : `${message} ${change}`, null, findings);
}
