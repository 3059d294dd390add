/** Reads the settings, once at cold start. Nothing else of the bundle reads the environment. */
import * as v from 'valibot';
import { environmentProblems } from './forbiddenVariables.ts';
import { problemsOf } from './schema.ts';
import {
  type Environment,
  isOnLambda,
  SAML_EXTERNAL_IDS,
  SETTINGS,
  type Settings,
  type SettingsOf,
} from './settings.ts';
import { inWords } from './text.ts';

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

const read = new Map<SettingsOf, Configuration>();

/** The configuration of this process, read once. */
export function configuration(of: SettingsOf): Configuration {
  const known = read.get(of) ?? readConfiguration(of);
  read.set(of, known);
  return known;
}

/** Reads the settings. Never throws: an unusable configuration responds to every login with an error. */
export function readConfiguration(of: SettingsOf, env: Environment = process.env): Configuration {
  const problems: string[] = [];
  const given: Record<string, unknown> = {};
  for (const [name, { variable, schema }] of Object.entries(SETTINGS)) {
    const value = env[variable];
    if (value === undefined || !isRead(variable, of)) continue;
    const read = readSetting(variable, schema(env), value);
    if ('value' in read) given[name] = read.value;
    problems.push(...read.problems);
  }
  for (const [variable, expected] of contradictions(env)) {
    if (isRead(variable, of)) problems.push(`${variable}: ${expected}`);
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

/** A variable that is no setting is looked at by each function. */
function isRead(variable: string, of: SettingsOf): boolean {
  const { readBy = 'both' } = Object.values(SETTINGS).find((one) => one.variable === variable) ?? {};
  return readBy === 'both' || readBy === of;
}

/** Whether people without an address may log in: only an identifier of another kind tells them from each other. */
export function areAddressesOptional(env: Environment): boolean {
  // Most people set none, and the schema takes its time.
  if (env.REQUIRED_FIELDS === undefined) return false;
  const { success, output } = v.safeParse(SETTINGS.requiredFields.schema(env), env.REQUIRED_FIELDS);
  return success && !output.includes('email');
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
    yield [
      'OPENID_ISSUERS',
      'expected {"<issuer>": {"audiences": ["<client id>"]}}, because OPENID_TOKEN_CHECK is on',
    ];
  }
  if (env.SAML_ASSERTION_CHECK === 'on' && env.SAML_ISSUERS === undefined) {
    yield [
      'SAML_ISSUERS',
      'expected {"<entity id>": {"audiences": ["<entity id of the service>"], "recipients": ["<its ACS URL>"]}}, because SAML_ASSERTION_CHECK is on',
    ];
  }
}
