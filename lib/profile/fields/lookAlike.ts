/** What an operator can write in a mapping where a name that arrived looks like that of a field which did not. */
import type { RequiredField } from '../../settings.ts';
import { asciiLowerCase, showableNames } from '../../text.ts';
import type { NestedName } from './reader.ts';

/** How the names of claims and attributes look, in lower case and without `_` and `-`, and what they are sources of. */
const FULL_NAME: Look = ['full_name', /^(?:(?:display|full|common)?name|cn)$/];
const LOOKS: Readonly<Record<RequiredField, readonly Look[]>> = {
  email: [['email', /^(?:user|primary|work)?e?mails?(?:address(?:es)?)?$/]],
  first_name: [['first_name', /^(?:given|first|fore)names?$/], FULL_NAME],
  last_name: [['last_name', /^(?:(?:family|last|sur|usual)names?|sn)$/], FULL_NAME],
};

type Look = readonly [field: string, pattern: RegExp];

/**
 * What to do about a field that did not arrive under the names that are tried, where one that arrived looks like it.
 *
 * @param names that arrived, and are not tried
 */
export function lookAlikeHint(
  field: RequiredField,
  names: readonly string[],
  nested: readonly NestedName[],
): string | undefined {
  const all = [...names.map((name) => ({ name, key: name })), ...nested];
  for (const [source, pattern] of LOOKS[field]) {
    const alike = all.filter(({ key }) => pattern.test(asciiLowerCase(key).replace(/[_-]/g, '')));
    const [name] = showableNames(alike.map((one) => one.name)).names;
    if (name)
      return `${name} arrived, and looks like it. If it is, write ${source}: ['${name}'] in a mapping.`;
  }
  return undefined;
}
