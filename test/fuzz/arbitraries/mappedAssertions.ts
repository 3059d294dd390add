/** SAML logins aimed at a mapping. */
import fc from 'fast-check';
import type { Mapping } from '../../../lib/profile/mappingSchema.ts';
import { attribute, samlEvent } from '../../support/wire.ts';
import { partFor } from '../oracle/mapping.ts';
import { ATTRIBUTES, SAME_ATTRIBUTES } from '../oracle/names.ts';
import { groupText } from './groups.ts';
import {
  EDU_PERSON_ASSURANCE,
  edits,
  groupSources,
  issuerFor,
  listed,
  type MappedLogin,
  satisfying,
  scopesFrom,
  secondsAgo,
} from './mappedLogins.ts';
import { CLAIM_VALUES, CLAIMS_OF_RULES, PREFERENCES } from './mappings.ts';
import { address, imageUrl, personName, scopedAffiliation } from './people.ts';

const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';

type Attribute = ReturnType<typeof attribute>;

/** What changes about a list of attributes, or about the NameID. */
export type AttributeEdit =
  | { change: 'add' | 'set'; name: string; by: 'Name' | 'FriendlyName' | 'NAME'; value: string }
  | { change: 'drop'; name: string }
  /** The values stand by FriendlyName alone; or so, and beside them an empty one by Name. */
  | { change: 'friendly'; name: string }
  | { change: 'hidden'; name: string }
  | { change: 'instant'; secondsAgo: number }
  | { change: 'nameId'; value: string; format: string | null };

export function samlLogin(mapping: Mapping): fc.Arbitrary<MappedLogin<AttributeEdit>> {
  return fc.record({ issuer: issuerFor(mapping), edits: edits(attributeEdit(mapping)) });
}

function attributeEdit(mapping: Mapping): fc.Arbitrary<AttributeEdit> {
  const text = groupText(mapping);
  const named = [...groupSources(mapping, ATTRIBUTES), 'roles'];
  const sources = [
    ...named,
    ...SAME_ATTRIBUTES.filter((same) => same.some((name) => named.includes(name))).flat(),
  ];
  const add = (names: readonly string[], value: fc.Arbitrary<string>): fc.Arbitrary<AttributeEdit> =>
    fc.record({
      change: fc.constantFrom('add' as const, 'add' as const, 'set' as const),
      name: fc.constantFrom(...names),
      by: fc.constantFrom('Name' as const, 'FriendlyName' as const, 'NAME' as const),
      value,
    });
  return fc.oneof(
    { weight: 12, arbitrary: add([...sources, 'other'], text) },
    {
      weight: 1,
      arbitrary: add(
        ['emailVerified', 'email_verified', 'http://schemas.auth0.com/email_verified', 'urn:x#EmailVerified'],
        fc.constantFrom('false', ' FALSE ', '0', 'true', '', 'no', ' 1', 'trueTRUE', 'truefalse'),
      ),
    },
    {
      weight: 2,
      arbitrary: add(
        [
          'preferredLanguage',
          'urn:oid:2.16.840.1.113730.3.1.39',
          'urn:mace:dir:attribute-def:preferredLanguage',
        ],
        fc.constantFrom(...PREFERENCES),
      ),
    },
    { weight: 1, arbitrary: add([GROUPS_LINK], fc.constantFrom('https://graph.example/x', '')) },
    { weight: 1, arbitrary: add(sources, fc.constantFrom('', ' ')) },
    { weight: 4, arbitrary: add([MAIL, 'mail', 'mail2', 'contact', 'preferred_mail'], address) },
    {
      weight: 2,
      arbitrary: add(
        [...ATTRIBUTES('scoped_affiliation'), 'eduPersonScopedAffiliation'],
        scopedAffiliation(),
      ),
    },
    {
      weight: 2,
      arbitrary: add(
        ['urn:oid:2.5.4.42', 'sn', 'displayName', 'nickname', 'nickname2', 'urn:oid:2.5.4.10'],
        personName,
      ),
    },
    { weight: 1, arbitrary: add(['picture', 'photo'], imageUrl) },
    {
      weight: 3,
      arbitrary: add(
        [...CLAIMS_OF_RULES, ...ATTRIBUTES('assurance')],
        fc.constantFrom(...CLAIM_VALUES.map(String), ' '),
      ),
    },
    { weight: 2, arbitrary: secondsAgo.map((secondsAgo) => ({ change: 'instant' as const, secondsAgo })) },
    {
      weight: 2,
      arbitrary: fc.record({
        change: fc.constantFrom('drop' as const, 'friendly' as const, 'hidden' as const),
        name: fc.constantFrom(...sources, MAIL, ...ATTRIBUTES('scoped_affiliation')),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        change: fc.constant('nameId' as const),
        value: fc.oneof(text, address),
        format: fc.constantFrom(EMAIL_FORMAT, EMAIL_FORMAT.toUpperCase(), 'emailAddress', null, ''),
      }),
    },
  );
}

