/** Of generated people: nothing of them is left in any encoding, and stand-ins are equal where texts are equal. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PersonSearch } from '../../tools/keep/person.ts';
import { Pseudonyms } from '../../tools/keep/pseudonyms.ts';
import { claimsOf, eventOf, plan, seeded, writtenText } from './answering.ts';

const RUNS = { numRuns: 100, seed: 20_261_121 };
const MOMENT = Date.UTC(2026, 10, 21);

/** Letters of several scripts; long enough that no stand-in is like it by chance. */
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
const ENCODINGS: readonly [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in capitals', (text) => text.toUpperCase()],
  ['in small letters', (text) => text.toLowerCase()],
  ['taken apart', (text) => text.normalize('NFD')],
  ['percent-encoded', encodeURIComponent],
  ['in Base64', (text) => Buffer.from(`user:${text}`).toString('base64')],
  ['in Base64 for URLs', (text) => Buffer.from(`{"u":"${text}"}`).toString('base64url')],
  ['in hexadecimal digits', (text) => Buffer.from(text).toString('hex')],
];

function loginOf({ first, last, account, id }: Person) {
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
    },
    { sub: id },
  );
}

test('nothing of a person is in what would be written, in any case, accents or encoding', async () => {
  await fc.assert(
    fc.asyncProperty(person, fc.integer(), async (one, seed) => {
      const kept = await plan(loginOf(one), { random: seeded(seed) });
      expect(kept.blockers).toEqual([]);
      const written = writtenText(kept).toLowerCase();
      for (const text of Object.values(one))
        for (const [, encode] of ENCODINGS.slice(0, 5))
          expect(written).not.toContain(encode(text).toLowerCase());
    }),
    RUNS,
  );
});

test('equal texts have equal stand-ins, different ones different ones, wherever they stand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 2, maxLength: 20 }), fc.integer(), async (names, seed) => {
      const login = eventOf({ email: 'ada@mail.org', groups: names, roles: names.toReversed() });
      const kept = await plan(login, { random: seeded(seed) });
      const { groups, roles } = claimsOf(kept.event) as unknown as Record<string, string[]>;
      expect(roles?.toReversed()).toEqual(groups);
      expect(new Set(groups).size).toBe(new Set(names.map((text) => text.trim())).size);
    }),
    RUNS,
  );
});

test('two runs share no stand-in', async () => {
  await fc.assert(
    fc.asyncProperty(person, fc.integer(), async (one, seed) => {
      const [first, second] = await Promise.all(
        [seed, seed + 1].map(async (random) => plan(loginOf(one), { random: seeded(random) })),
      );
      const stays = new Set(first?.kept.map(({ text }) => text));
      const texts = [first, second].map((kept) =>
        leavesOf(claimsOf(kept?.event)).filter((text) => !stays.has(text)),
      );
      expect(texts[0]?.filter((text) => texts[1]?.includes(text))).toEqual([]);
    }),
    RUNS,
  );
});

function leavesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : [String(value)];
}

describe('the search finds a person', () => {
  test.each(ENCODINGS)('%s', (_, encode) => {
    fc.assert(
      fc.property(name, name, (first, last) => {
        const search = new PersonSearch([first, `${first} ${last}`]);
        expect(search.finds(encode(first))).toBe(true);
        expect(search.finds(`a ${encode(last)} z`) || search.finds(`${encode(last)} ${encode(first)}`)).toBe(
          true,
        );
      }),
      RUNS,
    );
  });

  test('in no stand-in', () => {
    fc.assert(
      fc.property(fc.array(name), fc.array(identifier), fc.integer(), (names, ids, seed) => {
        const search = new PersonSearch([...names, ...ids]);
        const pseudonyms = new Pseudonyms(MOMENT, (text) => search.finds(text), seeded(seed));
        for (const text of [...names, ...ids]) expect(search.finds(pseudonyms.of(text))).toBe(false);
      }),
      RUNS,
    );
  });
});
