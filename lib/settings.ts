/** The settings: every environment variable of the bundle, read once at cold start. Nothing else reads them. */
import * as v from 'valibot';
import { environmentProblems } from './forbiddenVariables.ts';
import { type OpenIdIssuer, openIdIssuers, type SamlIssuer, samlIssuers } from './issuers.ts';
import { KINDS, type LoginKind } from './kinds.ts';
import { LANGUAGES } from './messages/languages.ts';
import { oneOf, problemsOf, stringThat, wholeNumber } from './schema.ts';
import { isSecretId } from './secretId.ts';
import { inWords, trimmedAll } from './text.ts';

/** In seconds. 60 to 180 are usual; hours would disable the checks of time. */
const MAX_CLOCK_SKEW_SECONDS = 600;

const SAML_EXTERNAL_IDS = [
  'off',
  'persistent_name_id',
  'subject_id',
  'pairwise_id',
  'edu_person_unique_id',
] as const;

/** The fields that an authorized response must have, unless a setting lists fewer. */
export const REQUIRABLE_FIELDS = ['email', 'first_name', 'last_name'] as const;

export type RequiredField = (typeof REQUIRABLE_FIELDS)[number];

/** An environment variable: what its being unset means, and how its text is read. */
interface Setting<TValue> {
  variable: string;
  unset: TValue;
  schema: (env: Environment) => v.GenericSchema<string, TValue>;
}

/**
 * Each schema is made where its variable is set: at cold start, making all of them takes longer than a login. A
 * protection is switched by an explicit value, never by leaving a setting out.
 */
const SETTINGS = {
  /** The custom handlers' modules: relative to the bundle's root, or absolute. */
  openidHandlerModule: setting('OPENID_HANDLER_MODULE', null, () => nonEmpty('the name of a module')),
  samlHandlerModule: setting('SAML_HANDLER_MODULE', null, () => nonEmpty('the name of a module')),
  /** How the fields of the response are named. */
  responseNames: setting('RESPONSE_NAMES', 'snake_case', () => oneOf(['snake_case', 'camelCase'])),
  /** The language of the bundle's own words for somebody who prefers none of its languages. */
  messageLanguage: setting('MESSAGE_LANGUAGE', 'en', () => oneOf(LANGUAGES)),
  /** What an authorized response must have. The others of the three are null where the person has none. */
  requiredFields: setting<readonly RequiredField[], readonly RequiredField[]>(
    'REQUIRED_FIELDS',
    REQUIRABLE_FIELDS,
    requiredFields,
  ),
  /** Where the permanent identifier of an authorized person comes from. */
  openidExternalId: setting('OPENID_EXTERNAL_ID', 'off', () => oneOf(['off', 'sub'])),
  samlExternalId: setting('SAML_EXTERNAL_ID', 'off', () => oneOf(SAML_EXTERNAL_IDS)),
  /**
   * Upper bound for the checks and the handler, in milliseconds from the login's start. Unset: what the invocation has left,
   * less 500 ms.
   */
  handlerTimeoutMs: setting('HANDLER_TIMEOUT_MS', null, positive),
  /** Largest decoded HTTP body, in bytes. */
  maxBodyBytes: setting('MAX_BODY_BYTES', 262_144, positive),
  /** For how long a secret is used before it is asked for again, in seconds. */
  secretTtlSeconds: setting('SECRET_TTL_SECONDS', 300, positive),
  /** The secrets that the functions may read, names or ARNs with commas between them: for the self-test. */
  secretIds: setting('SECRET_IDS', [], secretIds),
  /** On a developer's machine, a JSON file of secrets by id instead of AWS Secrets Manager. */
  secretsFile: setting('SECRETS_FILE', null, () => nonEmpty('the path of a file')),
  /** What proves who calls over HTTP: AWS's own signature, checked by the route, or Standard Webhooks, checked here. */
  callerCheck: setting('CALLER_CHECK', 'iam', () => oneOf(['iam', 'signature'])),
  /** The secret that the service signs its requests with, by name or ARN. */
  signingSecretId: setting('SIGNING_SECRET_ID', null, secretId),
  /** Whether ID tokens are checked against these issuers' keys. */
  openidTokenCheck: setting('OPENID_TOKEN_CHECK', 'off', () => oneOf(['on', 'off'])),
  openidIssuers: setting('OPENID_ISSUERS', new Map<string, OpenIdIssuer>(), (env) =>
    openIdIssuers({ isOnLambda: isOnLambda(env) }),
  ),
  /** Whether assertions are checked for time, audience and recipient. */
  samlAssertionCheck: setting('SAML_ASSERTION_CHECK', 'off', () => oneOf(['on', 'off'])),
  samlIssuers: setting('SAML_ISSUERS', new Map<string, SamlIssuer>(), samlIssuers),
  /** By how much clocks may differ, in seconds. */
  clockSkewSeconds: setting('CLOCK_SKEW_SECONDS', 60, () => wholeNumber(0, MAX_CLOCK_SKEW_SECONDS)),
  /** Which build this is: the plugin sets a digest of the code, and nothing is decided by it. */
  codeVersion: setting('CODE_VERSION', null, () => nonEmpty('the digest that the plugin sets')),
};

