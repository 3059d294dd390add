/** The names of people: what arrives, which two names are made of it, and how. */
import { describe, expect, test } from '@jest/globals';
import type { AuthorizedUserResponse } from '../../lib/profile/response.ts';
import { type Mapping, MappingInvalid } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS } from '../../lib/profile/schema/profileFields.ts';
import { mapOpenIdLogin } from '../../lib/sdk.ts';
import { attribute } from '../support/wire.ts';
import { openId as openIdLogin, samlOf } from './decided.ts';

/** Null where the login is refused. */
type Names = [first: string | null, last: string | null];

/** By the name of a claim or attribute; a list has several values. */
type Person = Record<string, string | string[]>;

const SPLIT = ['name, split', 'name, split'];
const [SMITH, MARIA] = ['Robert Smith', 'Maria Grazia'];
const WITHOUT_FAMILY = 'name, the rest beside the family name';
const WITHOUT_GIVEN = 'name, the rest beside the given name';

const NONE: Names = [null, null];

const long = (length: number) => 'x'.repeat(length);
const tenOf = (text: string) => Array.from({ length: 10 }, () => text);

function openId(claims: Person, mapping: Mapping = {}) {
  return namesOf(openIdLogin(mapping, { given_name: '', family_name: '', ...claims }));
}

function saml(attributes: Person, mapping: Mapping = {}, ...others: ReturnType<typeof attribute>[]) {
  const sent = Object.entries({ mail: 'ada@example.org', ...attributes }).flatMap(([name, values]) =>
    [values].flat().map((value) => attribute(name, value)),
  );
  return namesOf(samlOf(mapping, [...sent, ...others]));
}

function namesOf({ response, trace: { fields } }: ReturnType<typeof samlOf>) {
  const { first_name = null, last_name = null } = response as Partial<AuthorizedUserResponse>;
  return {
    names: [first_name, last_name],
    found: [fields.first_name?.found, fields.last_name?.found],
    trace: fields.first_name,
  };
}

