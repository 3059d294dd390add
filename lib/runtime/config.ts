/** The settings: every environment variable of the bundle, read once at cold start. Nothing else reads them. */
import * as v from 'valibot';
import { problemsOf } from '../automation/schema.ts';
import { type OpenIdIssuer, openIdIssuers, type SamlIssuer, samlIssuers } from './issuers.ts';

const DEFAULT_MAX_BODY_BYTES = 1_048_576;
const DEFAULT_SECRET_TTL_SECONDS = 300;
/** Usual are 60 to 180; a skew of hours would be as good as no check of the time. */
const DEFAULT_CLOCK_SKEW_SECONDS = 60;
const MAX_CLOCK_SKEW_SECONDS = 600;

/** An empty string is a mistake, not "unset": an unresolved variable must never bring the default back. */
const text = (what: string) => v.optional(v.pipe(v.string(), v.nonEmpty(`expected ${what}, found nothing`)));
const moduleName = text('the name of a module');

/** A protection is switched by an explicit value, never by leaving a setting out. */
const onOrOff = v.optional(v.picklist(['on', 'off'], 'expected on or off'), 'off');

/** A whole number above 0, in the unit that the setting's name ends with. */
const wholeNumber = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'expected a whole number from 1 to 999999999'),
  v.transform(Number),
);

const CLOCK_SKEW = `expected a whole number from 0 to ${MAX_CLOCK_SKEW_SECONDS}`;
const clockSkew = v.pipe(
  v.string(),
  v.regex(/^\d{1,3}$/, CLOCK_SKEW),
  v.transform(Number),
  v.maxValue(MAX_CLOCK_SKEW_SECONDS, CLOCK_SKEW),
);

const Environment = v.pipe(
  v.object({
    /** The custom handlers' modules: relative to the bundle's root, or absolute. */
    OPENID_HANDLER_MODULE: moduleName,
    SAML_HANDLER_MODULE: moduleName,
    /** How the answer's fields are named. */
    RESPONSE_NAMES: v.optional(
      v.picklist(['snake_case', 'camelCase'], 'expected snake_case or camelCase'),
      'snake_case',
    ),
    /** Upper bound for the handler, in milliseconds. Unset: what the invocation leaves. */
    HANDLER_TIMEOUT_MS: v.optional(wholeNumber),
    /** Largest decoded HTTP body, in bytes. */
    MAX_BODY_BYTES: v.optional(wholeNumber, String(DEFAULT_MAX_BODY_BYTES)),
    /** For how long a secret is used before it is asked for again, in seconds. */
    SECRET_TTL_SECONDS: v.optional(wholeNumber, String(DEFAULT_SECRET_TTL_SECONDS)),
    /** The secrets that the functions may read, names or ARNs with commas between them: for the self-test. */
    SECRET_IDS: text('names or ARNs of secrets'),
    /** On a developer's machine, a JSON file of secrets by id in the place of AWS Secrets Manager. */
    SECRETS_FILE: text('the path of a file'),
    /** What proves who calls over HTTP: AWS's own signature, checked by the route, or Standard Webhooks, checked here. */
    CALLER_CHECK: v.optional(v.picklist(['iam', 'signature'], 'expected iam or signature'), 'iam'),
    /** The secret that the service signs its requests with, by name or ARN. */
    SIGNING_SECRET_ID: text('the name or ARN of a secret'),
    /** Whether ID tokens are checked against these issuers' keys. */
    OPENID_TOKEN_CHECK: onOrOff,
    OPENID_ISSUERS: v.optional(openIdIssuers),
    /** Whether assertions are checked for time, audience and recipient. */
    SAML_ASSERTION_CHECK: onOrOff,
    SAML_ISSUERS: v.optional(samlIssuers),
    /** By how much clocks may differ, in seconds. */
    CLOCK_SKEW_SECONDS: v.optional(clockSkew, String(DEFAULT_CLOCK_SKEW_SECONDS)),
    AWS_LAMBDA_RUNTIME_API: v.optional(v.string()),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    for (const [key, message] of contradictions(input)) {
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: undefined }] });
    }
  }),
  v.transform((env) => ({
    openidHandlerModule: env.OPENID_HANDLER_MODULE ?? null,
    samlHandlerModule: env.SAML_HANDLER_MODULE ?? null,
    responseNames: env.RESPONSE_NAMES,
    handlerTimeoutMs: env.HANDLER_TIMEOUT_MS ?? null,
    maxBodyBytes: env.MAX_BODY_BYTES,
    secretTtlSeconds: env.SECRET_TTL_SECONDS,
    secretIds: (env.SECRET_IDS ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter(Boolean),
    secretsFile: env.SECRETS_FILE ?? null,
    callerCheck: env.CALLER_CHECK,
    signingSecretId: env.SIGNING_SECRET_ID ?? null,
    openidTokenCheck: env.OPENID_TOKEN_CHECK,
    openidIssuers: env.OPENID_ISSUERS ?? new Map<string, OpenIdIssuer>(),
    samlAssertionCheck: env.SAML_ASSERTION_CHECK,
    samlIssuers: env.SAML_ISSUERS ?? new Map<string, SamlIssuer>(),
    clockSkewSeconds: env.CLOCK_SKEW_SECONDS,
  })),
);

