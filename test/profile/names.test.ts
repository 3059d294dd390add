/** The names of people: what arrives, which two names are made of it, and how. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import { readFullName, splitFullName } from '../../lib/profile/fullName.ts';
import { type Mapping, MappingInvalid } from '../../lib/profile/mappingSchema.ts';
import { readHalf, withoutHalf } from '../../lib/profile/otherHalf.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/reader.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { getFirstName, getLastName, mapOpenIdLogin } from '../../lib/sdk.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';
import { openIdHandler, samlHandler } from './decided.ts';

type Names = [first: string | null, last: string | null];

/** By the name of a claim; a list has several values. */
type Person = Record<string, string | string[]>;

const long = (length: number) => 'x'.repeat(length);
const words = (length: number) => Array.from({ length }, () => 'x').join(' ');

function openId(claims: Person, mapping: Mapping = {}) {
  const wire = openIdEvent();
  wire.idToken.otherClaims = { email: 'ada@example.org', ...claims };
  return namesOf(openIdHandler(mapping)(v.parse(OpenIdUserLoggedInEvent, wire)));
}

/** @param attributes by `Name`; what begins with `~` is a FriendlyName */
function saml(attributes: Person, mapping: Mapping = {}) {
  return namesOf(samlHandler(mapping)(v.parse(SamlUserLoggedInEvent, samlEventOf(attributes))));
}

function samlEventOf(attributes: Person) {
  const wires = Object.entries({ mail: 'ada@example.org', ...attributes }).flatMap(([name, values]) =>
    [values]
      .flat()
      .map((value) =>
        name.startsWith('~') ? attribute('urn:x', value, name.slice(1)) : attribute(name, value),
      ),
  );
  return samlEvent(wires);
}

function namesOf(response: object) {
  const { first_name, last_name } = decisionOf(response)?.trace().fields ?? {};
  const { first_name: first, last_name: last } = response as Record<string, string | undefined>;
  return {
    names: [first ?? null, last ?? null] as Names,
    found: [first_name?.found, last_name?.found],
    trace: { first_name, last_name },
  };
}

const SPLIT = ['name, split', 'name, split'];
const WITHOUT_FAMILY = 'name, the rest beside the family name';
const WITHOUT_GIVEN = 'name, the rest beside the given name';