describe('a full name is split', () => {
  test.each<[string, ...Names]>([
    ['Ada King  Lovelace', 'Ada King', 'Lovelace'],
    ['Ada\nKing\r\nLovelace', 'Ada King', 'Lovelace'],
    [' Lovelace, Ada King ', 'Ada King', 'Lovelace'],
    ['Lovelace,, Ada', 'Ada', 'Lovelace'],
    // Titles, degrees, and what stands beside the name.
    ['Prof. Dr.-Ing. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Dipl.-Ing. Dr. rer. nat. Ada Lovelace [extern]', 'Ada', 'Lovelace'],
    ['Univ.-Prof. Mag. Dr. med. vet. Dr. h. c. Ada Lovelace', 'Ada', 'Lovelace'],
    ['PD Dr. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Mag.Dr. Ada jun. Lovelace', 'Ada jun.', 'Lovelace'],
    ['Univ.Prof. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Mag.a Dr.in Ada Lovelace', 'Ada', 'Lovelace'],
    ['Dr.A Kumar', 'A', 'Kumar'],
    ['Dott. Mario Rossi', 'Mario', 'Rossi'],
    ['Prof.ssa Dott.ssa Maria Rossi', 'Maria', 'Rossi'],
    ['Dr In Ho Kim', 'In Ho', 'Kim'],
    ['Mr. A Person', 'A', 'Person'],
    ['Dr. rer.nat. h.c. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Dipl.-Wirt.-Inf. Ada Lovelace', 'Ada', 'Lovelace'],
    ['Dr. J. K. Lovelace', 'J. K.', 'Lovelace'],
    ['theol. Ada Lovelace', 'theol. Ada', 'Lovelace'],
    ['Ada Lovelace|Contoso', 'Ada', 'Lovelace'],
    ['Ada Lovelace｜Contoso', 'Ada', 'Lovelace'],
    ['Ada Lovelace =)', 'Ada', 'Lovelace'],
    ['doc. RNDr. Jana Nováková, CSc.', 'Jana', 'Nováková'],
    ['Mira Halvorsen (Contoso (Berlin))', 'Mira', 'Halvorsen'],
    ['Halvorsen, Mira (Department of Math', 'Mira', 'Halvorsen'],
    ['【公司】王 小明', '小明', '王'],
    ['Alexandr. Novák', 'Alexandr.', 'Novák'],
    ['Ada Lovelace 🌴 2', 'Ada', 'Lovelace'],
    ['Lovelace, 🌴', '🌴', 'Lovelace'],
    ['Ada 2', 'Ada', '2'],
    ['Lovelace, Dr. Ada', 'Ada', 'Lovelace'],
    ['Mira Halvorsen, Ph. D., MD', 'Mira', 'Halvorsen'],
    ['Mira Halvorsen, PhD MSc', 'Mira', 'Halvorsen'],
    ['Mira Halvorsen PhD', 'Mira', 'Halvorsen'],
    ['Mira MSc', 'Mira', 'MSc'],
    ['Mira Halvorsen PHD', 'Mira Halvorsen', 'PHD'],
    ['Abdur Rahman MD', 'Abdur Rahman', 'MD'],
    ['Rahman, MDina', 'MDina', 'Rahman'],
    // A suffix stays with the family name.
    ['JOHN JOHNSON SR', 'JOHN', 'JOHNSON SR'],
    ['John Johnson, Jr.', 'John', 'Johnson Jr.'],
    ['John Johnson II', 'John', 'Johnson II'],
    ['Ana Maria VIII', 'Ana Maria', 'VIII'],
    ['Ana Sril', 'Ana', 'Sril'],
    // Words in capitals that stand together beside others are the family name.
    ['HALVORSEN Mira', 'Mira', 'HALVORSEN'],
    ['LI Wei', 'Wei', 'LI'],
    ['ABCDEF. Jana Nováková', 'ABCDEF. Jana', 'Nováková'],
    ['LÊ Văn Minh', 'Văn Minh', 'LÊ'],
    ['Juan DE LA CRUZ', 'Juan', 'DE LA CRUZ'],
    ['Ana JP HALVORSEN', 'Ana JP', 'HALVORSEN'],
    // Words in capitals apart from each other, or no others, say nothing.
    ['MIRA Sofie HALVORSEN', 'MIRA Sofie', 'HALVORSEN'],
    ['JP Morgan', 'JP', 'Morgan'],
    ['J.PA Brown', 'J.PA', 'Brown'],
    ['PA. Brown', 'PA.', 'Brown'],
    // Particles in small letters belong to the family name, where anything else is left.
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Jan v.d. Berg', 'Jan', 'v.d. Berg'],
    ['Jan van den Heuvel-de Vries', 'Jan', 'van den Heuvel-de Vries'],
    ['Maria von der Berg Jr.', 'Maria', 'von der Berg Jr.'],
    ['van den BERG Jan Piet', 'Jan Piet', 'van den BERG'],
    ['Berg, Jan Piet van den', 'Jan Piet', 'van den Berg'],
    ['Berg, van den', 'van den', 'Berg'],
    ['ana de la cruz', 'ana', 'de la cruz'],
    ['Nguyen Van An', 'Nguyen Van', 'An'],
    // Families first, in Han, Kana and Hangul.
    ['認証 太郎', '太郎', '認証'],
    ['認証 Taro', '認証', 'Taro'],
    // Without white space, where it can be told.
    ['홍길동', '길동', '홍'],
    ['홍길동 (Gildong Hong)', '길동', '홍'],
    ['Chloé Müller', 'Chloé', 'Müller'],
    // Ends without ink.
    [`${long(249)} ${long(250)}`, long(249), long(250)],
  ])('%#: %s', (name, ...names) => {
    expect(openId({ name })).toMatchObject({ names, found: SPLIT });
  });

  test.each<[string, string | null]>([
    ['Ada', 'Ada'],
    ['남궁민수', '남궁민수'],
    ['王小明', '王小明'],
    ['(Contoso)', null],
    ['CONTOSO\\ada', null],
    ['CN=Ada Lovelace,OU=Staff', null],
    ['Ada Lovelace ada@example.org', null],
    [`${long(250)} ${long(250)}`, null],
  ])('%#: not %j, which is a single word or no name', (name, first) => {
    const half = { from: [DEFAULTS], fallback: '-' };
    expect(openId({ name }, { first_name: half, last_name: half })).toMatchObject({
      names: [first ?? '-', '-'],
      found: [first === null ? 'fallback' : 'name, single word', 'fallback'],
    });
  });
});

