/** Names: nothing is said twice, nothing is left out, and nothing is invented, whichever halves arrive. */
import fc from 'fast-check';
import type { Answer } from './functions.ts';
import { demand, invariant } from './invariant.ts';
import { mappings } from './situation.ts';

const GIVEN = ['Mira', 'Ana María', 'Jean Claude', 'Zoë', 'José', 'Anne-Marie', 'Đorđe'];
const FAMILY = [
  'Halvorsen',
  'García López',
  'van der Berg',
  'de la Cruz',
  "O'Brien",
  'Smith-Jones',
  'Núñez',
  'von Ahn',
];

interface Person {
  given: string;
  family: string;
  full: string;
}

const person = fc
  .record({
    given: fc.constantFrom(...GIVEN),
    family: fc.constantFrom(...FAMILY),
    order: fc.constantFrom('given first', 'family first', 'comma'),
  })
  .map(({ given, family, order }): Person => {
    if (order === 'given first') return { given, family, full: `${given} ${family}` };
    return { given, family, full: `${family}${order === 'comma' ? ',' : ''} ${given}` };
  });

/** What belongs to no half, and one in capitals. */
const decorated = fc
  .tuple(
    person,
    fc.constantFrom<(full: string) => string>(
      (full) => `Dr. ${full}`,
      (full) => `Prof. Dr. ${full}`,
      (full) => `${full}, PhD`,
      (full) => `${full} (Physics)`,
      (full) => `${full} | Contoso`,
      (full) => `\u200b${full}\u200f `,
      (full) => full.replace(' ', '  '),
      (full) => full.toUpperCase(),
      (full) => full.normalize('NFD'),
    ),
  )
  .map(([{ full, ...halves }, decorate]): Person => ({ ...halves, full: decorate(full) }));

/** Which halves arrive beside the full name, and how wrong they are. */
const HALVES: readonly ((person: Person) => { given_name?: string; family_name?: string })[] = [
  () => ({}),
  ({ given }) => ({ given_name: given }),
  ({ family }) => ({ family_name: family }),
  ({ given, family }) => ({ given_name: given, family_name: family }),
  ({ full }) => ({ given_name: full }),
  ({ full }) => ({ family_name: full }),
  ({ full, family }) => ({ given_name: full, family_name: family }),
  ({ full, given }) => ({ given_name: given, family_name: full }),
  ({ given }) => ({ given_name: given.toUpperCase() }),
  ({ family }) => ({ family_name: family.normalize('NFD').toLowerCase() }),
];

const halves = fc.constantFrom(...HALVES);

const { both } = await mappings();

/** A half that is absent is said by nobody. */
async function answersTo(full: string, { given_name, family_name }: ReturnType<(typeof HALVES)[0]>) {
  const logins = await both({}, { name: full, given_name, family_name });
  return logins.map(({ answer }) => answer);
}

invariant(
  'names: no word is said twice, and none is invented',
  fc.tuple(fc.oneof(person, decorated), halves),
  async ([person, halvesOf]) => {
    for (const answer of await answersTo(person.full, halvesOf(person))) {
      demand(answer.type === 'AuthorizedUserResponse', 'who has a full name has both halves');
      const said = [...wordsOf(answer.first_name), ...wordsOf(answer.last_name)];
      const known = wordsOf(`${person.full} ${person.given} ${person.family}`);
      demand(new Set(said).size === said.length, `a word is said twice: ${nameOf(answer)}`);
      demand(
        said.every((word) => known.includes(word)),
        `a word is invented: ${nameOf(answer)}`,
      );
    }
  },
);
invariant(
  'names: the half that is known leaves the other one',
  fc.tuple(person, fc.constantFrom('given_name', 'family_name')),
  async ([{ given, family, full }, known]) => {
    const half = known === 'given_name' ? { given_name: given } : { family_name: family };
    for (const answer of await answersTo(full, half)) {
      demand(
        answer.first_name === given && answer.last_name === family,
        `${full} with ${JSON.stringify(half)} is ${nameOf(answer)}`,
      );
    }
  },
);

function nameOf({ first_name, last_name }: Answer): string {
  return `${first_name} / ${last_name}`;
}

/** Without case and diacritics. */
function wordsOf(text: unknown): string[] {
  const folded = String(text)
    .normalize('NFKD')
    .replaceAll(/[\p{M}\u200b\u200f]/gu, '')
    .toLowerCase();
  return folded.split(/[\s,()|]+/).filter((word) => word !== '');
}