describe('a full name is split', () => {
  test.each<[string, ...Names]>([
    ['Ada Lovelace', 'Ada', 'Lovelace'],
    ['Ada King  Lovelace', 'Ada King', 'Lovelace'],
    ['Ada M. Lovelace', 'Ada M.', 'Lovelace'],
    [' Lovelace, Ada King ', 'Ada King', 'Lovelace'],
    ['Lovelace,Ada', 'Ada', 'Lovelace'],
    ['Lovelace, Ada, Mathematics', 'Ada', 'Lovelace'],
    ['van der Berg, Jan', 'Jan', 'van der Berg'],
    // Titles, degrees, and what stands beside the name.
    ['Dr. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Prof. Dr. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Prof.Dr.-Ing. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Mr Alan Turing', 'Alan', 'Turing'],
    ['mrs. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Ms. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Ing. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Ing Tsai', 'Ing', 'Tsai'],
    ['Drew Ms Lovelace', 'Drew Ms', 'Lovelace'],
    ['Lovelace, Dr. Ada', 'Ada', 'Lovelace'],
    ['Lovelace, Ada, Prof. Dr.', 'Ada', 'Lovelace'],
    ['Mira Halvorsen, PhD', 'Mira', 'Halvorsen'],
    ['Mira Halvorsen, Ph. D., MD', 'Mira', 'Halvorsen'],
    ['Mira Halvorsen, PhD MSc', 'Mira', 'Halvorsen'],
    ['Halvorsen, Mira, M.Sc.', 'Mira', 'Halvorsen'],
    ['Rahman, Md', 'Md', 'Rahman'],
    ['Rahman, MDina', 'MDina', 'Rahman'],
    ['Mira (Mimi) Halvorsen (Contoso)', 'Mira', 'Halvorsen'],
    ['[EXT] Mira Halvorsen（x', 'Mira', 'Halvorsen'],
    ['Mira Halvorsen | Contoso', 'Mira', 'Halvorsen'],
    ['Mira Halvorsen |', 'Mira', 'Halvorsen'],
    // A suffix stays with the family name.
    ['John Henry Johnson Jr.', 'John Henry', 'Johnson Jr.'],
    ['John Henry Johnson SR', 'John Henry', 'Johnson SR'],
    ['John Johnson, Jr.', 'John', 'Johnson Jr.'],
    ['John Johnson II', 'John', 'Johnson II'],
    ['John Johnson III', 'John', 'Johnson III'],
    ['John Johnson IV', 'John', 'Johnson IV'],
    ['John Johnson V', 'John Johnson', 'V'],
    ['Johnson III, John', 'John', 'Johnson III'],
    ['Johnson, Jr., John', 'John', 'Johnson Jr.'],
    ['Johnson, John, Jr.', 'John', 'Johnson'],
    ['Johnson, John Jr.', 'John', 'Johnson'],
    ['John Jr.', 'John', 'Jr.'],
    ['Ana Sril', 'Ana', 'Sril'],
    ['Ana Maria VIII', 'Ana Maria', 'VIII'],
    // Words in capitals beside others are the family name.
    ['HALVORSEN Mira', 'Mira', 'HALVORSEN'],
    ['Mira HALVORSEN', 'Mira', 'HALVORSEN'],
    ['Jean DUPONT Claude', 'Jean Claude', 'DUPONT'],
    ['GARCÍA LÓPEZ Ana María', 'Ana María', 'GARCÍA LÓPEZ'],
    ["O'NEILL Rose Mary", 'Rose Mary', "O'NEILL"],
    ['JOHNSON John Jr.', 'John', 'JOHNSON Jr.'],
    ['LI Wei', 'Wei', 'LI'],
    ['AJ Brown', 'AJ', 'Brown'],
    ['JP Morgan', 'JP', 'Morgan'],
    ['J.P. Morgan', 'J.P.', 'Morgan'],
    ['MIRA Sofie HALVORSEN', 'MIRA Sofie', 'HALVORSEN'],
    ['ADA LOVELACE', 'ADA', 'LOVELACE'],
    ['TOLKIEN J. R. R.', 'TOLKIEN J. R.', 'R.'],
    // Families first, in Han, Kana and Hangul.
    ['認証 太郎', '太郎', '認証'],
    ['ヤマダ\u3000タロー', 'タロー', 'ヤマダ'],
    ['김 철수', '철수', '김'],
    ['佐々木 さくら', 'さくら', '佐々木'],
    ['認証 Taro', '認証', 'Taro'],
    // Ends without ink.
    ['\u200fAda \u200eLovelace\u200b', 'Ada', 'Lovelace'],
    ['\ufeffAda\u00a0Lovelace \u00ad', 'Ada', 'Lovelace'],
    [`${long(499)} ${long(500)}`, long(499), long(500)],
    [words(50), words(49), 'x'],
    [`x, ${words(49)}`, words(49), 'x'],
    [`山 ${'田'.repeat(50)}`, '田'.repeat(50), '山'],
    [`山 ${'田'.repeat(51)}`, '山', '田'.repeat(51)],
  ])('%#: %s', (name, ...names) => {
    expect(openId({ name })).toMatchObject({ names, found: SPLIT });
  });

  test.each<[string, string | null]>([
    ['Ada', 'Ada'],
    ['Dr.', 'Dr.'],
    [', Ada', 'Ada'],
    ['Lovelace,', 'Lovelace'],
    ['Lovelace, PhD', 'Lovelace'],
    ['Lovelace, \u0007', 'Lovelace'],
    ['山田太郎', '山田太郎'],
    ['ada lovelace@example.org', null],
    [' ', null],
    [', ', null],
    ['(Contoso)', null],
    [`${long(500)} ${long(500)}`, null],
    [words(51), null],
    [`x, ${words(50)}`, null],
    [`Ada Lovelace${'\u0301'.repeat(31)}`, null],
  ])('%#: not %j, which is a single word or no name', (name, first) => {
    expect(openId({ name }).found).toEqual([first === null ? null : 'name, single word', null]);
    const event = openIdEvent();
    event.idToken.otherClaims = { name };
    expect(getFirstName(v.parse(OpenIdUserLoggedInEvent, event))).toBe(first);
    expect(getLastName(v.parse(OpenIdUserLoggedInEvent, event))).toBeNull();
  });
});

