/** Every environment variable of the bundle: its name, what its being unset means, how its text is read, and which functions read it. */
import * as v from 'valibot';
import { type OpenIdIssuer, openIdIssuers, type SamlIssuer, samlIssuers } from './issuers.ts';
import type { LoginKind } from './kinds.ts';
import { LANGUAGES } from './messages/languages.ts';
import { oneOf, stringThat, wholeNumber } from './schema.ts';
import { trimmedAll } from './text.ts';

/** In seconds. 60 to 180 are usual; hours would disable the checks of time. */
const MAX_CLOCK_SKEW_SECONDS = 600;

export const SAML_EXTERNAL_IDS = [
  'off',
  'persistent_name_id',
  'subject_id',
  'pairwise_id',
  'edu_person_unique_id',
] as const;

/** The fields that an authorized response must have, unless a setting lists fewer. */
export const REQUIRABLE_FIELDS = ['email', 'first_name', 'last_name'] as const;

export type RequiredField = (typeof REQUIRABLE_FIELDS)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whose settings are read: those of one kind of function, or only those that both have. */
export type SettingsOf = LoginKind | 'both';

interface Setting<TValue> {
  variable: string;
  unset: TValue;
  schema: (env: Environment) => v.GenericSchema<string, TValue>;
  /** A mistake in a setting that a function does not read does not harm it. */
  readBy: SettingsOf;
}

/**
 * Each schema is made where its variable is set: at cold start, making all of them takes longer than a login. A
 * protection is switched by an explicit value, never by leaving a setting out.
 */
export const SETTINGS = {
  /** The custom handlers' modules: relative to the bundle's root, or absolute. */
  openidHandlerModule: setting('OPENID_HANDLER_MODULE', null, handlerModule, 'OpenID'),
  samlHandlerModule: setting('SAML_HANDLER_MODULE', null, handlerModule, 'SAML'),
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
  openidExternalId: setting('OPENID_EXTERNAL_ID', 'off', () => oneOf(['off', 'sub']), 'OpenID'),
  samlExternalId: setting('SAML_EXTERNAL_ID', 'off', () => oneOf(SAML_EXTERNAL_IDS), 'SAML'),
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
  openidTokenCheck: setting('OPENID_TOKEN_CHECK', 'off', () => oneOf(['on', 'off']), 'OpenID'),
  openidIssuers: setting(
    'OPENID_ISSUERS',
    new Map<string, OpenIdIssuer>(),
    (env) => openIdIssuers({ isOnLambda: isOnLambda(env) }),
    'OpenID',
  ),
  /** Whether assertions are checked for time, audience and recipient. */
  samlAssertionCheck: setting('SAML_ASSERTION_CHECK', 'off', () => oneOf(['on', 'off']), 'SAML'),
  samlIssuers: setting('SAML_ISSUERS', new Map<string, SamlIssuer>(), samlIssuers, 'SAML'),
  /** By how much clocks may differ, in seconds. */
  clockSkewSeconds: setting('CLOCK_SKEW_SECONDS', 60, () => wholeNumber(0, MAX_CLOCK_SKEW_SECONDS)),
  /** Which build this is: the plugin sets a digest of the code, and nothing is decided by it. */
  codeVersion: setting('CODE_VERSION', null, () => nonEmpty('the digest that the plugin sets')),
};

export type Settings = { [TKey in keyof typeof SETTINGS]: (typeof SETTINGS)[TKey]['unset'] };

/** The variables of all settings. */
export const SETTING_NAMES: readonly string[] = Object.values(SETTINGS).map(({ variable }) => variable);

/** The variable of a setting. */
export function variableOf(setting: keyof Settings): string {
  return SETTINGS[setting].variable;
}

function setting<const TUnset, TSet>(
  variable: string,
  unset: TUnset,
  schema: (env: Environment) => v.GenericSchema<string, TSet>,
  readBy: SettingsOf = 'both',
): Setting<TUnset | TSet> {
  return { variable, unset, schema, readBy };
}

/** Only Lambda sets the address of the Runtime API. */
export function isOnLambda(env: Environment): boolean {
  return env.AWS_LAMBDA_RUNTIME_API !== undefined;
}

/** An empty string is a mistake, not "unset": an unresolved variable must never bring the default back. */
function nonEmpty(what: string) {
  return v.pipe(v.string(), v.nonEmpty(`expected ${what}, found nothing`));
}

/** `default` is the default handler, said aloud. */
function handlerModule() {
  return v.pipe(
    nonEmpty('the name of a module'),
    v.transform((name) => (name === 'default' ? null : name)),
  );
}

function requiredFields() {
  const expected = `expected ${REQUIRABLE_FIELDS.join(', ')}, or some of them with commas between them, or none`;
  return v.pipe(
    v.string(),
    v.transform((text) => (text === 'none' ? [] : text.split(',').map((name) => name.trim()))),
    v.check((names) => names.every((name) => REQUIRABLE_FIELDS.some((field) => field === name)), expected),
    v.transform((names) => REQUIRABLE_FIELDS.filter((field) => names.includes(field))),
  );
}

/** A whole number above 0, in the unit that the setting's name ends with. */
function positive() {
  return wholeNumber(1, 999_999_999);
}

/** What an operator puts in the place of a secret's name by mistake. */
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

/** A name or ARN in AWS Secrets Manager. */
const ARN = /^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+$/;
/** The characters that names may have (CreateSecret, parameter Name). */
const NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/;

/** Keys as Standard Webhooks writes them, and JSON Web Tokens. */
const PREFIX_OF_SECRETS = /^(?:whsec_|whsk_|eyJ)/;
/** Base64, or hexadecimal digits, of 24 bytes or more. A path of lower-case words has the same characters. */
const KEY = /^(?![a-z/]*$)[A-Za-z0-9+/]{32,}={0,2}$/;

/** Whether a text can name a secret, and does not look like one. A name that looks like one can be given by its ARN. */
export function isSecretId(text: string): boolean {
  return ARN.test(text) || (NAME.test(text) && !PREFIX_OF_SECRETS.test(text) && !KEY.test(text));
}