/** What each setting alone does not show: the setting to change, and what was expected of it. */
function* contradictions(env: Record<string, unknown>): Generator<[setting: string, expected: string]> {
  if (env.SECRETS_FILE !== undefined && env.AWS_LAMBDA_RUNTIME_API !== undefined) {
    const expected = 'expected to be unset on Lambda, where secrets come from AWS Secrets Manager alone';
    yield ['SECRETS_FILE', expected];
  }
  if (env.CALLER_CHECK === 'signature' && env.SIGNING_SECRET_ID === undefined) {
    yield ['SIGNING_SECRET_ID', 'expected the name or ARN of a secret, because CALLER_CHECK is signature'];
  }
  if (env.OPENID_TOKEN_CHECK === 'on' && env.OPENID_ISSUERS === undefined) {
    yield ['OPENID_ISSUERS', 'expected issuers, because OPENID_TOKEN_CHECK is on'];
  }
  if (env.SAML_ASSERTION_CHECK === 'on' && env.SAML_ISSUERS === undefined) {
    yield ['SAML_ISSUERS', 'expected issuers, because SAML_ASSERTION_CHECK is on'];
  }
}

export type Settings = v.InferOutput<typeof Environment>;

/** What Lambda sets for its runtime. Never unusable: nobody may be kept out because of a log level. */
const LambdaLogging = v.pipe(
  v.object({
    AWS_LAMBDA_LOG_LEVEL: v.fallback(
      v.pipe(v.string(), v.toUpperCase(), v.picklist(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'])),
      'INFO',
    ),
    AWS_LAMBDA_LOG_FORMAT: v.optional(v.string()),
    /** The address of Lambda's Runtime API, set by Lambda alone. */
    AWS_LAMBDA_RUNTIME_API: v.optional(v.string()),
  }),
  v.transform((env) => ({
    level: env.AWS_LAMBDA_LOG_LEVEL,
    /** Whether `console` makes JSON of an object by itself. */
    isJson: env.AWS_LAMBDA_RUNTIME_API !== undefined && env.AWS_LAMBDA_LOG_FORMAT === 'JSON',
  })),
);

export type Logging = v.InferOutput<typeof LambdaLogging>;

export interface Configuration {
  logging: Logging;
  /** The defaults where the configuration is unusable: no login gets as far as using them. */
  settings: Settings;
  /** What makes the configuration unusable, e.g. `RESPONSE_NAMES: expected snake_case or camelCase`. */
  problems: string[];
}

/** Reads the settings. Never throws: an unusable configuration is the answer to every login, not a crash. */
export function readConfiguration(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Configuration {
  const result = v.safeParse(Environment, env);
  const logging = v.parse(LambdaLogging, env);
  if (result.success) return { logging, settings: result.output, problems: [] };
  return { logging, settings: v.parse(Environment, {}), problems: problemsOf(result.issues) };
}

let read: Configuration | undefined;

/** The configuration of this process, read once. */
export function configuration(): Configuration {
  read ??= readConfiguration();
  return read;
}