function setting<const TUnset, TSet>(
  variable: string,
  unset: TUnset,
  schema: (env: Environment) => v.GenericSchema<string, TSet>,
): Setting<TUnset | TSet> {
  return { variable, unset, schema };
}

/** An empty string is a mistake, not "unset": an unresolved variable must never bring the default back. */
function nonEmpty(what: string) {
  return v.pipe(v.string(), v.nonEmpty(`expected ${what}, found nothing`));
}

const listed = (text: string) => text.split(',').map((name) => name.trim());

function areRequirable(text: string): boolean {
  return text === 'none' || listed(text).every((name) => REQUIRABLE_FIELDS.some((field) => field === name));
}

function requiredFields() {
  const expected = `expected ${REQUIRABLE_FIELDS.join(', ')}, or some of them with commas between them, or none`;
  return v.pipe(
    v.string(),
    v.check(areRequirable, expected),
    v.transform((text) => REQUIRABLE_FIELDS.filter((field) => listed(text).includes(field))),
  );
}

/** Whether people without an address may log in: only an identifier of another kind tells them from each other. */
export function areAddressesOptional({ REQUIRED_FIELDS: text }: Environment): boolean {
  return text !== undefined && areRequirable(text) && !listed(text).includes('email');
}

/** A whole number above 0, in the unit that the setting's name ends with. */
function positive() {
  return wholeNumber(1, 999_999_999);
}

const NOT_THE_SECRET = 'not the secret itself; if its name looks like a key, its ARN';

function secretId() {
  return stringThat(isSecretId, `expected the name or ARN of a secret, ${NOT_THE_SECRET}`);
}

function secretIds() {
  const expected = `expected names or ARNs of secrets, separated by commas, ${NOT_THE_SECRET}`;
  return v.pipe(
    v.string(),
    v.transform((texts): readonly string[] => trimmedAll(texts.split(','))),
    v.check((ids) => ids.length > 0 && ids.every(isSecretId), expected),
  );
}

/** The address of the Runtime API is set by Lambda alone. */
function isOnLambda(env: Environment): boolean {
  return env.AWS_LAMBDA_RUNTIME_API !== undefined;
}

const EXTERNAL_IDS = [
  ['OPENID_EXTERNAL_ID', 'sub'],
  ['SAML_EXTERNAL_ID', inWords(SAML_EXTERNAL_IDS.slice(1), 'or')],
] as const;

/** What each setting alone does not show: the variable to change, and what was expected of it. */
function* contradictions(env: Environment): Generator<[variable: string, expected: string]> {
  const { NODE_TLS_REJECT_UNAUTHORIZED } = env;
  // On a developer's machine, editors set the others for each terminal.
  yield* environmentProblems(isOnLambda(env) ? env : { NODE_TLS_REJECT_UNAUTHORIZED });
  if (env.SECRETS_FILE !== undefined && isOnLambda(env)) {
    const expected = 'expected to be unset on Lambda, where secrets come only from AWS Secrets Manager';
    yield ['SECRETS_FILE', expected];
  }
  if (env.CALLER_CHECK === 'signature' && env.SIGNING_SECRET_ID === undefined) {
    yield ['SIGNING_SECRET_ID', 'expected the name or ARN of a secret, because CALLER_CHECK is signature'];
  }
  if (areAddressesOptional(env)) {
    for (const [variable, sources] of EXTERNAL_IDS) {
      if ((env[variable] ?? 'off') === 'off')
        yield [variable, `expected ${sources}, because REQUIRED_FIELDS does not have email`];
    }
  }
  if (env.OPENID_TOKEN_CHECK === 'on' && env.OPENID_ISSUERS === undefined) {
    yield ['OPENID_ISSUERS', 'expected issuers, because OPENID_TOKEN_CHECK is on'];
  }
  if (env.SAML_ASSERTION_CHECK === 'on' && env.SAML_ISSUERS === undefined) {
    yield ['SAML_ISSUERS', 'expected issuers, because SAML_ASSERTION_CHECK is on'];
  }
}

