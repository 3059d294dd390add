/** What may grow in a SAML login: attributes, names, the subject, the conditions. */
import { attribute, samlEvent } from '../../support/wire.ts';
import { type GrowingInput, LARGEST_DIRECT } from './input.ts';
import { ADDRESSES, AFFILIATIONS, DATE_TIMES, FULL_NAMES, GROUP_VALUES } from './samlTexts.ts';
import { items, MARKS, numbered, REFUSED_GROUPS, repeated, type Text } from './text.ts';

const SCOPED_AFFILIATION = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
const ORGANIZATION = 'urn:oid:2.5.4.10';
/** Together with the rest of an attribute, 20,000 of these make the largest event, and a list may have 20,000 items. */
const FILLER = 'x'.repeat(165);

type SamlEvent = ReturnType<typeof samlEvent>;
type Attribute = ReturnType<typeof attribute>;

/** A login that passes every rule. */
export function samlLogin(more: Attribute[] = []): SamlEvent {
  return samlEvent([
    attribute('givenName', 'Ada'),
    attribute('sn', 'Lovelace'),
    attribute('mail', 'ada@uni.example'),
    attribute(SCOPED_AFFILIATION, 'member@uni.example'),
    attribute('Role', 'member-000'),
    attribute('department', 'physics'),
    attribute('eduPersonAssurance', 'low'),
    ...more,
  ]);
}

function growing(label: string, event: GrowingInput['event'], refusal: string | null = null): GrowingInput {
  return { label: `SAML: ${label}`, name: 'samlLoggedIn', largest: LARGEST_DIRECT, event, refusal };
}

/** One value that grows, before those that the login has; without those that would be taken in its place. */
function values(
  name: string,
  what: string,
  texts: Record<string, Text>,
  insteadOf: string[] = [],
): GrowingInput[] {
  return Object.entries(texts).map(([label, text]) =>
    growing(`${what}, ${label}`, (bytes) => {
      const { assertion } = samlLogin();
      const others = withoutNames(assertion.assertionAttributeStatement, insteadOf);
      return {
        assertion: { ...assertion, assertionAttributeStatement: [attribute(name, text(bytes)), ...others] },
      };
    }),
  );
}

function withoutNames(statement: Attribute[], names: string[]): Attribute[] {
  return statement.filter(({ attributeName }) => !names.includes(attributeName));
}

/** Attributes that grow in number. */
function attributes(label: string, make: (index: number) => Attribute): GrowingInput {
  return growing(label, (bytes) => samlLogin(items(bytes, make)));
}

/** A place elsewhere in the assertion. */
function place(label: string, put: (assertion: SamlEvent['assertion'], bytes: number) => void): GrowingInput {
  return growing(label, (bytes) => {
    const event = samlLogin();
    put(event.assertion, bytes);
    return event;
  });
}

function dateTimes(texts: Record<string, Text>): GrowingInput[] {
  return Object.entries(texts).map(([label, text]) => {
    const event = (bytes: number) => {
      const login = samlLogin();
      login.assertion.assertionIssued = text(bytes);
      return login;
    };
    return growing(`date-time, ${label}`, event, 'event_invalid');
  });
}

/** Many values of one field or rule, each of which is looked at and not used. */
const REFUSED_VALUES: GrowingInput[] = [
  refusedValues(
    'e-mail addresses that are unverified',
    ['mail'],
    [attribute('emailVerified', 'false')],
    (index) => attribute('mail', `${numbered(index)}@uni.example`, FILLER),
  ),
  refusedValues('e-mail addresses, and as many statements on them', ['mail'], [], (index) =>
    index % 2 === 0
      ? attribute('mail', `${numbered(index)}@uni.example`, FILLER)
      : attribute(`urn:example:${numbered(index)}/emailVerified`, 'false', FILLER),
  ),
  refusedValues('e-mail addresses with compatibility characters', ['mail'], [], (index) =>
    attribute('mail', `${numbered(index)}@ｕni.example`, FILLER),
  ),
  refusedValues(
    'e-mail addresses by friendly name',
    ['mail'],
    [attribute('emailVerified', 'false')],
    (index) => attribute(`${numbered(index)}${FILLER}`, `${numbered(index)}@uni.example`, 'mail'),
  ),
  refusedValues('first names', ['givenName'], [], () => attribute('givenName', '\u0007', FILLER.repeat(2))),
  refusedValues('last names', ['sn'], [], () => attribute('sn', '\u0007', FILLER.repeat(2))),
  refusedValues('full names', ['givenName', 'sn'], [], (index) =>
    attribute('displayName', `${numbered(index)}@uni.example`, FILLER),
  ),
  refusedValues('image URLs', [], [], () => attribute('picture', ' ', FILLER.repeat(2))),
  refusedValues('affiliations', [], [], () => attribute(ORGANIZATION, '\u0007', FILLER)),
  refusedValues('scoped affiliations', [SCOPED_AFFILIATION], [], (index) =>
    attribute(SCOPED_AFFILIATION, `member@${numbered(index)}.${FILLER}`),
  ),
  ...REFUSED_GROUPS.map(([label, text]) =>
    refusedValues(label, [], [], (index) => attribute('memberOf', text(numbered(index)) + FILLER)),
  ),
];

