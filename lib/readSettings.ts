/** Reads the settings, once at cold start. Nothing else of the bundle reads the environment. */
import * as v from 'valibot';
import { environmentProblems } from './forbiddenVariables.ts';
import { KINDS } from './kinds.ts';
import { problemsOf } from './schema.ts';
import {
  type Environment,
  isOnLambda,
  SAML_EXTERNAL_IDS,
  SETTINGS,
  type Settings,
  type SettingsOf,
  variableOf,
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
  const rows = Object.entries(SETTINGS);
  const unset = rows.map(([name, setting]) => [name, setting.unset]);
  const defaults: Settings = Object.fromEntries(unset);
  const settings: Record<string, unknown> & Settings = { ...defaults };
  const problems: string[] = [];
  for (const [name, { variable, schema, readBy }] of rows) {
    const text = env[variable];
    if (text === undefined || (readBy !== 'both' && readBy !== of)) continue;
    const read = readSetting(variable, schema(env), text);
    if (read.problems.length === 0) settings[name] = read.value;
    problems.push(...read.problems);
  }
  for (const [variable, expected] of contradictions(of, settings, env))
    problems.push(`${variable}: ${expected}`);
  return { logging: readLogging(env), settings: problems.length === 0 ? settings : defaults, problems };
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

function readLogging(env: Environment): Logging {
  const wanted = env.AWS_LAMBDA_LOG_LEVEL?.toUpperCase();
  return {
    level: LOG_LEVELS.find((level) => level === wanted) ?? 'INFO',
    isJson: isOnLambda(env) && env.AWS_LAMBDA_LOG_FORMAT === 'JSON',
  };
}

const EXPECTED = {
  OpenID: { externalId: 'sub', issuers: '{"<issuer>": {"audiences": ["<client id>"]}}' },
  SAML: {
    externalId: inWords(SAML_EXTERNAL_IDS.slice(1), 'or'),
    issuers:
      '{"<entity id>": {"audiences": ["<entity id of the service>"], "recipients": ["<its ACS URL>"]}}',
  },
};

/** What each setting alone does not show: the variable to change, and what was expected of it. */
function* contradictions(
  of: SettingsOf,
  { requiredFields }: Settings,
  env: Environment,
): Generator<[variable: string, expected: string]> {
  const { NODE_TLS_REJECT_UNAUTHORIZED } = env;
  // On a developer's machine, editors set the others for each terminal.
  yield* environmentProblems(isOnLambda(env) ? env : { NODE_TLS_REJECT_UNAUTHORIZED });
  if (env.SECRETS_FILE !== undefined && isOnLambda(env)) {
    const expected = 'expected to be unset on Lambda, where secrets come only from AWS Secrets Manager';
    yield ['SECRETS_FILE', expected];
  }
  if (env.CALLER_CHECK === 'signature' && env.SIGNING_SECRET_ID === undefined)
    yield ['SIGNING_SECRET_ID', 'expected the name or ARN of a secret, because CALLER_CHECK is signature'];
  if (of === 'both') return;
  const externalId = variableOf(KINDS[of].externalId);
  const check = variableOf(KINDS[of].check);
  const issuers = variableOf(KINDS[of].issuers);
  // Only an identifier of another kind tells people without an address from each other.
  if (!requiredFields.includes('email') && (env[externalId] ?? 'off') === 'off')
    yield [externalId, `expected ${EXPECTED[of].externalId}, because REQUIRED_FIELDS does not have email`];
  if (env[check] === 'on' && env[issuers] === undefined)
    yield [issuers, `expected ${EXPECTED[of].issuers}, because ${check} is on`];
}