describe('one half is taken off a full name', () => {
  test.each<[family: string, name: string, first: string]>([
    ['García López', 'Ana María García López', 'Ana María'],
    ['Halvorsen', 'Halvorsen Mira', 'Mira'],
    ['halvorsen', 'Mira HALVORSEN', 'Mira'],
    ['Garcia', 'Ana  María García', 'Ana María'],
    ['van der Berg', 'Jean Claude van der Berg', 'Jean Claude'],
    ['Strauss', 'Johann Strauß', 'Johann'],
    ['OBrien', 'Conan O’Brien', 'Conan'],
    ['García', 'García García', 'García'],
    ['Lovelace', 'Lovelace, Ada Maria', 'Ada Maria'],
    ['Lovelace', 'Lovelace King, Ada', 'Ada'],
    ['Beethoven', 'van Beethoven, Ludwig', 'Ludwig'],
    ['Lovelace', 'Ada Lovelace, Mathematics', 'Ada'],
    ['Lovelace', 'Ada, Lovelace', 'Ada'],
    ['King', 'Martin Luther King Jr.', 'Martin Luther'],
    ['King Jr.', 'Martin Luther King, Jr.', 'Martin Luther'],
    ['King', 'King Jr., Martin Luther', 'Martin Luther'],
    ['King', 'Martin Luther King Holiday', 'Martin Luther'],
    ['Dr. Lovelace', 'Dr. Ada Lovelace, PhD', 'Ada'],
    ['M. Lovelace', 'Ada M. Lovelace', 'Ada'],
    ['Lovelace', 'Ada M. Lovelace', 'Ada M.'],
    ['山田', '山田太郎', '太郎'],
    ['山', '山田山', '田山'],
    ['ラブレス', 'エイダ・ラブレス', 'エイダ'],
    ['ハ\u3099', 'バタロー', 'タロー'],
    ['김', '김 철수', '철수'],
    ['金', '金 太 金', '太 金'],
    ['金', '太 金 子', '子'],
  ])('the family name %s off %s', (family_name, name, first) => {
    expect(openId({ family_name, name })).toMatchObject({
      names: [first, family_name],
      found: [WITHOUT_FAMILY, 'family_name'],
    });
  });

  test.each<[given: string, name: string, last: string]>([
    ['Jean Claude', 'Jean Claude van der Berg', 'van der Berg'],
    ['Ana María', 'García López Ana María', 'García López'],
    ['Ada', 'Lovelace, Ada Maria', 'Lovelace'],
    ['Maria', 'Lovelace, Ada Maria', 'Lovelace'],
    ['Ada', 'Ada Lovelace, Mathematics', 'Lovelace'],
    ['Ada', 'Ada, Lovelace', 'Lovelace'],
    ['Ada', 'Dr. Ada Lovelace', 'Lovelace'],
    ['Ada', 'Augusta Ada Lovelace', 'Lovelace'],
    ['Luther', 'Martin Luther King Jr.', 'King Jr.'],
    ['Martin Luther', 'King Jr., Martin Luther', 'King Jr.'],
    ['Martin', 'King Martin Jr.', 'King Jr.'],
    ['John', 'John R. J.-P. Tolkien', 'Tolkien'],
    ['John', 'Doe M. John', 'Doe M.'],
    ['Ada', 'Ada L.', 'L.'],
    ['Ada', 'Augusta Ada L. Lovelace', 'Lovelace'],
    ['太郎', '山田太郎', '山田'],
    ['山', '山田山', '山田'],
    ['太郎', '太郎山田', '山田'],
    ['철수', '김 철수', '김'],
    ['子', '太 子 金', '太'],
  ])('the given name %s off %s', (given_name, name, last) => {
    expect(openId({ given_name, name })).toMatchObject({
      names: [given_name, last],
      found: ['given_name', WITHOUT_GIVEN],
    });
  });

  test.each<[Person, Names, string[]]>([
    // The name does not have the half: it is split.
    [{ given_name: 'Bob', name: 'Robert Smith' }, ['Bob', 'Smith'], ['given_name', 'name, split']],
    [{ family_name: 'King', name: 'Ada Lovelace' }, ['Ada', 'King'], ['name, split', 'family_name']],
    [{ family_name: '山', name: 'Ada Lovelace' }, ['Ada', '山'], ['name, split', 'family_name']],
    // And no word of the half comes twice.
    [
      { family_name: 'García López', name: 'García Ana' },
      ['Ana', 'García López'],
      ['name, split', 'family_name'],
    ],
    [{ given_name: 'Ana Sofía', name: 'López Ana' }, ['Ana Sofía', 'López'], ['given_name', 'name, split']],
    [
      { given_name: 'Ana Sofía', name: 'López Pérez, Ana' },
      ['Ana Sofía', 'López Pérez'],
      ['given_name', 'name, split'],
    ],
    [{ family_name: 'a@b', name: 'Ada Lovelace' }, ['Ada', 'a@b'], ['name, split', 'family_name']],
    // A single word is a first name.
    [{ family_name: 'Lovelace', name: 'ada' }, ['ada', 'Lovelace'], ['name, single word', 'family_name']],
    [
      { family_name: 'Suharto', name: 'Suharto' },
      ['Suharto', 'Suharto'],
      ['name, single word', 'family_name'],
    ],
    [{ family_name: 'Yamada', name: '山田' }, ['山田', 'Yamada'], ['name, single word', 'family_name']],
  ])('%j: or it is not there', (claims, names, found) => {
    expect(openId(claims)).toMatchObject({ names, found });
  });

  test('none is taken off a single word', () => {
    expect(openId({ given_name: 'Ada', name: 'Lovelace' }).found).toEqual(['given_name', null]);
    expect(openId({ given_name: 'Ada', name: 'Ada' }).found).toEqual(['given_name', null]);
    expect(openId({ given_name: '太郎', name: '太郎' }).found).toEqual(['given_name', null]);
  });

  test.each<[Person, Names]>([
    [{ given_name: 'Augusta', family_name: 'King', name: 'Ada Lovelace' }, ['Augusta', 'King']],
    [{ given_name: ' \u200fAda\u200b', family_name: '\ufeffLovelace\n' }, ['Ada', 'Lovelace']],
    [{ given_name: 'Ada', family_name: 'Lovelace', name: 'Ada' }, ['Ada', 'Lovelace']],
    [{ given_name: 'Ada', family_name: 'Lovelace', name: 'Lovelace' }, ['Ada', 'Lovelace']],
    [{ given_name: 'Maria Grazia', family_name: 'Rossi', name: 'Maria Grazia' }, ['Maria Grazia', 'Rossi']],
    [{ given_name: 'Camille', usual_name: 'Martin' }, ['Camille', 'Martin']],
    [{ given_name: 'Camille', family_name: 'Petit', usual_name: 'Martin' }, ['Camille', 'Petit']],
  ])('nor over one that arrived: %j', (claims, names) => {
    expect(openId(claims).names).toEqual(names);
  });
});

