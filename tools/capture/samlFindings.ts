/** What is wrong with a SAML login, as findings with the solution: every check of the function, and what its parts show. */
import type { AssertionCode } from '../../lib/reasons.ts';
import { ASSERTION_CHECKS, judgedAssertion } from '../../lib/saml/assertionCheck.ts';
import type { Assertion } from '../../lib/saml/model.ts';
import type { Finding } from '../shared/finding.ts';
import { error, found, listed, quoted, warning } from './findings.ts';
import { expired, failedChecks, failedFinding, type Judging } from './judging.ts';
import type { ParsedAssertion } from './parsedAssertion.ts';
import { providerWords, samlFix } from './refusals.ts';
import { ASSERTION, attributeOf, elementsIn, PROTOCOL } from './xml.ts';

const OF_TIME: readonly AssertionCode[] = ['assertion_not_yet_valid', 'assertion_expired'];

/** @returns a finding for each check that does not hold; those of time only where no issuer is configured */
export function assertionFindings(assertion: Assertion, judging: Judging): Finding[] {
  const { settings, atMs, isSentAt } = judging;
  const isListed = settings.samlIssuers.has(assertion.issuer);
  // A capture is mostly older than its assertion is valid: that is one finding, and no reason against its confirmation.
  const ownMs = isSentAt ? atMs : assertion.issued.getTime();
  const failedAt = (nowMs: number) =>
    failedChecks(ASSERTION_CHECKS, judgedAssertion(assertion, settings, nowMs));
  return [
    ...failedAt(atMs).filter(({ code }) => OF_TIME.includes(code)),
    ...failedAt(ownMs).filter(({ code }) => !OF_TIME.includes(code)),
  ]
    .filter(({ code }) => {
      if (code === 'assertion_issuer_refused') return judging.hasIssuers;
      return isListed || OF_TIME.includes(code);
    })
    .map((one) => {
      const { issuer, conditions } = assertion;
      if (one.code === 'assertion_expired' && !isSentAt)
        return expired('assertion', atMs - conditions.not_on_or_after.getTime());
      return failedFinding(one, { assertion }, issuer, judging);
    });
}

/** What the assertion itself shows, whatever the settings say. */
export function contentFindings({ attributes }: ParsedAssertion): Finding[] {
  const named = attributes.filter(({ name }) => name !== '');
  const namesOf = (some: typeof named) => listed(some.map(({ name, friendlyName }) => friendlyName || name));
  const empty = named.filter(({ values }) => values.every((value) => value.trim() === ''));
  const several = named.filter(({ values }) => values.length > 1);
  return found([
    empty.length > 0 &&
      warning(
        'attribute_empty',
        `Attributes without a value: ${namesOf(empty)}.`,
        'Fill them in the directory of the provider, or do not release them.',
      ),
    several.length > 0 &&
      warning(
        'values_joined',
        `Attributes with several values: ${namesOf(several)}. A known service joins the values of one Attribute into one text.`,
        'Have the provider send an Attribute for each value (Keycloak: "Single Role Attribute" and "Single Group Attribute" off).',
      ),
  ]);
}

/** By what the event lacks: where it can be switched on. Everything is in the last one. */
const EXPRESSIBLE: readonly [path: string, code: string, change: string][] = [
  [
    'assertionAuthnStatement',
    'authn_statement_missing',
    'Turn it on at the provider (Keycloak: client, "Include AuthnStatement").',
  ],
  [
    'subjectNameID',
    'name_id_missing',
    'Have the provider send a NameID (Keycloak: client, "Name ID format"; Entra: "Unique User Identifier"). An encrypted one (EncryptedID) cannot be decrypted here.',
  ],
  [
    '',
    'event_invalid',
    'Report it to the people who run the provider: SAML Core 2.3.3 and SAML Profiles 4.1.4.2 require it.',
  ],
];

/** @param problems of `serviceEvents` */
export function inexpressible(problems: readonly string[]): Finding[] {
  const groups = Map.groupBy(problems, (problem) => EXPRESSIBLE.find(([path]) => problem.includes(path)));
  return [...groups].map(([row, all]) => {
    const [, code = '', change = ''] = row ?? [];
    return error(code, `This assertion cannot be made into an event: ${all.join('; ')}.`, change);
  });
}

const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';

/**
 * @returns the codes of a status, mostly one of the first level and one of the second that says more, and its message (SAML
 *   Core 3.2.2); null for Success
 */
export function failedStatusOf(response: Element): { codes: string[]; message: string } | null {
  const [status] = elementsIn(response, PROTOCOL, 'Status');
  const [first] = elementsIn(status, PROTOCOL, 'StatusCode');
  const [second] = elementsIn(first, PROTOCOL, 'StatusCode');
  const codes = [first, second].flatMap((code) => attributeOf(code, 'Value')?.replace(STATUS, '') ?? []);
  const [message] = elementsIn(status, PROTOCOL, 'StatusMessage');
  return codes[0] === 'Success' ? null : { codes, message: message?.textContent?.trim() ?? '' };
}

const NO_STATUS = error(
  'status_missing',
  'The response does not say whether the login succeeded: it has no StatusCode.',
  'See the log of the provider: SAML Core 3.2.2 requires a Status.',
);
const MISSING = error(
  'assertion_missing',
  'The response says Success but has no assertion.',
  'See the log of the provider at that time.',
);

/** What the envelope of an assertion says: its status, its destination, and how many assertions there are. */
export function responseFindings(response: Element, judging: Judging): Finding[] {
  const failed = failedStatusOf(response);
  const names = ['Assertion', 'EncryptedAssertion'];
  const { length: count } = names.flatMap((name) => elementsIn(response, ASSERTION, name));
  return found([
    failed !== null && statusFinding(failed),
    count > 1 &&
      error(
        'several_assertions',
        `The response has ${count} assertions: services refuse that, or read any of them. Here the first one is read.`,
        'Have the provider send one assertion.',
      ),
    count === 0 && failed === null && MISSING,
    destinationFinding(response, judging),
  ]);
}

function statusFinding({ codes, message }: { codes: string[]; message: string }): Finding {
  if (codes.length === 0) return NO_STATUS;
  const words = quoted(providerWords(message)).replace(/\.$/, '');
  return error(
    'status_not_success',
    `The provider refused the login: ${listed(codes)}${words && `: ${words}`}.`,
    samlFix(codes, message),
  );
}

/** Of these, an event has one. SAML Core 2.3.3 allows several AuthnStatements. */
const SINGLE_PARTS = { Subject: error, Conditions: error, AuthnStatement: warning };

export function partFindings(assertion: Element): Finding[] {
  return Object.entries(SINGLE_PARTS).flatMap(([name, finding]) => {
    const { length } = elementsIn(assertion, ASSERTION, name);
    if (length < 2) return [];
    const message = `The assertion has ${length} elements ${name}: services refuse that, or read any of them. Here the first one is read.`;
    return [finding('assertion_part_repeated', message, `Have the provider send one ${name}.`)];
  });
}

function destinationFinding(response: Element, { settings }: Judging): Finding | null {
  const recipients = [...settings.samlIssuers.values()].flatMap((issuer) => issuer.recipients);
  const destination = attributeOf(response, 'Destination');
  if (destination === null || recipients.length === 0 || recipients.includes(destination)) return null;
  return warning(
    'destination_differs',
    `The response was sent to ${quoted(destination)}; expected ${listed(recipients)}.`,
    'Enter the ACS URL of the service at the provider, or add it to recipients in SAML_ISSUERS.',
  );
}
