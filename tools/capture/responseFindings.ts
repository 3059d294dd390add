/** What the envelope of an assertion says: its status, and how many assertions there are, open or encrypted. */
import type { Finding } from './findings.ts';
import { listed, note, problem, quoted, warning } from './findings.ts';
import type { Judging } from './judging.ts';
import { providerWords } from './providerWords.ts';
import { samlCure } from './refusalCures.ts';
import { ASSERTION, attributeOf, elementsBelow, elementsIn, isElement, PROTOCOL } from './xml.ts';

const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';

/** @param root a `Response`, an `Assertion` or an `EncryptedAssertion` */
export function responseFindings(root: Element, judging: Judging): Finding[] {
  if (isElement(root, ASSERTION, 'EncryptedAssertion')) return [encrypted()];
  if (isElement(root, ASSERTION, 'Assertion')) return partFindings(root);
  const status = statusFindings(root);
  return [...status, ...assertionCount(root, status.length === 0), ...addressFindings(root, judging)];
}

/**
 * @returns the codes of a status, mostly one of the first level and one of the second that says more, and its message (SAML
 *   Core 3.2.2); null for Success
 */
export function failedStatusOf(response: Element): { codes: string[]; message: string } | null {
  const [status] = elementsIn(response, PROTOCOL, 'Status');
  const [first] = status ? elementsIn(status, PROTOCOL, 'StatusCode') : [];
  const [second] = first ? elementsIn(first, PROTOCOL, 'StatusCode') : [];
  const codes = [first, second].flatMap((code) => attributeOf(code, 'Value')?.replace(STATUS, '') ?? []);
  if (codes[0] === 'Success') return null;
  const [message] = status ? elementsIn(status, PROTOCOL, 'StatusMessage') : [];
  return { codes, message: message?.textContent?.trim() ?? '' };
}

function statusFindings(response: Element): Finding[] {
  const failed = failedStatusOf(response);
  if (failed === null) return [];
  const { codes, message } = failed;
  if (codes.length === 0) return [noStatus()];
  const words = quoted(providerWords(message)).replace(/\.$/, '');
  return [
    problem(
      'status_not_success',
      `The provider refused the login: ${listed(codes)}${words && `: ${words}`}.`,
      samlCure(codes, message),
    ),
  ];
}

function noStatus(): Finding {
  return problem(
    'status_missing',
    'The response does not say whether the login succeeded: it has no StatusCode.',
    'See the log of the provider: SAML Core 3.2.2 requires a Status.',
  );
}

function assertionCount(response: Element, isSuccess: boolean): Finding[] {
  const open = elementsIn(response, ASSERTION, 'Assertion');
  const closed = elementsIn(response, ASSERTION, 'EncryptedAssertion');
  const findings = closed.length > 0 ? [encrypted()] : [];
  if (open.length + closed.length > 1) findings.push(several(open.length + closed.length));
  if (open.length + closed.length === 0 && isSuccess) findings.push(missing());
  return [...findings, ...open.slice(0, 1).flatMap(partFindings)];
}

function partFindings(assertion: Element): Finding[] {
  return [...repeatedParts(assertion), ...encryptedParts(assertion)];
}

/** Of these, an event has one. */
const SINGLE_PARTS = ['Subject', 'Conditions', 'AuthnStatement'];

function repeatedParts(assertion: Element): Finding[] {
  const counts = SINGLE_PARTS.map((name) => ({ name, count: elementsIn(assertion, ASSERTION, name).length }));
  return counts
    .filter(({ count }) => count > 1)
    .map(({ name, count }) =>
      warning(
        'assertion_part_repeated',
        `The assertion has ${count} elements ${name}: services refuse that, or read any of them. Here the first one is read.`,
        `Have the provider send one ${name}.`,
      ),
    );
}

function encrypted(): Finding {
  return warning(
    'assertion_encrypted',
    'The assertion is encrypted for the service and cannot be decrypted here.',
    'Turn encryption off for this service while you look (Keycloak: client, "Encrypt assertions"; Entra: "Token encryption"; Okta: "Assertion Encryption"; AD FS: EncryptClaims; Shibboleth: p:encryptAssertions), or take the event of the service.',
  );
}

function encryptedParts(assertion: Element): Finding[] {
  const has = (name: string) => elementsBelow(assertion, ASSERTION, name).length > 0;
  const parts = ['EncryptedAttribute', 'EncryptedID'].filter(has);
  if (parts.length === 0) return [];
  return [
    warning(
      'attribute_encrypted',
      `Parts of the assertion are encrypted and cannot be decrypted here: ${listed(parts)}.`,
      'Turn their encryption off at the provider.',
    ),
  ];
}

function several(count: number): Finding {
  return problem(
    'several_assertions',
    `The response has ${count} assertions: services refuse that, or read any of them. Here the first one is read.`,
    'Have the provider send one assertion.',
  );
}

function missing(): Finding {
  return problem(
    'assertion_missing',
    'The response says Success but has no assertion.',
    'See the log of the provider at that time.',
  );
}

/** Where the response was sent to, and what it is a response to. */
function addressFindings(response: Element, { settings }: Judging): Finding[] {
  const recipients = [...settings.samlIssuers.values()].flatMap((issuer) => issuer.recipients);
  const destination = attributeOf(response, 'Destination');
  const isElsewhere = destination !== null && recipients.length > 0 && !recipients.includes(destination);
  return [
    ...(isElsewhere
      ? [
          warning(
            'destination_differs',
            `The response was sent to ${quoted(destination)}; SAML_ISSUERS has ${listed(recipients)}.`,
            'Enter the ACS URL of the service at the provider, or add it to recipients in SAML_ISSUERS.',
          ),
        ]
      : []),
    ...(attributeOf(response, 'InResponseTo') === null
      ? [
          note(
            'unsolicited',
            'The response has no InResponseTo: the login began at the provider. Some services refuse that.',
            'If the service refuses it, begin the login at the service.',
          ),
        ]
      : []),
  ];
}
