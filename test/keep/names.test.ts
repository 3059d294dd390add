/** Names in every spelling in which providers send them: none survives, and what contained a name contains its stand-in. */
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';
import { engine, plan, writtenText } from './keeping.ts';

afterAll(() => engine.close());

const EXPANDED: Readonly<Record<string, string>> = {
  ü: 'ue',
  ö: 'oe',
  ä: 'ae',
  å: 'aa',
  ø: 'oe',
  ß: 'ss',
  æ: 'ae',
  ł: 'l',
};
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ß: 'ss', æ: 'ae', ł: 'l' };

/** In ASCII, as user names and addresses have it. */
function plain(text: string): string {
  const letters = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[øßæł]/g, (letter) => PLAIN[letter] ?? '');
  return letters.normalize('NFD').replace(/\p{M}/gu, '');
}

function expanded(text: string): string {
  return plain(
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[üöäåøßæł]/g, (letter) => EXPANDED[letter] ?? ''),
  );
}

/** Letters of which no stand-in is made are in each of them. */
const syllable = fc.constantFrom(
  'qüz',
  'xøl',
  'jeß',
  'zäq',
  'yañ',
  'whå',
  'hycz',
  'çeq',
  'łux',
  'xæj',
  'wyth',
  'zoq',
);
const word = fc.array(syllable, { minLength: 1, maxLength: 3 }).map((parts) => {
  const name = parts.join('');
  return name.charAt(0).toUpperCase() + name.slice(1);
});
const person = fc
  .record({
    given: word,
    family: word,
    isDecomposed: fc.boolean(),
    spelling: fc.constantFrom(plain, expanded),
  })
  .filter(
    ({ given, family }) => !plain(given).includes(plain(family)) && !plain(family).includes(plain(given)),
  );

/** What providers make of a name. */
function spellings(given: string, family: string, spell: (text: string) => string) {
  const [first, last] = [spell(given), spell(family)];
  return {
    address: `${first}.${last}@uni-${last}.example.org`,
    initial: `${first.charAt(0)}${last}`,
    joined: first + last,
    upper: `${family} ${given}`.toUpperCase(),
    group: `CN=${given} ${family},OU=${last},DC=example,DC=org`,
    path: `/people/${last}-${first}/team`,
    picture: `https://images.example.org/${encodeURIComponent(given)}/${first}_${last}.png`,
  };
}

function expectNothingOf(names: readonly string[], kept: Awaited<ReturnType<typeof plan>>) {
  const { readable } = writtenText(kept);
  const texts = [readable, decodeURIComponent(readable.replace(/%(?![0-9A-F]{2})/g, ''))].flatMap((text) => [
    plain(text),
    expanded(text),
  ]);
  const found = names
    .flatMap((name) => [plain(name), expanded(name)])
    .filter((name) => texts.some((text) => text.includes(name)));
  expect(found).toEqual([]);
}

test('of an ID token', async () => {
  await fc.assert(
    fc.asyncProperty(person, async ({ given, family, isDecomposed, spelling }) => {
      const form = (text: string) => (isDecomposed ? text.normalize('NFD') : text);
      const made = spellings(given, family, spelling);
      const event = openIdEvent();
      event.idToken.otherClaims = {
        name: form(`${given} ${family}`),
        given_name: form(given),
        family_name: form(family),
        email: made.address,
        preferred_username: made.initial,
        nickname: made.joined,
        display: made.upper,
        picture: made.picture,
        groups: [made.group, made.path],
        [made.joined]: { [family]: true },
      };
      const kept = await plan('openidLoggedIn', event);
      expect(kept.blockers).toEqual([]);
      expectNothingOf([given, family], kept);
      const claims = (kept.event as typeof event).idToken.otherClaims;
      const [first, last] = [String(claims.given_name), String(claims.family_name)];
      expect(claims.name).toBe(`${first} ${last}`);
      expect(first === first.normalize('NFC')).toBe(form(given) === form(given).normalize('NFC'));
      expect(claims.email).toBe(`${spelling(first)}.${spelling(last)}@${String(claims.email).split('@')[1]}`);
      expect(String(claims.email).split('@')[1]).toContain(spelling(last));
      expect(String(claims.preferred_username).slice(1)).toBe(spelling(last));
      expect(claims.nickname).toBe(spelling(first) + spelling(last));
      expect(claims.groups).toEqual([
        expect.stringMatching(
          new RegExp(`^CN=${first} ${last},OU=${spelling(last)},DC=\\w+,DC=\\w+$`.normalize('NFC'), 'u'),
        ),
        expect.stringContaining(`/${spelling(last)}-${spelling(first)}/`),
      ]);
    }),
    { numRuns: 60 },
  );
});

test('of an assertion whose values are joined', async () => {
  await fc.assert(
    fc.asyncProperty(person, async ({ given, family, spelling }) => {
      const made = spellings(given, family, spelling);
      const { assertion } = samlEvent([
        attribute('urn:oid:2.16.840.1.113730.3.1.241', `${family}, ${given}`, 'displayName'),
        attribute('mail', made.address),
        attribute('memberOf', `${made.group}${made.path}${made.joined}`),
        attribute(`https://${made.joined}.example/${family}`, made.upper, given),
      ]);
      assertion.assertionSubject.subjectNameID.nameIDValue = made.initial;
      assertion.assertionSubject.subjectNameID.nameIDQualifier = `https://${made.joined}.example`;
      const kept = await plan('samlLoggedIn', { assertion });
      expect(kept.blockers).toEqual([]);
      expectNothingOf([given, family], kept);
      expect(kept.expected?.answer).toMatchObject({ type: 'AuthorizedUserResponse' });
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['Cyrillic', 'Софья', 'Ковалевская', /^\p{Script=Cyrillic}+$/u],
  ['Greek', 'Υπατία', 'Αλεξανδρινή', /^\p{Script=Greek}+$/u],
  ['Han', '應', '吳健雄', /^\p{Script=Han}+$/u],
])('in %s letters has a stand-in in these', async (_, given, family, letters) => {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { given_name: given, family_name: family });
  const kept = await plan('openidLoggedIn', event);
  expect(kept.blockers).toEqual([]);
  const { first_name, last_name } = kept.expected?.answer ?? {};
  expect([first_name, last_name]).toEqual([expect.stringMatching(letters), expect.stringMatching(letters)]);
  expect(writtenText(kept).raw).not.toContain(family);
});

test('that are words of the stand-ins, and very short, are replaced too', async () => {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, {
    given_name: 'Bo',
    family_name: 'Li',
    email: 'bo.li@example.example',
  });
  const kept = await plan('openidLoggedIn', event);
  expect(kept.blockers).toEqual([]);
  expect(kept.expected?.answer).toMatchObject({
    first_name: expect.not.stringMatching(/^bo$/i),
    last_name: expect.not.stringMatching(/^li$/i),
    email: expect.not.stringMatching(/^bo\.li@/),
  });
});