describe('one half is taken off a full name', () => {
  test.each<[family: string, name: string, first: string]>([
    ['García López', 'Ana María García López', 'Ana María'],
    ['halvorsen', 'HALVORSEN Mira', 'Mira'],
    ['Smith-Jones', 'Ada Smith Jones', 'Ada'],
    ['Lovelace', 'Lovelace King, Ada', 'Ada'],
    ['Beethoven', 'van Beethoven, Ludwig', 'Ludwig'],
    ['lovelace', 'ada lovelace, mathematics', 'ada'],
    ['Beethoven', 'Beethoven, Ludwig van', 'Ludwig'],
    ['Lovelace', 'Ada Lovelace Contoso', 'Ada'],
    ['García', 'García Ana García', 'García Ana'],
    ['King Jr.', 'Martin Luther King, Jr.', 'Martin Luther'],
    ['山', '山田山', '田山'],
    ['山田', '太郎山田', '太郎'],
    ['김', '김 철수', '철수'],
  ])('the family name %s off %s', (family_name, name, first) => {
    expect(openId({ family_name, name })).toMatchObject({
      names: [first, family_name],
      found: [WITHOUT_FAMILY, 'family_name'],
    });
  });

  test.each<[given: string, name: string, last: string]>([
    ['Ana María', 'García López Ana María', 'García López'],
    ['Ana', 'Ana García Ana', 'García Ana'],
    ['Ada', 'Lovelace, Ada Maria', 'Lovelace'],
    ['Ada', 'Ada Lovelace, Mathematics', 'Lovelace'],
    ['Ada', 'Lovelace Ada, Mathematics', 'Lovelace'],
    ['Ada', 'Ada, Lovelace', 'Lovelace'],
    ['Luther', 'Martin Luther King Jr.', 'King Jr.'],
    ['John', 'John R. R. St. Clair', 'St. Clair'],
    ['山', '山田山', '山田'],
    ['太郎', '太郎山田', '山田'],
    ['Søren', 'Soren Kierkegaard', 'Kierkegaard'],
    ['Minjun', 'Kim Min Jun', 'Kim'],
    ["N'Golo", 'N’Golo de la Cruz', 'de la Cruz'],
    ['Thordis', 'ÞÓRDÍS Jónsdóttir', 'Jónsdóttir'],
    // Each letter that is spelled otherwise.
    ['Thaeoedolhtd', 'ÞæŒÐøłĦŧĐ Lind', 'Lind'],
  ])('the given name %s off %s', (given_name, name, last) => {
    expect(openId({ given_name, name })).toMatchObject({
      names: [given_name, last],
      found: ['given_name', WITHOUT_GIVEN],
    });
  });

  test.each<[Person, Names, (string | null)[]]>([
    // The name does not have the half: it is split.
    [{ given_name: 'Bob', name: 'Robert Smith' }, ['Bob', 'Smith'], ['given_name', 'name, split']],
    [{ family_name: 'King', name: 'Ada Lovelace' }, ['Ada', 'King'], ['name, split', 'family_name']],
    [{ family_name: 'King Noel', name: 'Ada King' }, ['Ada', 'King Noel'], ['name, split', 'family_name']],
    [{ given_name: 'Bob', family_name: SMITH, name: SMITH }, ['Bob', 'Smith'], ['given_name', 'name, split']],
    [{ family_name: 'a@b', name: 'Ada Lovelace' }, ['Ada', 'a@b'], ['name, split', 'family_name']],
    // A single word is a first name, and none is taken off it.
    [{ given_name: '太郎', name: '太郎' }, NONE, ['given_name', null]],
    // Nothing is guessed over one that arrived.
    [
      { given_name: MARIA, family_name: 'Rossi', name: MARIA },
      [MARIA, 'Rossi'],
      ['given_name', 'family_name'],
    ],
    [{ given_name: 'Camille', usual_name: 'Martin' }, ['Camille', 'Martin'], ['given_name', 'usual_name']],
  ])('%j: or it is not there', (claims, names, found) => {
    expect(openId(claims)).toMatchObject({ names, found });
  });

  test.each<[Person, ...Names]>([
    [{ given_name: 'Halvorsen, Mira (x)', name: 'Dr. Mira Halvorsen' }, 'Mira', 'Halvorsen'],
    [{ family_name: 'Mira Halvorsen', name: 'Dr. Mira Halvorsen' }, 'Mira', 'Halvorsen'],
  ])('%j: a half that is a full name is none', (claims, ...names) => {
    expect(openId(claims)).toMatchObject({ names, found: SPLIT });
  });
});

