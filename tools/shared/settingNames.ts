/** Names of environment variables that look like a setting's and are not one. Nothing reads them, so no default changes. */
import { closest, distance } from 'fastest-levenshtein';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { DEPLOYMENT } from './deployment.ts';

/** Only for the local commands: no function on Lambda gets it. */
export const LOCAL_SETTING = 'SECRETS_FILE';

export const ALL_SETTINGS: readonly string[] = [
  ...SETTING_NAMES,
  ...DEPLOYMENT.map(({ variable }) => variable),
];
/** Words that no variable of an operator's own begins with, unless it is listed. */
const FIRST_WORDS = /^(?:OPENID|SAML|CALLER|SECRETS?|SIGNING|THROTTLING)_/i;
/** Other first words are common: two of them are a setting's own, and may follow the kind of login. */
const BEGINNINGS = new Set(
  ALL_SETTINGS.flatMap((name) => [name, name.replace(/^(?:OPENID|SAML)_/, '')])
    .map(firstTwoWords)
    .filter((beginning) => beginning.includes('_')),
);
/** Of a name for one kind of login, whatever the kind is called: `OIDC_HANDLER_MODULE`. */
const ENDING_OF_PROTECTIONS = /(?:^|[_.-])(?:HANDLER[_.-]MODULE|TOKEN[_.-]CHECK|ASSERTION[_.-]CHECK)$/i;
/** By how many letters a name may differ from a setting's and count as its misspelling. */
const MAX_LETTERS = 2;

/**
 * A name that is a setting's but for two letters, or but for the kind of login, can be no variable of an operator's own. One that
 * only begins as the settings do can, where it is listed.
 *
 * @param listed the variables that the configuration lists
 * @param configuration its file
 * @returns why a name is mistaken; null where it is not
 */
export function mistake(
  name: string,
  listed: readonly string[],
  configuration = 'serverless.yml',
): string | null {
  if (ALL_SETTINGS.includes(name)) return null;
  const nearest = nearestOf(name.toUpperCase());
  const problem = `${name} is not a setting; the nearest is ${nearest}`;
  if (distance(name.toUpperCase(), nearest) <= MAX_LETTERS || ENDING_OF_PROTECTIONS.test(name))
    return problem;
  const beginsAsOne = FIRST_WORDS.test(name) || BEGINNINGS.has(firstTwoWords(name.toUpperCase()));
  if (listed.includes(name) || !beginsAsOne) return null;
  return `${problem}. A variable of your own must be listed below environment in ${configuration}`;
}

/** E.g. `MAX_BODY` of `MAX_BODY_BYTES`. */
function firstTwoWords(name: string): string {
  return name.split('_', 2).join('_');
}

function nearestOf(name: string): string {
  const longer = ALL_SETTINGS.find((one) => one.startsWith(name) || one.endsWith(`_${name}`));
  return longer ?? closest(name, ALL_SETTINGS);
}
