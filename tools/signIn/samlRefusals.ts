/** Why a provider's response gave no login: its words and ours, and all findings. */

import type { Finding } from '../capture/findings.ts';
import { problem } from '../capture/findings.ts';
import { attributeOf, elementsIn, PROTOCOL } from '../capture/xml.ts';
import { providerWords } from './providerWords.ts';
import { type Refusal, SignInRefused } from './refused.ts';

/** All problems with the provider's switch that solves each. */
export class SamlRefused extends SignInRefused {
  override readonly name = 'SamlRefused';
  readonly findings: Finding[];

  constructor(refusal: Refusal, findings: Finding[]) {
    super(refusal);
    this.findings = findings;
  }
}

const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
/** @returns StatusCode, that below it and StatusMessage (SAML Core 3.2.2); null for Success */
export function refusalOf(response: Element): string | null {
  const [status] = elementsIn(response, PROTOCOL, 'Status');
  const [first] = status ? elementsIn(status, PROTOCOL, 'StatusCode') : [];
  const [second] = first ? elementsIn(first, PROTOCOL, 'StatusCode') : [];
  const codes = [first, second].flatMap((code) => attributeOf(code, 'Value')?.replace(STATUS, '') ?? []);
  if (codes[0] === 'Success') return null;
  const [message] = status ? elementsIn(status, PROTOCOL, 'StatusMessage') : [];
  const words = providerWords(message?.textContent?.trim() ?? '').replace(/\.$/, '');
  return [codes.join(', ') || 'no StatusCode', ...(words ? [words] : [])].join(': ');
}

/** What node-saml says first, and the codes of the findings that say it in our words; a sentence where none does. */
const OBJECTIONS: readonly [says: RegExp, codes: RegExp, message: string][] = [
  [/multiple assertions/, /^several_assertions$/, 'The response has several assertions.'],
  [
    /signature|ID cannot refer/i,
    /^(?:unsigned|(?:saml_)?signature_\w+)$/,
    'No signature of the response matches a certificate in the metadata.',
  ],
  [/InResponseTo/, /^request_differs$/, 'The response answers another request.'],
  [
    /subject confirmation/,
    /^assertion_(?:expired|not_yet_valid)$/,
    'The time window of SubjectConfirmationData is over or has not begun.',
  ],
  [/not yet valid/, /^assertion_not_yet_valid$/, 'The assertion is not valid yet.'],
  [/expired/, /^assertion_expired$/, 'The assertion has expired.'],
  [/audience/i, /^assertion_audience_refused$/, 'The assertion is meant for another service.'],
  [
    /decrypt|encrypted/i,
    /^assertion_not_opened$/,
    'The assertion is encrypted, and our key cannot decrypt it.',
  ],
  [/Missing SAML assertion/, /^assertion_missing$/, 'The response has no assertion.'],
];

/** node-saml stumbles over what is not there. What the handler would object to is another matter. */
const OTHERWISE = [
  /^/,
  /^(?:request|destination|assertion|conditions|confirmation|name_id|authn_statement|event)_/,
  'The response does not follow SAML 2.0.',
] as const;
const CURE = 'See the log of the provider, set the clocks by NTP, and begin the sign-in again.';

/**
 * @param says the message of node-saml. It may quote the response, and is not shown
 * @param findings all of them
 */
export function objection(says: string, findings: readonly Finding[]): SamlRefused {
  const [, codes, message] = OBJECTIONS.find(([pattern]) => pattern.test(says)) ?? OTHERWISE;
  const problems = findings.filter(({ level }) => level === 'problem');
  const known = problems.find(({ code }) => codes.test(code));
  if (known) return refusedBy(known, findings);
  const found = problem('response_refused', message, CURE);
  return refusedBy(found, [found, ...findings]);
}

export function refusedBy({ message, cure }: Finding, findings: readonly Finding[]): SamlRefused {
  return new SamlRefused({ ours: cure === null ? message : `${message} ${cure}` }, [...findings]);
}