describe('in an assertion', () => {
  const OF_SPID = ['Name name, the given name', 'Name familyName'];
  const OF_CN = ['Name cn, the rest beside the family name', 'Name sn'] as const;
  test.each<[Person, Names, ...found: (string | null)[]]>([
    [{ cn: 'A B', displayName: 'C D' }, ['C', 'D'], 'Name displayName, split', 'Name displayName, split'],
    [{ displayName: 'King Noel', cn: 'Ada King Noel', sn: 'King Noel' }, ['Ada', 'King Noel'], ...OF_CN],
    [{ displayName: 'Ada Noel', cn: 'x', sn: 'Ada Noel' }, ['Ada', 'Noel']],
    // SPID
    [
      { name: '\n\tMaria Rossi Grazia\n', familyName: '\n Rossi ' },
      ['Maria Rossi Grazia', 'Rossi'],
      ...OF_SPID,
    ],
    [{ name: 'Maria Grazia Rossi', familyName: 'Rossi' }, ['Maria Grazia', 'Rossi']],
    [{ name: 'Rossi Maria Grazia', familyName: 'Rossi' }, ['Maria Grazia', 'Rossi']],
    [{ name: 'Maria Grazia', familyName: 'Rossi @work' }, ['Maria Grazia', 'Rossi @work']],
    [{ name: 'Jr.', familyName: 'Jr.' }, NONE],
    [{ name: 'Maria Grazia', familyName: 'Rossi', displayName: 'Anna Bianchi' }, ['Anna', 'Rossi']],
    // Several values have no order.
    [{ sn: ['King', 'Lovelace'], displayName: 'Ada Lovelace' }, ['Ada', 'Lovelace']],
    [{ sn: 'King', lastName: 'Lovelace', displayName: 'Ada Lovelace' }, ['Ada', 'King']],
    [{ displayName: [...tenOf('x'), 'Ada Lovelace'] }, NONE, 'Name displayName, single word', null],
  ])('%#: %j', (attributes, names, ...found) => {
    expect(saml(attributes)).toMatchObject(found.length > 0 ? { names, found } : { names });
  });

  test('a half by its Name goes before one by FriendlyName', () => {
    const person = { sn: 'King', displayName: 'Ada Lovelace' };
    expect(saml(person, {}, attribute('urn:x', 'Lovelace', 'sn')).names).toEqual(['Ada', 'King']);
  });

  test.each<[string, string | undefined]>([
    ['Ada;Augusta', 'joined'],
    ['Ada', undefined],
    ['Ada, PhD', undefined],
  ])('%s: joined values are one text, with the note %s', (givenName, note) => {
    const { trace } = saml({ givenName, sn: 'Lovelace' });
    expect(trace?.note).toBe(note);
    expect(trace?.hint).toEqual(note && expect.stringContaining('one Attribute'));
  });
});

test.each([
  ['Mira Halvorsen;M. Halvorsen', 'joined'],
  ['Halvorsen, Mira', undefined],
])('the full name %s is one text, with the note %s', (cn, note) => {
  const { trace, names } = saml({ cn, sn: 'Halvorsen' });
  expect([trace?.note, names[1]]).toEqual([note, 'Halvorsen']);
});

describe('a mapping', () => {
  test.each<[Mapping, Person, Names]>([
    // A half of named sources has no others, unless a full name is named too.
    [{ first_name: ['n'], last_name: { from: ['m'], fallback: '-' } }, { n: 'X' }, ['X', '-']],
    [{ first_name: ['n'], full_name: ['dn'] }, { family_name: 'Augusta' }, ['Byron', 'Augusta']],
    [{ first_name: ['n', DEFAULTS] }, {}, ['Ada King', 'Lovelace']],
    // A full name is no half, unless there is no other half.
    [{ first_name: ['name'], last_name: { fallback: '-' } }, {}, ['Ada King', 'Lovelace']],
    [{ first_name: ['n'] }, { n: 'Augusta Byron' }, ['Augusta Byron', 'Lovelace']],
    [{ first_name: ['name'], last_name: ['name'] }, {}, ['Ada King', 'Lovelace']],
    [
      { first_name: ['name'], last_name: { from: ['m'], fallback: '-' } },
      { family_name: 'Lovelace' },
      ['Ada King Lovelace', '-'],
    ],
  ])('%j of %j', (mapping, claims, names) => {
    const person = { name: 'Ada King Lovelace', dn: 'Augusta Byron', ...claims };
    expect(openId(person, mapping).names).toEqual(names);
  });

  test('keeps two halves that are two full names', () => {
    const mapping = { first_name: ['cn'], last_name: ['displayName'] };
    expect(saml({ cn: 'Ada King', displayName: 'Bob Noel' }, mapping).names).toEqual([
      'Ada King',
      'Bob Noel',
    ]);
  });

  test('names what was tried', () => {
    expect(saml({}, { full_name: ['dn'], first_name: ['n'] }).trace?.tried).toEqual(['n', 'dn']);
    expect(saml({}, { first_name: ['n'] }).trace?.tried).toEqual(['n']);
  });

  test.each([{ fallback: '-' }, []])('with the full name %j does not load', (full_name) => {
    expect(() => mapOpenIdLogin({ full_name } as never)).toThrow(MappingInvalid);
  });
});