describe('a half that is a full name', () => {
  test.each<[Person, Names, string[]]>([
    [{ given_name: 'Mira Halvorsen', name: 'Mira Halvorsen' }, ['Mira', 'Halvorsen'], SPLIT],
    [{ given_name: 'Mira Halvorsen', name: 'Dr. HALVORSEN, Mira (x)' }, ['Mira', 'HALVORSEN'], SPLIT],
    [{ family_name: 'Mira Halvorsen', name: 'Mira Halvorsen' }, ['Mira', 'Halvorsen'], SPLIT],
    [
      { given_name: 'Mira Halvorsen', family_name: 'Mira Halvorsen', name: 'Mira Halvorsen' },
      ['Mira', 'Halvorsen'],
      SPLIT,
    ],
    [
      { given_name: 'Mira Halvorsen', family_name: 'Halvorsen', name: 'Mira Halvorsen' },
      ['Mira', 'Halvorsen'],
      [WITHOUT_FAMILY, 'family_name'],
    ],
    [
      { given_name: 'Ana María', family_name: 'Ana María García López', name: 'Ana María García López' },
      ['Ana María', 'García López'],
      ['given_name', WITHOUT_GIVEN],
    ],
    [
      { given_name: 'Bob', family_name: 'Robert Smith', name: 'Robert Smith' },
      ['Bob', 'Smith'],
      ['given_name', 'name, split'],
    ],
    [
      { given_name: '太郎', family_name: '山田太郎', name: '山田太郎' },
      ['太郎', '山田'],
      ['given_name', WITHOUT_GIVEN],
    ],
    [{ family_name: '山田', name: '山田' }, ['山田', '山田'], ['name, single word', 'family_name']],
  ])('is none: %j', (claims, names, found) => {
    expect(openId(claims)).toMatchObject({ names, found });
  });

  test('is one where another full name has it as a part', () => {
    const person = { displayName: 'García López', cn: 'Ana García López', sn: 'García López' };
    expect(saml(person)).toMatchObject({
      names: ['Ana', 'García López'],
      found: ['Name cn, the rest beside the family name', 'Name sn'],
    });
  });
});