function refusedValues(
  label: string,
  insteadOf: string[],
  before: Attribute[],
  make: (index: number) => Attribute,
): GrowingInput {
  return growing(`many ${label}, each refused`, (bytes) => {
    const { assertion } = samlLogin();
    const others = withoutNames(assertion.assertionAttributeStatement, insteadOf);
    const assertionAttributeStatement = [...before, ...others, ...items(bytes, make)];
    return { assertion: { ...assertion, assertionAttributeStatement } };
  });
}

export const SAML_INPUTS: GrowingInput[] = [
  ...values('memberOf', 'group', GROUP_VALUES),
  attributes('many groups', (index) => attribute('memberOf', `group-${numbered(index)}${FILLER}`)),
  attributes('many groups below a prefix', (index) =>
    attribute('memberOf', `/member-001/${numbered(index)}${FILLER}`),
  ),
  attributes('many distinguished names', (index) =>
    attribute('memberOf', `cn=${numbered(index)},ou=groups,ou=${FILLER.slice(0, 130)},dc=uni,dc=example`),
  ),
  attributes('many groups by friendly name', (index) => attribute(numbered(index), FILLER, 'memberOf')),
  attributes('many groups of marks out of order', (index) =>
    attribute('memberOf', `${numbered(index)}${MARKS.repeat(4_000)}`),
  ),
  attributes('many groups of letters that Unicode makes longer', (index) =>
    attribute('memberOf', `cn=${numbered(index)}${'\ufdfa'.repeat(400)}`),
  ),
  attributes('many groups of escaped letters', (index) =>
    attribute('memberOf', `cn=${numbered(index)}${'\\41a'.repeat(400)}`),
  ),
  attributes('many equal groups', () => attribute('memberOf', `member-004${FILLER}`)),
  ...values('mail', 'e-mail', ADDRESSES),
  attributes('many e-mail addresses', (index) => attribute('email', `${numbered(index)} ${FILLER}`)),
  ...REFUSED_VALUES,
  ...values('displayName', 'full name', FULL_NAMES, ['givenName', 'sn']),
  ...values('givenName', 'first name', {
    letters: repeated('a'),
    'white space': repeated(' '),
    'marks out of order': repeated(MARKS, { before: 'a' }),
  }),
  ...values(ORGANIZATION, 'affiliation', { letters: repeated('ß'), 'white space': repeated(' ') }),
  ...values(SCOPED_AFFILIATION, 'scoped affiliation', AFFILIATIONS),
  attributes('many scoped affiliations', (index) =>
    attribute(SCOPED_AFFILIATION, `student@${numbered(index)}.${FILLER}`),
  ),
  attributes('many departments', (index) => attribute('department', `${numbered(index)}${FILLER}`)),
  attributes('many names', (index) => attribute(`urn:example:${numbered(index)}`, FILLER)),
  attributes('many friendly names', (index) =>
    attribute(`urn:example:${numbered(index)}`, '', `name-${numbered(index)}${FILLER}`),
  ),
  growing('a long name', (bytes) => samlLogin([attribute('É'.repeat(bytes / 2), '')])),
  growing('a long friendly name', (bytes) => samlLogin([attribute('a', '', 'A'.repeat(bytes))])),
  growing('many names, and no e-mail address', (bytes) =>
    samlEvent(items(bytes, (index) => attribute(`urn:example:${numbered(index)}`, FILLER))),
  ),
  place('issuer', (assertion, bytes) => {
    assertion.assertionIssuer = 'a'.repeat(bytes);
  }),
  place('NameID', (assertion, bytes) => {
    assertion.assertionSubject.subjectNameID.nameIDValue = 'suspended'.repeat(bytes / 9);
  }),
  place('NameID that is an e-mail address', (assertion, bytes) => {
    assertion.assertionAttributeStatement = withoutNames(assertion.assertionAttributeStatement, ['mail']);
    const nameIDValue = `${'#EXT'.repeat(bytes / 4)}@uni.example`;
    Object.assign(assertion.assertionSubject.subjectNameID, { nameIDFormat: 'emailAddress', nameIDValue });
  }),
  place('format of the NameID', (assertion, bytes) => {
    assertion.assertionSubject.subjectNameID.nameIDFormat = 'E'.repeat(bytes);
  }),
  place('many audiences', ({ assertionConditions }, bytes) => {
    const restriction = {
      audienceRestrictionAudience: items(bytes, (index) => `${numbered(index)}${FILLER.repeat(2)}`),
    };
    assertionConditions.conditionsAudienceRestrictions = [restriction];
  }),
  place('many audience restrictions', ({ assertionConditions }, bytes) => {
    assertionConditions.conditionsAudienceRestrictions = items(bytes, () => ({
      audienceRestrictionAudience: [FILLER.repeat(2)],
    }));
  }),
  place('many subject confirmations', ({ assertionSubject }, bytes) => {
    const [first] = assertionSubject.subjectConfirmations;
    if (!first) return;
    const confirmation = { ...first, subjectConfirmationAddress: FILLER };
    assertionSubject.subjectConfirmations = items(bytes, () => confirmation);
  }),
  ...dateTimes(DATE_TIMES),
  growing(
    'attributes of a wrong type',
    (bytes) =>
      samlLogin(items(bytes, () => ({ ...attribute('', ''), attributeValue: 7 as unknown as string }))),
    'event_invalid',
  ),
];
