/** Which of the names that arrived an operator may have meant. */
import { distance } from 'fastest-levenshtein';
import { asciiLowerCase, inWords, isVisible, showableNames } from '../../text.ts';
import { problemOfAddress } from '../schema/emailAddress.ts';
import type { FieldName } from '../schema/profileFields.ts';
import type { Note } from './nearMiss.ts';
import type { NestedName, Reader, RuleReader } from './reader.ts';

/** What has names: claims or attributes, and those one level below. */
type Names = Pick<RuleReader, 'allNames' | 'nestedNames' | 'otherNames'>;

/** More than this part of the longer name differs between names that mean different things. */
const MAX_DIFFERENCE = 0.4;
/** Of a name that is another one with words beside it, such as `groups_direct`. */
const MORE_WORDS = 0.3;

/**
 * "Did not arrive: memberOff (similar name that arrived: memberOf) and roles.", and how to mend it.
 *
 * @param known other names that the mapping looks up
 */
export function notArrived(
  wanted: readonly string[],
  reader: Names,
  fix: string,
  known?: readonly unknown[],
): { note: string } {
  const told = wanted.map((name) => {
    if (reader.allNames().includes(name)) return `${name} (null arrived)`;
    const similar = similarName(name, reader, known);
    return similar === null ? name : `${name} (similar name that arrived: ${similar})`;
  });
  return { note: `Did not arrive: ${inWords(told, 'and')}. ${fix}` };
}

/** The same of those alone in whose place a similar name arrived: others may be left out for good reason. */
export function arrivedOtherwise(
  wanted: readonly string[],
  reader: Names,
  fix: string,
  known?: readonly unknown[],
): Note {
  const misspelled = wanted.filter(
    (name) => !reader.allNames().includes(name) && similarName(name, reader, known) !== null,
  );
  return misspelled.length > 0 ? notArrived(misspelled, reader, fix, known) : {};
}

function similarName(name: string, reader: Names, known: readonly unknown[] | undefined): string | null {
  const nested = reader.nestedNames();
  const isInside = (parent: string) => name.startsWith(`${parent}.`);
  // The beginning of a path is like the path, but arrived as it should.
  const begun = new Set(nested.map(({ parent }) => parent).filter(isInside));
  const isNew = (one: string) => !known?.includes(one) && !begun.has(one);
  // Two paths that begin with the same claim are alike only if what follows is.
  const isLike = ({ parent, key }: NestedName) =>
    !isInside(parent) || nearestName(name.replace(`${parent}.`, ''), [key]) !== null;
  const others = [...otherSpellings(name, reader), ...reader.otherNames(name)];
  const [same] = showableNames(others.filter(isNew)).names;
  // Stryker disable next-line ArrayDeclaration: nothing is like what it puts there.
  const paths = name.includes('.') ? nested.filter(isLike).map((one) => one.name) : [];
  return same ?? nearestName(name, showableNames([...paths, ...reader.allNames()].filter(isNew)).names);
}

/** Names that are this one in other capitals, or one level deeper: what it stands for was not left out. */
export function otherSpellings(name: string, reader: Names): string[] {
  const nested = reader.nestedNames();
  const all = [...reader.allNames(), ...nested.map((one) => one.name)];
  const inCapitals = all.filter((one) => one !== name && asciiLowerCase(one) === asciiLowerCase(name));
  return [...inCapitals, ...nested.filter(({ key }) => key === name).map((one) => one.name)];
}

/** The name that is most like another one; null where none is like it. Of URIs, the last part counts. */
function nearestName(wanted: string, names: readonly string[]): string | null {
  const own = ownPart(wanted);
  // Those of an OID say nothing.
  if (/^[\d.]*$/.test(own)) return null;
  let nearest: string | null = null;
  let least = MAX_DIFFERENCE;
  for (const name of names) {
    const difference = differenceOf(own, ownPart(name));
    if (difference < least) [nearest, least] = [name, difference];
  }
  return nearest;
}