describe('in an assertion', () => {
  const EIDAS = 'http://eidas.europa.eu/attributes/naturalperson';
  test.each<[Person, Names, string[]]>([
    [
      { cn: 'Mira Halvorsen', sn: 'Halvorsen' },
      ['Mira', 'Halvorsen'],
      ['Name cn, the rest beside the family name', 'Name sn'],
    ],
    [
      { cn: 'Augusta King', displayName: 'Ada Lovelace' },
      ['Ada', 'Lovelace'],
      ['Name displayName, split', 'Name displayName, split'],
    ],
    [{ displayName: 'ada', cn: 'Ada Lovelace' }, ['Ada', 'Lovelace'], ['Name cn, split', 'Name cn, split']],
    [
      { displayName: 'ada', cn: 'Ada Lovelace', sn: 'Lovelace' },
      ['Ada', 'Lovelace'],
      ['Name cn, the rest beside the family name', 'Name sn'],
    ],
    [
      { displayName: 'Bob Smith', cn: 'Robert King', sn: 'King' },
      ['Robert', 'King'],
      ['Name cn, the rest beside the family name', 'Name sn'],
    ],
    [
      { 'urn:mace:dir:attribute-def:cn': 'A B', 'urn:mace:dir:attribute-def:displayName': 'C D' },
      ['C', 'D'],
      [],
    ],
    [
      { [`${EIDAS}/CurrentGivenName`]: 'Ada', [`${EIDAS}/CurrentFamilyName`]: 'Lovelace' },
      ['Ada', 'Lovelace'],
      [],
    ],
    [{ CurrentGivenName: 'Ada', CurrentFamilyName: 'Lovelace' }, ['Ada', 'Lovelace'], []],
    [
      { '~FirstName': 'Ada', '~FamilyName': 'Lovelace' },
      ['Ada', 'Lovelace'],
      ['FriendlyName firstName', 'FriendlyName familyName'],
    ],
    [{ givenName: 'Camille', usual_name: 'Martin' }, ['Camille', 'Martin'], []],
    // SPID
    [
      { name: '\n\tMario\n', familyName: '\n Rossi ' },
      ['Mario', 'Rossi'],
      ['Name name, the given name', 'Name familyName'],
    ],
    [
      { name: 'Maria Grazia', familyName: 'Rossi' },
      ['Maria Grazia', 'Rossi'],
      ['Name name, the given name', 'Name familyName'],
    ],
    [{ name: 'Maria Rossi Grazia', familyName: 'Rossi' }, ['Maria Rossi Grazia', 'Rossi'], []],
    [
      { name: 'Maria Grazia Rossi', familyName: 'Rossi' },
      ['Maria Grazia', 'Rossi'],
      ['Name name, the rest beside the family name', 'Name familyName'],
    ],
    [{ name: 'Rossi Maria Grazia', familyName: 'ROSSI' }, ['Maria Grazia', 'ROSSI'], []],
    [
      { name: 'Maria Grazia', familyName: 'Rossi', displayName: 'Anna Bianchi' },
      ['Anna', 'Rossi'],
      ['Name displayName, split', 'Name familyName'],
    ],
    [{ name: 'Maria Grazia', sn: 'Rossi' }, ['Maria', 'Rossi'], []],
    [{ name: 'Maria Grazia', '~familyName': 'Rossi' }, ['Maria', 'Rossi'], []],
    [
      { name: 'Maria Grazia', givenName: 'Maria Grazia', familyName: 'Rossi' },
      ['Maria Grazia', 'Rossi'],
      ['Name givenName', 'Name familyName'],
    ],
    // Several values have no order.
    [{ sn: ['King', 'Lovelace'], displayName: 'Ada Lovelace' }, ['Ada', 'Lovelace'], []],
    [{ givenName: ['Augusta', 'Ada'], sn: 'Lovelace', displayName: 'Ada Lovelace' }, ['Ada', 'Lovelace'], []],
    [{ givenName: ['Augusta', 'Ada'], sn: 'Lovelace' }, ['Augusta', 'Lovelace'], []],
    [
      { givenName: [' ', 'Ada Lovelace', 'Augusta'], sn: 'King', displayName: 'Ada Lovelace' },
      ['Augusta', 'King'],
      [],
    ],
    [{ sn: 'King', lastName: 'Lovelace', displayName: 'Ada Lovelace' }, ['Ada', 'King'], []],
    [
      { sn: [...Array.from({ length: 9 }, () => 'x'), 'Lovelace'], displayName: 'Ada Lovelace' },
      ['Ada', 'Lovelace'],
      [],
    ],
    [
      { sn: [...Array.from({ length: 10 }, () => 'x'), 'Lovelace'], displayName: 'Ada King' },
      ['Ada', 'x'],
      [],
    ],
    [{ displayName: [...Array.from({ length: 9 }, () => 'x'), 'Ada Lovelace'] }, ['Ada', 'Lovelace'], []],
  ])('%#: %j', (attributes, names, found) => {
    const person = saml(attributes);
    expect(person.names).toEqual(names);
    if (found.length > 0) expect(person.found).toEqual(found);
    const event = v.parse(SamlUserLoggedInEvent, samlEventOf(attributes));
    expect([getFirstName(event), getLastName(event)]).toEqual(names);
  });

  test('more than ten full names are not read', () => {
    const displayName = [...Array.from({ length: 10 }, () => 'x'), 'Ada Lovelace'];
    expect(saml({ displayName }).found).toEqual(['Name displayName, single word', null]);
  });

  test.each<[Person, string | undefined]>([
    [{ givenName: 'Ada;Augusta', sn: 'Lovelace' }, 'joined'],
    [{ givenName: 'Ada, Augusta', sn: 'Lovelace' }, 'joined'],
    [{ givenName: 'Ada', sn: 'Lovelace' }, undefined],
    [{ givenName: 'Ada, PhD', sn: 'Lovelace' }, undefined],
    [{ displayName: 'Lovelace, Ada;Augusta' }, undefined],
  ])('%j: joined values are one text, with the note %s', (attributes, note) => {
    const { first_name } = saml(attributes).trace;
    expect(first_name?.note).toBe(note);
    expect(first_name?.hint).toEqual(note && expect.stringContaining('one Attribute'));
  });
});

