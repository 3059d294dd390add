/** Names: nothing is said twice, nothing is left out, and nothing is invented, whichever halves arrive. */
import fc from 'fast-check';
import { demand, invariant } from './invariant.ts';
import { mappings } from './situation.ts';

const GIVEN = ['Mira', 'Ana María', 'Jean Claude', 'Zoë', 'José', 'Anne-Marie', 'Đorđe'];
const FAMILY = ['Halvorsen', 'García López', 'van der Berg', 'de la Cruz', "O'Brien", 'Smith-Jones', 'Núñez'];
const ORDERS: readonly ((given: string, family: string) => string)[] = [
  (given, family) => `${given} ${family}`,
  (given, family) => `${family} ${given}`,
  (given, family) => `${family}, ${given}`,
];
/** What belongs to no half, and one in capitals. */
const DECORATIONS: readonly ((full: string) => string)[] = [
  (full) => `Dr. ${full}`,
  (full) => `Prof. Dr. ${full}`,
  (full) => `${full}, PhD`,
  (full) => `${full} (Physics)`,
  (full) => `${full} | Contoso`,
  (full) => `\u200b${full}\u200f `,
  (full) => full.replace(' ', '  '),
  (full) => full.toUpperCase(),
  (full) => full.normalize('NFD'),
];

interface Person {
  given: string;
  family: string;
  full: string;
}

const person = fc
  .tuple(fc.constantFrom(...GIVEN), fc.constantFrom(...FAMILY), fc.constantFrom(...ORDERS))
  .map(([given, family, order]): Person => ({ given, family, full: order(given, family) }));
const decorated = fc
  .tuple(person, fc.constantFrom(...DECORATIONS))
  .map(([person, decorate]): Person => ({ ...person, full: decorate(person.full) }));

type Halves = (person: Person) => { given_name?: string; family_name?: string };

const RIGHT: readonly Halves[] = [
  ({ given }) => ({ given_name: given }),
  ({ family }) => ({ family_name: family }),
];
/** Which halves arrive beside the full name, and how wrong they are. */
const HALVES: readonly Halves[] = [
  ...RIGHT,
  () => ({}),
  ({ given, family }) => ({ given_name: given, family_name: family }),
  ({ full }) => ({ given_name: full }),
  ({ full }) => ({ family_name: full }),
  ({ full, family }) => ({ given_name: full, family_name: family }),
  ({ full, given }) => ({ given_name: given, family_name: full }),
  ({ given }) => ({ given_name: given.toUpperCase() }),
  ({ family }) => ({ family_name: family.normalize('NFD').toLowerCase() }),
];

const { both } = await mappings();

/** What leaves. A half that is absent is said by nobody. */
async function namesOf(person: Person, halvesOf: Halves): Promise<[first: unknown, last: unknown][]> {
  const halves = { given_name: undefined, family_name: undefined, ...halvesOf(person) };
  const logins = await both({}, { name: person.full, ...halves });
  return logins.map(({ answer }) => [answer.first_name, answer.last_name]);
}

invariant(
  'names: no word is said twice, and none is invented',
  fc.tuple(fc.oneof(person, decorated), fc.constantFrom(...HALVES)),
  async ([person, halvesOf]) => {
    const known = wordsOf([person.full, person.given, person.family]);
    for (const names of await namesOf(person, halvesOf)) {
      demand(!names.includes(undefined), 'who has a full name has both halves');
      const said = wordsOf(names);
      demand(new Set(said).size === said.length, `a word is said twice: ${names}`);
      demand(new Set(said).isSubsetOf(new Set(known)), `a word is invented: ${names}`);
    }
  },
);
invariant(
  'names: the half that is known leaves the other one',
  fc.tuple(person, fc.constantFrom(...RIGHT)),
  async ([person, halvesOf]) => {
    for (const [first, last] of await namesOf(person, halvesOf))
      demand(first === person.given && last === person.family, `${person.full} is ${first} / ${last}`);
  },
);

/** Without case and diacritics. */
function wordsOf(names: readonly unknown[]): string[] {
  const folded = names
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/[\p{M}\u200b\u200f]/gu, '')
    .toLowerCase();
  return folded.split(/[\s,()|]+/).filter((word) => word !== '');
}
