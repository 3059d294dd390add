/** All that is wrong with a response, whichever check objects to it first. */

import type { Finding } from '../capture/findings.ts';
import { inOrder, note } from '../capture/findings.ts';
import { readSaml } from '../capture/samlResponse.ts';
import { checkSignatures } from '../capture/signatures.ts';
import { withoutChecks } from '../shared/environment.ts';
import { providerWords } from './providerWords.ts';
import { type SamlRequest, textsIn, unmetExpectations } from './samlExpectations.ts';
import type { SamlIdentity } from './samlIdentity.ts';
import type { Opened } from './samlOpened.ts';

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
export async function allFindings({
  opened,
  request,
  identity,
  environment,
  nowMs,
}: Judged): Promise<Finding[]> {
  const { xml, response, assertion, decrypted } = opened;
  // The stage's SAML_ISSUERS are of the service, and we are another one.
  const { SAML_ISSUERS: _, ...env } = withoutChecks(environment);
  // Its signature is checked even where it names another issuer.
  const providers = issuersOf(opened).map((entityId) => ({ ...request.provider, entityId }));
  const read = async (part: string) => {
    const found = { kind: 'SAMLResponse', xml: part, sentAt: nowMs } as const;
    return (await readSaml(found, providers, env)).findings;
  };
  const findings = [
    ...opened.findings,
    ...unmetExpectations(response, assertion, request, identity),
    ...(await read(xml)),
    ...(decrypted === null
      ? []
      : [opening(), ...(await read(decrypted)).filter(isOfInside(opened, request))]),
  ];
  const ours = findings.filter(({ code }) => !OF_CAPTURES.includes(code));
  return inOrder(distinct(ours.map((one) => (one.code === 'status_not_success' ? unnamed(one) : one))));
}

function issuersOf({ response, assertion }: Opened): string[] {
  return [response, ...(assertion ? [assertion] : [])].flatMap((element) => textsIn(element, 'Issuer'));
}

/** An assertion that was encrypted needs no signature of its own where the response has one. */
function isOfInside({ xml, response }: Opened, { provider }: SamlRequest): (finding: Finding) => boolean {
  const signed = { xml: xml.replaceAll(/\r\n?/g, '\n'), root: response, assertion: undefined };
  const isSigned = checkSignatures(signed, provider.certificates).verifiedXml !== null;
  return ({ code }) => !(isSigned && code === 'unsigned');
}

function opening(): Finding {
  return note(
    'assertion_opened',
    'The assertion was encrypted for us and decrypted with our key. The service has a key of its own.',
  );
}

function unnamed(finding: Finding): Finding {
  return { ...finding, message: providerWords(finding.message) };
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [`${one.code} ${one.message}`, one])).values()];
}
