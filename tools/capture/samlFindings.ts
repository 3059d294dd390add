/** What is wrong with an assertion, as findings: every check of the function, with the solution. */
import type { AssertionCode } from '../../lib/reasons.ts';
import { ASSERTION_CHECKS, CONFIRMATION_OVER, judgedAssertion } from '../../lib/saml/assertionCheck.ts';
import type { Assertion } from '../../lib/saml/model.ts';
import type { Finding } from './findings.ts';
import { listed, note, problem, quoted, warning } from './findings.ts';
import { failedChecks, type Judging, span } from './judging.ts';
import type { ParsedAssertion } from './serviceEvent.ts';

const OF_TIME: readonly AssertionCode[] = ['assertion_not_yet_valid', 'assertion_expired'];

/** @returns a finding for each check that does not hold; those of time alone where no issuer is configured */
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
    .map(({ code, details }) => FINDINGS[code](assertion, judging, details));
}

type Finder = (assertion: Assertion, judging: Judging, details: Readonly<Record<string, unknown>>) => Finding;

export const CLOCKS = 'Set the clocks of the provider and of this machine by NTP.';

const FINDINGS: Record<AssertionCode, Finder> = {
  assertion_issuer_refused: ({ issuer }, { settings }) =>
    problem(
      'assertion_issuer_refused',
      `The issuer ${quoted(issuer)} is not listed: SAML_ISSUERS has ${listed(settings.samlIssuers.keys())}.`,
      'Add exactly this issuer to SAML_ISSUERS.',
    ),
  assertion_not_yet_valid: ({ conditions }, { atMs }) =>
    problem(
      'assertion_not_yet_valid',
      `The assertion is valid only ${span(conditions.no_before.getTime() - atMs)} from now (NotBefore).`,
      CLOCKS,
    ),
  assertion_expired: ({ conditions }, { atMs, isSentAt }) =>
    isSentAt
      ? problem(
          'assertion_expired',
          `The assertion had expired ${span(atMs - conditions.not_on_or_after.getTime())} before it was sent.`,
          CLOCKS,
        )
      : warning(
          'assertion_expired',
          `The assertion expired ${span(atMs - conditions.not_on_or_after.getTime())} ago.`,
          'Sign in again for a fresh one. For an older capture, this is normal.',
        ),
  assertion_audience_refused: ({ issuer, conditions }, { settings }) => {
    const found = conditions.audience_restrictions.flatMap(({ audience }) => audience);
    return problem(
      'assertion_audience_refused',
      `The assertion is meant for ${listed(found)}; SAML_ISSUERS has ${listed(settings.samlIssuers.get(issuer)?.audiences ?? [])} for this issuer.`,
      'Enter the entity ID of the service at the provider (Keycloak: client ID; Entra: "Identifier"; Okta: "Audience URI"), or add it to audiences in SAML_ISSUERS.',
    );
  },
  assertion_confirmation_refused: ({ issuer, subject }, { settings }, { problems }) =>
    problem(
      'assertion_confirmation_refused',
      `No confirmation of the subject holds (${listed((problems as (string | null)[]).map((one) => one ?? ''))}). Its recipients are ${listed(subject.confirmations.map(({ recipient }) => recipient))}; SAML_ISSUERS has ${listed(settings.samlIssuers.get(issuer)?.recipients ?? [])}.`,
      (problems as (string | null)[]).every((one) => one === CONFIRMATION_OVER)
        ? `Have the provider issue assertions with a longer lifetime. ${CLOCKS}`
        : 'Enter the ACS URL of the service at the provider, or add it to recipients in SAML_ISSUERS.',
    ),
};

/** What the assertion itself shows, whatever the settings say. */
export function contentFindings({ nameId, attributes }: ParsedAssertion): Finding[] {
  const named = attributes.filter(({ name }) => name !== '');
  const namesOf = (some: typeof named) => listed(some.map(({ name, friendlyName }) => friendlyName || name));
  const empty = named.filter(({ values }) => values.every((value) => value.trim() === ''));
  const several = named.filter(({ values }) => values.length > 1);
  return [
    ...(nameId?.format && /:transient$/.test(nameId.format) ? [transient()] : []),
    ...(empty.length > 0
      ? [
          warning(
            'attribute_empty',
            `Attributes without a value: ${namesOf(empty)}.`,
            'Fill them in the directory of the provider, or do not release them.',
          ),
        ]
      : []),
    ...(named.length < attributes.length
      ? [
          warning(
            'attribute_unnamed',
            'An attribute has no Name.',
            'Give it a Name in its mapper at the provider.',
          ),
        ]
      : []),
    ...(several.length > 0 ? [severalValues(namesOf(several))] : []),
  ];
}

function transient(): Finding {
  return note(
    'name_id_transient',
    'The NameID is transient: it changes at each login, so it is not a permanent identifier.',
    'For a permanent one, have the provider send a persistent NameID or subject-id, and set SAML_EXTERNAL_ID (docs/settings.md).',
  );
}

function severalValues(names: string): Finding {
  return warning(
    'values_joined',
    `Attributes with several values: ${names}. A known service joins the values of one Attribute into one text.`,
    'Have the provider send an Attribute for each value (Keycloak: "Single Role Attribute" and "Single Group Attribute" off).',
  );
}

/** By what the event lacks: where it can be switched on. */
const EXPRESSIBLE: readonly [path: string, code: string, cure: string][] = [
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
    'assertionConditions',
    'conditions_missing',
    'Have the provider send Conditions with NotBefore and NotOnOrAfter.',
  ],
  [
    'subjectConfirmation',
    'confirmation_missing',
    'Have the provider send a SubjectConfirmationData with NotOnOrAfter and Recipient.',
  ],
];

/** @param message of `EventNotExpressible`: paths and expectations */
export function inexpressible(message: string): Finding[] {
  const problems = message.split('; ');
  const codes = new Map<string, { cure: string; problems: string[] }>();
  for (const one of problems) {
    const [, code, cure] = EXPRESSIBLE.find(([path]) => one.includes(path)) ?? ['', 'event_invalid', OTHER];
    const known = codes.get(code) ?? { cure, problems: [] };
    codes.set(code, { cure, problems: [...known.problems, one] });
  }
  return [...codes].map(([code, { cure, problems }]) =>
    problem(code, `This assertion cannot be made into an event: ${problems.join('; ')}.`, cure),
  );
}

const OTHER = 'Report it to the people who run the provider: SAML Core 2.3.3 requires it.';