describe('a mapping', () => {
  const ADA = { name: 'Ada King Lovelace', dn: 'Augusta Byron' };
  test.each<[Mapping, Person, Names]>([
    // A half of named sources has no others, unless a full name is named too.
    [{ first_name: ['n'], last_name: { from: ['m'], fallback: '-' } }, { n: 'X' }, ['X', '-']],
    [{ first_name: { from: ['n'], fallback: '-' } }, {}, ['-', 'Lovelace']],
    [{ first_name: { from: ['n'], fallback: '-' }, full_name: ['dn'] }, {}, ['Augusta', 'Byron']],
    [{ first_name: ['n'], full_name: ['dn'] }, { family_name: 'Augusta' }, ['Byron', 'Augusta']],
    [{ first_name: ['n', DEFAULTS] }, {}, ['Ada King', 'Lovelace']],
    [{ first_name: [DEFAULTS, 'n'] }, { n: 'X' }, ['X', 'Lovelace']],
    [{ first_name: { fallback: '-' } }, { name: '' }, ['-', 'Lovelace']],
    [{ full_name: ['dn', DEFAULTS] }, { dn: '' }, ['Ada King', 'Lovelace']],
    [{ full_name: ['dn'], last_name: { fallback: '-' } }, { dn: 'Ada' }, ['Ada', '-']],
    // What has the name of a half, says the mapping, is one.
    [{ first_name: ['name'] }, { family_name: 'L' }, ['Ada King Lovelace', 'L']],
    [{ issuers: { 'https://idp.example.org': { full_name: ['dn'] } } }, {}, ['Augusta', 'Byron']],
  ])('%j of %j', (mapping, claims, [first, last]) => {
    const family =
      last === 'Lovelace' && !claims.family_name && claims.name === '' ? { family_name: last } : {};
    expect(openId({ ...ADA, ...family, ...claims }, mapping).names).toEqual([first, last]);
  });

  test('takes a full name from the NameID, and what a named one has is a full name', () => {
    expect(saml({}, { full_name: [NAME_ID], last_name: { fallback: '-' } }).names).toEqual([
      '_name-id-1',
      '-',
    ]);
    const spid = { name: 'Maria Grazia', familyName: 'Rossi' };
    expect(saml(spid, { full_name: ['name'] }).names).toEqual(['Maria', 'Rossi']);
    expect(saml(spid, { first_name: ['name'], last_name: ['familyName'] }).names).toEqual([
      'Maria Grazia',
      'Rossi',
    ]);
  });

  test('names what was tried, and where the text stands at level DEBUG', () => {
    const { trace } = saml({ sn: 'Lovelace' }, { full_name: ['dn'], first_name: ['n'], last_name: ['sn'] });
    expect(trace.first_name).toEqual({ tried: ['n', 'dn'], found: null });
    expect(saml({ sn: 'L' }, { first_name: ['n'] }).trace.first_name).toEqual({ tried: ['n'], found: null });
  });

  test.each([{ fallback: '-' }, [], 'name'])('with the full name %j does not load', (full_name) => {
    expect(() => mapOpenIdLogin({ full_name } as never)).toThrow(MappingInvalid);
  });
});

