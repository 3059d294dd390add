/** Which text of an event identifies a person for good. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readConfiguration } from '../../lib/readSettings.ts';
import { identifiersOf } from '../../lib/saml/externalId.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { attribute, samlEvent } from '../support/wire.ts';

const LONGEST = 8_192;
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const SOURCES = {
  subject_id: 'urn:oasis:names:tc:SAML:attribute:subject-id',
  pairwise_id: 'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  edu_person_unique_id: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.13',
} as const;

const settingsOf = (source: string) => readConfiguration('SAML', { SAML_EXTERNAL_ID: source }).settings;

function read(source: string, event: SamlUserLoggedInEvent) {
  return identifiersOf(event, settingsOf(source)).externalId;
}

function withNameId(nameIDFormat: string | null, nameIDValue: string) {
  const event = samlEvent();
  Object.assign(event.assertion.assertionSubject.subjectNameID, { nameIDFormat, nameIDValue });
  return v.parse(SamlUserLoggedInEvent, event);
}

function withAttributes(...attributes: Parameters<typeof attribute>[]) {
  return v.parse(SamlUserLoggedInEvent, samlEvent(attributes.map((one) => attribute(...one))));
}

test.each([
  [PERSISTENT, 'p-1', 'p-1'],
  ['persistent', 'p-1', 'p-1'],
  [PERSISTENT, ' p-1\n', 'p-1'],
  [PERSISTENT, 'p'.repeat(LONGEST), 'p'.repeat(LONGEST)],
  [PERSISTENT, 'p'.repeat(LONGEST + 1), null],
  ['urn:oasis:names:tc:SAML:2.0:nameid-format:transient', 'p-1', null],
  [null, 'p-1', null],
])('a NameID of the format %s: %s', (format, text, value) => {
  const source = 'persistent_name_id';
  expect(read(source, withNameId(format, text))).toEqual({ source, value });
});

test.each([
  ['urn:oasis:names:tc:SAML:2.0:nameid-format:transient', ' _t ', '_t'],
  ['Transient', '_t', '_t'],
  [PERSISTENT, '_t', null],
])('of the format %s, %j is another one at each login: %j', (format, text, value) => {
  expect(identifiersOf(withNameId(format, text), settingsOf('off')).transientId).toBe(value);
});

test('a persistent NameID stands for no attribute, and no attribute for it', () => {
  expect(read('subject_id', withNameId(PERSISTENT, 'p@uni.example'))?.value).toBeNull();
  const event = withAttributes([SOURCES.subject_id, 'a@uni.example']);
  expect(read('persistent_name_id', event)?.value).toBeNull();
});

describe.each(Object.entries(SOURCES))('%s', (source, name) => {
  const others = Object.values(SOURCES).filter((other) => other !== name);

  test.each<[what: string, values: string[], value: string | null]>([
    ['one value', ['ada@uni.example'], 'ada@uni.example'],
    ['a value with capitals', ['Ada\u212a@Uni.EXAMPLE'], 'ada\u212a@uni.example'],
    ['two values', ['a@uni.example', 'b@uni.example'], null],
    ['a value and one that cannot be read', ['a@uni.example', 'b'], null],
    ['nothing before the scope', ['@uni.example'], null],
    ['two scopes', ['a@uni.exampleb@uni.example'], null],
    ['white space in the identifier', ['a b@uni.example'], null],
    ['one that is too long', ['a@uni'.padEnd(LONGEST + 1, 'x')], null],
  ])('%s', (_, values, value) => {
    const own = values.map((one, index): [string, string] => [index > 0 ? name : name.toUpperCase(), one]);
    const beside = others.map((other): [string, string] => [other, 'b@uni.example']);
    const scope = value?.split('@')[1];
    const event = withAttributes(...beside, ...own, ['urn:x', 'c@uni.example', name]);
    expect(read(source, event)).toStrictEqual({ source, value, ...(scope && { scope }) });
  });
});

test('eduPersonUniqueId is known by each of its names, as one attribute', () => {
  const source = 'edu_person_unique_id';
  const names = ['edupersonuniqueid', 'urn:mace:dir:attribute-def:eduPersonUniqueId'];
  for (const name of names)
    expect(read(source, withAttributes([name, 'a@uni.example']))?.value).toBe('a@uni.example');
  const [first = '', second = ''] = names;
  const differing = withAttributes([first, 'a@uni.example'], [second, 'b@uni.example']);
  expect(read(source, differing)?.value).toBeNull();
});