function ownPart(name: string): string {
  return asciiLowerCase(name).replace(/.*[/#:]/, '');
}

function differenceOf(one: string, other: string): number {
  const [shorter, longer] = [one, other].sort((a, b) => a.length - b.length) as [string, string];
  if (shorter === '') return 1;
  const difference = distance(shorter, longer) / longer.length;
  return wordsOf(longer).includes(wordsOf(shorter)) ? Math.min(difference, MORE_WORDS) : difference;
}

/** In the singular: `eduperson_entitlement` is like `entitlements`. */
function wordsOf(name: string): string {
  return `_${name.replace(/[.-]/g, '_')}_`.replaceAll('s_', '_');
}

/** How names look, in lower case and without `_`, `-` and what stands before their last part, and what they are sources of. */
type Look = readonly [field: string, pattern: Pick<RegExp, 'test'>];

const FULL_NAME: Look = ['full_name', /^(?:(?:user)?(?:display|full)name|(?:common)?name|cn)$/];
const LOOKS: Readonly<Partial<Record<FieldName, readonly Look[]>>> = {
  email: [['email', /^(?:user|primary|work)?e?mails?(?:(?:primary)?address(?:es)?)?$/]],
  first_name: [['first_name', /^(?:(?:user)?(?:given|first|fore)names?|gn)$/], FULL_NAME],
  last_name: [['last_name', /^(?:(?:user)?(?:family|last|sur|usual)names?|sn)$/], FULL_NAME],
};

/** Of a claim in one language, `name#ja-Kana-JP` (OpenID Connect Core 5.2). What follows the `#` of a URI may be a name. */
const LANGUAGE = /^([^/:#]+)#[a-z]{2,3}(?:-[a-z\d]+)*$/;

const NAME_ID_HINT =
  'The NameID looks like it, and its format is unspecified. If it is, set the format to emailAddress at the provider, or write email: [NAME_ID] in a mapping.';

/** What to do about a field that did not arrive, where something else that arrived looks like it. */
export function lookAlikeHint(
  field: FieldName,
  tried: readonly string[],
  reader: Names & Pick<Reader, 'own' | 'unspecifiedNameId'>,
): string | undefined {
  const isUsable = field === 'email' ? (text: string) => text.includes('@') : isVisible;
  const nested = reader.nestedNames().map((one) => {
    const look = lookOf(one.key);
    // `first` in an object `name` is a `firstname`.
    return { ...one, looks: [look, look + lookOf(one.parent)] };
  });
  const texts = nested.filter(({ value }) =>
    [value].flat().some((one) => typeof one === 'string' && isUsable(one)),
  );
  // The only text of an object is what its name says.
  const inside = Map.groupBy(texts, ({ parent }) => parent)
    .values()
    .filter((all) => all.length === 1)
    .flatMap((all) => all.map((one) => ({ ...one, looks: [lookOf(one.parent)] })))
    .toArray();
  const all = showableNames(reader.allNames()).names;
  const others = [
    ...all.map((name) => ({ name, value: reader.own(name), looks: [lookOf(name)] })),
    ...nested,
  ];
  for (const [source, pattern] of LOOKS[field] ?? [[field, lookOfOne(tried)] as const]) {
    for (const some of [inside, others]) {
      const alike = some.filter(({ looks }) => looks.some((look) => pattern.test(look)));
      const paths = alike.map(({ name, value }) => pathToText(name, value, isUsable));
      const untried = paths.filter((path) => path !== null).filter((path) => !tried.includes(path));
      const [name] = showableNames(untried).names;
      if (name)
        return `${name} arrived, and looks like it. If it is, write ${source}: ['${name}'] in a mapping.`;
    }
  }
  const nameId = reader.unspecifiedNameId?.trim();
  if (field !== 'email' || nameId === undefined) return undefined;
  return problemOfAddress(nameId) === null ? NAME_ID_HINT : undefined;
}

/** What looks like one of these names. The numbers at the end of an OID say nothing. */
function lookOfOne(names: readonly string[]): Look[1] {
  const looks = new Set(names.map(lookOf).filter((look) => /[a-z]/.test(look)));
  return { test: (look) => looks.has(look) };
}

/** Where the text is that a mapping can read: here, or under the only name of one in the first object. Null where it cannot be told. */
function pathToText(name: string, value: unknown, isUsable: (text: string) => boolean): string | null {
  const all = [value].flat();
  if (all.some((one) => typeof one === 'string' && isVisible(one))) return name;
  const texts = Object.entries(Object(all[0])).filter(([, one]) => typeof one === 'string' && isUsable(one));
  const [only, ...others] = texts;
  return only && others.length === 0 ? `${name}.${only[0]}` : null;
}

/**
 * Of a name in a namespace, such as `https://example.org/claims/last_name` or `User.LastName`, the last part. The `name` of a
 * URN may be that of something else, as in `urn:zitadel:iam:user:resourceowner:name`.
 */
function lookOf(name: string): string {
  const own = asciiLowerCase(name)
    .replace(LANGUAGE, '$1')
    .replace(/.*[/#]/s, '');
  const last = own.replace(/.*[:.]/s, '');
  return (last === 'name' ? own : last).replace(/[_-]/g, '');
}
