/** The search for a person; and of generated people, nothing is left in any encoding, and pseudonyms are equal where texts are. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PersonSearch } from '../../tools/keep/person.ts';
import { Pseudonyms } from '../../tools/keep/pseudonyms.ts';
import { claimsOf, eventOf, plan, seeded, writtenText } from './answering.ts';

const RUNS = { numRuns: 20, seed: 20_261_121 };
const MOMENT = Date.UTC(2026, 10, 21);

/** Letters of several scripts; long enough that no pseudonym is like it by chance. */
const word = (units: string, minLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(units)), minLength, maxLength: 12 });
const name = fc.oneof(
  word('qwxzyjkQWXZYaeiouäöüßøéñç', 4),
  word('абвгдежзийклмн', 4),
  word('山川田木林森石水', 2),
  word('אבגדהוזחט', 4),
);
const identifier = word('abcdef0123456789-', 9);
const person = fc.record({ first: name, last: name, account: word('qwxzyjk.7', 5), id: identifier });
type Person = typeof person extends fc.Arbitrary<infer TPerson> ? TPerson : never;

/** In which a provider or a service may send a text. */
const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  encodeURIComponent,
  (text) => Buffer.from(`user:${text}`).toString('base64'),
  (text) => Buffer.from(`{"u":"${text}"}`).toString('base64url'),
  (text) => Buffer.from(text).toString('hex'),
];

function loginOf({ first, last, account, id }: Person, names: string[]) {
  return eventOf(
    {
      email: `${account}@mail.org`,
      name: `${first} ${last}`,
      given_name: first,
      family_name: last,
      picture: `https://pictures.org/${encodeURIComponent(last)}/${id}?of=${encodeURIComponent(first)}`,
      nickname: `${last}, ${first}`,
      groups: [`CN=${first},OU=${id},DC=org`, `/teams/${account}`],
      address: { formatted: [first, { [last]: id }] },
      profile: Buffer.from(JSON.stringify({ first, last })).toString('base64'),
      roles: names,
      entitlements: names.toReversed(),
    },
    { sub: id },
  );
}

function leavesOf(value: unknown): string[] {
  return Object(value) === value ? Object.values(Object(value)).flatMap(leavesOf) : [String(value)];
}

test('nothing of a person is in what would be written; equal texts have equal pseudonyms, others and other runs do not', async () => {
  await fc.assert(
    fc.asyncProperty(person, fc.array(name), fc.integer(), async (one, names, seed) => {
      const [kept, other] = await Promise.all(
        [seed, seed + 1].map((random) => plan(loginOf(one, names), { random: seeded(random) })),
      );
      expect(kept?.blockers).toEqual([]);
      const written = writtenText(kept as never).toLowerCase();
      for (const text of Object.values(one))
        for (const encode of ENCODINGS.slice(0, 5)) expect(written).not.toContain(encode(text).toLowerCase());

      const claims = claimsOf(kept?.event) as unknown as Record<string, string[]>;
      expect(claims.entitlements?.toReversed()).toEqual(claims.roles);
      expect(new Set(claims.roles).size).toBe(new Set(names).size);

      const stays = new Set(kept?.kept.map(({ text }) => text));
      const others = new Set(leavesOf(claimsOf(other?.event)));
      expect(leavesOf(claims).filter((text) => others.has(text) && !stays.has(text))).toEqual([]);
    }),
    RUNS,
  );
});

test('the search finds a person in each encoding, and in no pseudonym', () => {
  fc.assert(
    fc.property(name, name, fc.array(identifier), fc.integer(), (first, last, ids, seed) => {
      const search = new PersonSearch([first, `${first} ${last}`, ...ids]);
      for (const encode of ENCODINGS)
        for (const text of [first, last]) expect([text, search.finds(encode(text))]).toEqual([text, true]);
      const pseudonyms = new Pseudonyms(MOMENT, (text) => search.finds(text), seeded(seed));
      for (const text of [first, last, ...ids]) expect(search.finds(pseudonyms.of(text))).toBe(false);
    }),
    RUNS,
  );
});

const encoded = (text: string, encoding: BufferEncoding) => Buffer.from(text).toString(encoding);

test.each<[string, text: string, found: string]>([
  ['a number of four digits', '1815', 'x1815'],
  ['words in another order among others', 'Bo Xu', 'of xu bo or'],
  ['words together in the other order', 'Bo Xu', 'xubo'],
  ['words that have a comma between them', 'Xu, Bo', 'of xu bo or'],
  ['words too short to be found together', 'Bo X', 'by x.bo'],
  ['eight words', 'a b c d e f g h', 'h g f e d c b a'],
  ['the last word first', 'a b c d e f g h', 'habcdefg'],
  ['a transliteration', 'Müller', 'MUELLER'],
  ['a letter without its stroke', 'Łódź', 'lodz'],
  ...Object.entries({ æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŋ: 'n' }).map(
    ([letter, plain]): [string, string, string] => [`${letter} as ${plain}`, `${letter}xxx`, `${plain}xxx`],
  ),
  ...Object.entries({ ä: 'ae', ö: 'oe', ø: 'oe', å: 'aa' }).map(
    ([letter, plain]): [string, string, string] => [`${letter} as ${plain}`, `x${letter}xx`, `x${plain}xx`],
  ),
  ['Base64 behind other characters', 'Lovelace', `qqq${encoded('lovelace', 'base64')}`],
])('the search finds %s', (_, text, found) => expect(new PersonSearch([text]).finds(found)).toBe(true));

test.each<[string, text: string, other: string]>([
  ['words of three letters', 'Ada', 'ada'],
  ['one character of another script', '山 田', '山'],
  ['nine words in another order', 'a b c d e f g h i', 'i h g f e d c b a'],
  ['words of URLs and domains', 'https http example', 'https://x.example http:'],
  ['parts of another moment', '2026', '2026-11-21T10:00:00Z'],
])('the search does not find %s', (_, text, other) => {
  expect(new PersonSearch([text]).finds(other)).toBe(false);
});

test.each([
  [['adaq'], 'login-of-adaq', true],
  [['Lovelace'], 'by-alovelace', true],
  [['Adaq'], 'ad-aq', true],
  [['staffq'], 'staffqing', true],
  [['staff', 'Lovelace'], 'xstaff', false],
  [['Li Wei'], 'keycloak-li-wei', true],
  [['Ada'], 'ada', false],
])('%j is told by the name %s of a sample: %s', (texts, name, isTold) => {
  expect(new PersonSearch(texts).isToldBy(name)).toBe(isTold);
});