describe('of any two names', () => {
  const word = fc.stringMatching(/^[A-ZÄÉ][a-zäéø]{1,8}(?:-[A-Z][a-z]{2,5})?$/);
  const given = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
  const particles = fc.constantFrom<string[]>([], ['van', 'der'], ['de', 'la'], ['von'], ['y']);
  const key = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  const people = fc
    .tuple(given, particles, given)
    .map(([first, before, last]) => [first, [...before, ...last]] as const)
    .filter(([first, last]) => new Set([...first, ...last].map(key)).size === first.length + last.length)
    .map((halves) => halves.map((words) => words.join(' ')) as [string, string]);
  const orders: Record<string, (first: string, last: string) => string> = {
    'given name first': (first, last) => `${first} ${last}`,
    'family name first': (first, last) => `${last} ${first}`,
    'with a comma': (first, last) => `${last}, ${first}`,
    'in capitals, with a title': (first, last) => `Dr. ${first} ${last}`.toUpperCase(),
  };

  test.each(Object.entries(orders))('%s, either is what the other leaves', (_, order) => {
    fc.assert(
      fc.property(people, ([first, last]) => {
        const name = readFullName(order(first, last)) as NonNullable<ReturnType<typeof readFullName>>;
        expect(key(withoutHalf(name, 'first_name', readHalf(first)) ?? '')).toBe(key(last));
        expect(key(withoutHalf(name, 'last_name', readHalf(last)) ?? '')).toBe(key(first));
      }),
    );
  });

  test('no word of a full name comes twice, and none is lost, whatever arrives beside it', () => {
    const wordsOf = (text: string) => text.split(/[\s,]+/);
    const half = fc.option(
      fc.oneof(
        people.map(([first]) => first),
        people.map(([, last]) => last),
      ),
      { nil: '' },
    );
    fc.assert(
      fc.property(
        people,
        fc.constantFrom(...Object.values(orders)),
        half,
        half,
        ([first, last], order, one, other) => {
          const full = order(first, last);
          for (const halves of [
            { given_name: first },
            { family_name: last },
            { given_name: full, family_name: last },
            { given_name: first, family_name: full },
            { given_name: full },
            { family_name: full },
            {},
          ]) {
            const { names } = openId({ name: full, ...halves });
            const words = names.flatMap((text) => wordsOf(text ?? '')).map(key);
            expect(words.toSorted()).toEqual([...wordsOf(first), ...wordsOf(last)].map(key).toSorted());
          }
          const { names } = openId({ name: full, given_name: one, family_name: other });
          if (one !== '') expect(names[0]).toBe(one);
          if (other !== '') expect(names[1]).toBe(other);
        },
      ),
    );
  });

  test('any text is split into texts of its own words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, known) => {
        const name = readFullName(text);
        if (!name) return;
        const { first_name, last_name } = splitFullName(name);
        for (const one of [first_name, last_name, withoutHalf(name, 'last_name', readHalf(known))])
          expect(text.normalize('NFC')).toEqual(
            expect.stringContaining(one?.split(' ')[0]?.normalize('NFC') ?? ''),
          );
      }),
    );
  });
});