export function samlEventOf(
  mapping: Mapping,
  chosen: string,
  { issuer, edits }: MappedLogin<AttributeEdit>,
): string {
  const event = samlEvent();
  const { assertion } = event;
  assertion.assertionIssuer = issuer;
  assertion.assertionAuthnStatement.authnStatementSessionIndex = chosen;
  const part = partFor(mapping, issuer);
  const { email, groups, affiliations, claims } = satisfying(part);
  const several = (names: string[], values: string[]) =>
    names.flatMap((name) => values.map((value) => attribute(name, value)));
  let attributes = [
    attribute(MAIL, email, 'mail'),
    attribute('urn:oid:2.5.4.42', 'Ada', 'givenName'),
    attribute('urn:oid:2.5.4.4', 'Lovelace', 'sn'),
    ...several(listed(part?.groups?.from, ATTRIBUTES, 'groups'), groups.length > 0 ? groups : ['none']),
    ...several(listed(scopesFrom(part), ATTRIBUTES, 'scoped_affiliation'), affiliations),
    ...claims.flatMap(([name, value]) => several([attributeName(name)], [value].flat().map(String))),
  ];
  const { assertionAuthnStatement: statement } = assertion;
  statement.authnStatementInstant = timeOf(0);
  for (const edit of edits) {
    if (edit.change === 'instant') statement.authnStatementInstant = timeOf(edit.secondsAgo);
    else if (edit.change === 'nameId') {
      const nameId = assertion.assertionSubject.subjectNameID;
      Object.assign(nameId, { nameIDValue: edit.value, nameIDFormat: edit.format });
    } else attributes = edited(attributes, edit);
  }
  assertion.assertionAttributeStatement = attributes;
  return JSON.stringify(event);
}

function attributeName(claim: string): string {
  return claim === EDU_PERSON_ASSURANCE ? (ATTRIBUTES('assurance')[0] ?? '') : claim;
}

function timeOf(secondsAgo: number): string {
  return new Date(Date.now() - secondsAgo * 1_000).toISOString();
}

function edited(
  attributes: Attribute[],
  edit: Exclude<AttributeEdit, { change: 'nameId' | 'instant' }>,
): Attribute[] {
  const isMeant = ({ attributeName }: Attribute) => attributeName === edit.name;
  const others = attributes.filter((attribute) => !isMeant(attribute));
  if (edit.change === 'drop') return others;
  if (edit.change === 'friendly' || edit.change === 'hidden') {
    const empty = edit.change === 'hidden' ? [attribute(edit.name, '')] : [];
    const moved = attributes.map((other) =>
      isMeant(other) ? attribute('urn:oid:1.1', other.attributeValue, edit.name) : other,
    );
    return [...moved, ...empty];
  }
  const { name, by, value } = edit;
  const added =
    by === 'FriendlyName'
      ? attribute('urn:oid:1.1', value, name)
      : attribute(by === 'NAME' ? name.toUpperCase() : name, value);
  return edit.change === 'set' ? [...others, added] : [...attributes, added];
}