/** The variables of all settings. */
export const SETTING_NAMES: readonly string[] = Object.values(SETTINGS).map(({ variable }) => variable);

export type Settings = { [TKey in keyof typeof SETTINGS]: (typeof SETTINGS)[TKey]['unset'] };

type Environment = Readonly<Record<string, string | undefined>>;

export const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;

/** What Lambda sets for its runtime. Never unusable: a wrong log level must not stop a login. */
export interface Logging {
  level: (typeof LOG_LEVELS)[number];
  /** Whether `console` makes JSON of an object by itself. */
  isJson: boolean;
}

export interface Configuration {
  logging: Logging;
  /** The defaults where the configuration is unusable: no login gets as far as using them. */
  settings: Settings;
  /** What makes the configuration unusable, e.g. `RESPONSE_NAMES: expected snake_case or camelCase`. */
  problems: string[];
}

/** Whose settings are read: those of one kind of function, or those alone that both have. */
export type SettingsOf = LoginKind | 'both';

/** The variable of a setting. */
export function variableOf(setting: keyof Settings): string {
  return SETTINGS[setting].variable;
}

/** A mistake in a setting of another kind must not harm a function. */
function isUsed(variable: string, of: SettingsOf): boolean {
  const isOfOther = (kind: LoginKind) =>
    kind !== of && variable.startsWith(`${KINDS[kind].word.toUpperCase()}_`);
  return !isOfOther('OpenID') && !isOfOther('SAML');
}

/** Reads the settings. Never throws: an unusable configuration responds to every login with an error. */
export function readConfiguration(of: SettingsOf, env: Environment = process.env): Configuration {
  const problems: string[] = [];
  const given: Record<string, unknown> = {};
  for (const [name, { variable, schema }] of Object.entries(SETTINGS)) {
    const value = env[variable];
    if (value === undefined || !isUsed(variable, of)) continue;
    const read = readSetting(variable, schema(env), value);
    if ('value' in read) given[name] = read.value;
    problems.push(...read.problems);
  }
  for (const [variable, expected] of contradictions(env)) {
    if (isUsed(variable, of)) problems.push(`${variable}: ${expected}`);
  }
  const settings = { ...defaults(), ...(problems.length === 0 && given) };
  return { logging: readLogging(env), settings, problems };
}

/** What a schema makes of a variable, or what is wrong with it. */
export function readSetting(
  variable: string,
  schema: v.GenericSchema<string, unknown>,
  text: string,
): { problems: string[]; value?: unknown } {
  // As an entry of an object, so that the path of a problem begins with the variable.
  const result = v.safeParse(v.object({ [variable]: schema }), { [variable]: text });
  if (!result.success) return { problems: problemsOf(result.issues) };
  return { problems: [], value: result.output[variable] };
}

function defaults(): Settings {
  const entries = Object.entries(SETTINGS).map(([name, { unset }]) => [name, unset]);
  return Object.fromEntries(entries);
}

function readLogging(env: Environment): Logging {
  const wanted = env.AWS_LAMBDA_LOG_LEVEL?.toUpperCase();
  return {
    level: LOG_LEVELS.find((level) => level === wanted) ?? 'INFO',
    isJson: isOnLambda(env) && env.AWS_LAMBDA_LOG_FORMAT === 'JSON',
  };
}

const read = new Map<SettingsOf, Configuration>();

/** The configuration of this process, read once. */
export function configuration(of: SettingsOf): Configuration {
  const known = read.get(of) ?? readConfiguration(of);
  read.set(of, known);
  return known;
}
