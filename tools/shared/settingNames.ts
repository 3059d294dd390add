/** Names of environment variables that look like a setting's and are not one. Nothing reads them, so no default changes. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { DEPLOYMENT_SETTINGS } from './deployment.ts';

/** What a login function runs. */
export type LoginCode = 'openidLoggedIn' | 'samlLoggedIn';

interface SettingsOfCode {
  handler: string;
  shadow: string;
  /** Where there is an access token. */
  shadowToken?: string;
  check: string;
  checkName: string;
  issuers: string;
}

/** The settings that only one kind of function reads, by the code that it runs. */
export const OF_CODE: Readonly<Record<LoginCode, SettingsOfCode>> = {
  openidLoggedIn: {
    handler: 'OPENID_HANDLER_MODULE',
    shadow: 'OPENID_SHADOW_HANDLER_MODULE',
    shadowToken: 'OPENID_SHADOW_ACCESS_TOKEN',
    check: 'OPENID_TOKEN_CHECK',
    checkName: 'ID token check',
    issuers: 'OPENID_ISSUERS',
  },
  samlLoggedIn: {
    handler: 'SAML_HANDLER_MODULE',
    shadow: 'SAML_SHADOW_HANDLER_MODULE',
    check: 'SAML_ASSERTION_CHECK',
    checkName: 'assertion check',
    issuers: 'SAML_ISSUERS',
  },
};

/** For the local commands alone: `serverless.yml` does not pass it on. */
export const LOCAL_SETTING = 'SECRETS_FILE';

/** Words that no variable of an operator's own begins with, unless it is listed. */
const PREFIXES = ['OPENID_', 'SAML_', 'CALLER_', 'SECRET_', 'SECRETS_', 'SIGNING_', 'SHADOW_', 'THROTTLING_'];
const ALL: readonly string[] = [...SETTING_NAMES, ...DEPLOYMENT_SETTINGS];
/** Other first words are common: two of them are a setting's own, and may follow the kind of login. */
const BEGINNINGS = new Set(
  ALL.flatMap((name) => [name, name.replace(/^(?:OPENID|SAML)_/, '')])
    .map(firstTwoWords)
    .filter((beginning) => beginning.includes('_')),
);
/** Of a name for one kind of login, whatever the kind is called: `OIDC_HANDLER_MODULE`. */
const ENDING_OF_PROTECTIONS = /(?:^|[_.-])(?:HANDLER[_.-]MODULE|TOKEN[_.-]CHECK|ASSERTION[_.-]CHECK)$/i;
/** By how many letters a name may differ from a setting's and count as its misspelling. */
export const MAX_LETTERS = 2;

const COMMENT = /^\s*#.*$/gm;
const KEY = /([\w.-]+)["']?\s*:/g;
const ENV_REFERENCE = /\benv:\s*([\w.-]+)/g;
const FILE_REFERENCE = /\$\{\s*file\(\s*([^)${}]+?)\s*\)/g;

/**
 * @returns why it can be no variable of an operator's own: it is a setting's but for two letters, or but for the kind of login;
 *   null where it can be one
 */
export function misspelling(name: string): string | null {
  if (ALL.includes(name)) return null;
  const nearest = nearestOf(name);
  const isMeant = distance(name.toUpperCase(), nearest) <= MAX_LETTERS || ENDING_OF_PROTECTIONS.test(name);
  return isMeant ? `${name} is not a setting; the nearest is ${nearest}` : null;
}

/**
 * @param taken what the configuration takes from the environment
 * @param configuration its file
 * @returns why a name is mistaken: it is misspelled, or begins as the settings do and nothing takes it; null where it is not
 */
export function mistake(
  name: string,
  taken: readonly string[],
  configuration = 'serverless.yml',
): string | null {
  const place = `must be listed below environment in ${configuration}`;
  if (taken.includes(name)) return misspelling(name);
  if (ALL.includes(name)) return `${name} is a setting that ${place}`;
  if (!beginsAsSetting(name)) return misspelling(name);
  return (
    misspelling(name) ??
    `${name} is not a setting; the nearest is ${nearestOf(name)}. A variable of your own ${place}`
  );
}

/** Less than a letter: of several at the same distance, it prefers one that begins with the same word. */
const OTHER_WORD = 0.5;

function nearestOf(name: string): string {
  const upper = name.toUpperCase();
  const [word] = upper.split('_');
  const rankOf = (one: string) =>
    one.startsWith(upper) || one.endsWith(`_${upper}`)
      ? 0
      : distance(upper, one) + (one.startsWith(`${word}_`) ? 0 : OTHER_WORD);
  // The policy that is only tried must not be taken for the one in force.
  const candidates = ALL.filter((one) => one.includes('SHADOW') || !upper.includes('SHADOW'));
  const [nearest] = candidates.map((one) => ({ one, rank: rankOf(one) })).sort((a, b) => a.rank - b.rank);
  return nearest?.one ?? '';
}

/** E.g. `SAML_HANDLER`, `MAX_BODY`, `HANDLER_TIMEOUT_SECONDS`, `TOKEN_CHECK`. */
function beginsAsSetting(name: string): boolean {
  const upper = name.toUpperCase();
  return PREFIXES.some((prefix) => upper.startsWith(prefix)) || BEGINNINGS.has(firstTwoWords(upper));
}

function firstTwoWords(name: string): string {
  return name.split('_').slice(0, 2).join('_');
}

/** The variables that a configuration, and the files that it includes, take from the environment. */
export function namesTakenBy(file: string): string[] {
  return namesIn(textsOf(file), ENV_REFERENCE);
}

/** The same, and all that has a value in a configuration: a variable that is written out among them. */
export function namesListedIn(file: string): string[] {
  const texts = textsOf(file);
  return [...namesIn(texts, ENV_REFERENCE), ...namesIn(texts, KEY)];
}

function namesIn(texts: readonly string[], pattern: RegExp): string[] {
  return [...new Set(texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, name = '']) => name)))];
}

/** The text of a configuration and of the files that it includes, without lines of comments. */
function textsOf(file: string, read = new Set<string>()): string[] {
  if (read.has(file) || !existsSync(file)) return [];
  read.add(file);
  const text = readFileSync(file, 'utf8').replaceAll(COMMENT, '');
  const included = Array.from(text.matchAll(FILE_REFERENCE), ([, path = '']) => resolve(dirname(file), path));
  return [text, ...included.flatMap((one) => textsOf(one, read))];
}
