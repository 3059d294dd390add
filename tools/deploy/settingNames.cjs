/** Names of environment variables that look like a setting's and are not one. Nothing reads them, so no default changes. */
const { existsSync, readFileSync } = require('node:fs');
const { dirname, resolve } = require('node:path');
const { distance } = require('fastest-levenshtein');
const { DEPLOYMENT_SETTINGS } = require('./deployment.cjs');

/** What the functions read, as in `lib/settings.ts`, which Node 20 cannot load. */
const SETTINGS = [
  'OPENID_HANDLER_MODULE',
  'SAML_HANDLER_MODULE',
  'RESPONSE_NAMES',
  'OPENID_EXTERNAL_ID',
  'SAML_EXTERNAL_ID',
  'HANDLER_TIMEOUT_MS',
  'MAX_BODY_BYTES',
  'SECRET_TTL_SECONDS',
  'SECRET_IDS',
  'SECRETS_FILE',
  'CALLER_CHECK',
  'SIGNING_SECRET_ID',
  'OPENID_TOKEN_CHECK',
  'OPENID_ISSUERS',
  'SAML_ASSERTION_CHECK',
  'SAML_ISSUERS',
  'CLOCK_SKEW_SECONDS',
  'OPENID_SHADOW_HANDLER_MODULE',
  'SAML_SHADOW_HANDLER_MODULE',
  'OPENID_SHADOW_ACCESS_TOKEN',
  'SHADOW_PERCENT',
  'SHADOW_TIMEOUT_MS',
  'SHADOW_UNTIL',
];
/** The settings that only one kind of function reads, by the code that it runs. */
const OF_CODE = {
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
const LOCAL_SETTING = 'SECRETS_FILE';

/** Words that no variable of an operator's own begins with. */
const PREFIXES = ['OPENID_', 'SAML_', 'CALLER_', 'SECRET_', 'SECRETS_', 'SIGNING_', 'SHADOW_', 'THROTTLING_'];
const KINDS = ['OPENID_', 'SAML_'];
/** Other first words are common: two of them are a setting's own. */
const BEGINNINGS = new Set([...SETTINGS, ...DEPLOYMENT_SETTINGS].map(firstTwoWords));
/** By how many letters a name may differ from a setting's and count as its misspelling. */
const MAX_LETTERS = 2;
/** Two letters make another word of a shorter name: HOST and PORT. */
const MIN_LENGTH = 8;

const COMMENT = /^\s*#.*$/gm;
const KEY = /([\w.-]+)["']?\s*:/g;
const ENV_REFERENCE = /\benv:\s*([\w.-]+)/g;
const FILE_REFERENCE = /\$\{\s*file\(\s*([^)${}]+?)\s*\)/g;

/**
 * @param {readonly string[]} names
 * @param {readonly string[]} known
 * @returns {{ name: string, nearest: string }[]} the names that are a known one but for two letters
 */
function misspellings(names, known) {
  return unknown(names, known).filter(({ name, nearest }) => isNear(name, nearest));
}

/**
 * @param {readonly string[]} names
 * @param {readonly string[]} known
 * @returns {{ name: string, nearest: string }[]} the names that are misspelled, begin as the settings do, or lack the kind of login
 */
function mistaken(names, known) {
  return unknown(names, known).filter(
    ({ name, nearest }) => isNear(name, nearest) || beginsAsSetting(name) || lacksKind(name),
  );
}

function unknown(names, known) {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, nearest: nearestOf(name, known) }));
}

/** Less than a letter: of several at the same distance, it prefers one that begins with the same word. */
const OTHER_WORD = 0.5;

function nearestOf(name, known) {
  const upper = name.toUpperCase();
  const [word] = upper.split('_');
  const rankOf = (one) =>
    one.startsWith(upper) || one.endsWith(`_${upper}`)
      ? 0
      : distance(upper, one) + (one.startsWith(`${word}_`) ? 0 : OTHER_WORD);
  // The policy that is only tried must not be taken for the one in force.
  const ofShadow = known.filter((one) => one.includes('SHADOW'));
  const candidates = upper.includes('SHADOW') && ofShadow.length > 0 ? ofShadow : known;
  const ranked = candidates.map((one) => ({ one, rank: rankOf(one) })).sort((a, b) => a.rank - b.rank);
  return ranked[0]?.one ?? '';
}

function isNear(name, nearest) {
  return nearest.length >= MIN_LENGTH && distance(name.toUpperCase(), nearest) <= MAX_LETTERS;
}

/** E.g. `SAML_HANDLER`, `MAX_BODY`, `HANDLER_TIMEOUT_SECONDS`. */
function beginsAsSetting(name) {
  const upper = name.toUpperCase();
  return PREFIXES.some((prefix) => upper.startsWith(prefix)) || BEGINNINGS.has(firstTwoWords(upper));
}

/** E.g. `TOKEN_CHECK`. A single word, `ISSUERS`, may be an operator's own. */
function lacksKind(name) {
  const upper = name.toUpperCase();
  return upper.includes('_') && KINDS.some((kind) => SETTINGS.includes(kind + upper));
}

function firstTwoWords(name) {
  return name.split('_').slice(0, 2).join('_');
}

/**
 * The variables that a configuration takes from the environment, and the files that it includes.
 *
 * @param {string} file
 * @returns {string[]}
 */
function namesTakenBy(file) {
  return namesIn(textsOf(file), ENV_REFERENCE);
}

/**
 * The same, and all that has a value in a configuration: a variable that is written out among them.
 *
 * @param {string} file
 * @returns {string[]}
 */
function namesListedIn(file) {
  const texts = textsOf(file);
  return [...namesIn(texts, ENV_REFERENCE), ...namesIn(texts, KEY)];
}

function namesIn(texts, pattern) {
  return [...new Set(texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, name]) => name)))];
}

/** The text of a configuration and of the files that it includes, without lines of comments. */
function textsOf(file, read = new Set()) {
  if (read.has(file) || !existsSync(file)) return [];
  read.add(file);
  const text = readFileSync(file, 'utf8').replaceAll(COMMENT, '');
  const included = Array.from(text.matchAll(FILE_REFERENCE), ([, path]) => resolve(dirname(file), path));
  return [text, ...included.flatMap((one) => textsOf(one, read))];
}

module.exports = {
  LOCAL_SETTING,
  MAX_LETTERS,
  OF_CODE,
  SETTINGS,
  misspellings,
  mistaken,
  namesListedIn,
  namesTakenBy,
};
