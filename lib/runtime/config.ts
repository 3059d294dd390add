/** The settings: every environment variable of the bundle, read once at cold start. Nothing else reads them. */
import * as v from 'valibot';
import { problemsOf } from '../automation/schema.ts';

const DEFAULT_MAX_BODY_BYTES = 1_048_576;
const DEFAULT_SECRET_TTL_SECONDS = 300;

/** An empty string is a mistake, not "unset": an unresolved variable must never bring the default back. */
const moduleName = v.optional(v.pipe(v.string(), v.nonEmpty('expected the name of a module, found nothing')));

/** A whole number above 0, in the unit that the setting's name ends with. */
const wholeNumber = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'expected a whole number from 1 to 999999999'),
  v.transform(Number),
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
    /** On a developer's machine, a JSON file of secrets by id in the place of AWS Secrets Manager. */
    SECRETS_FILE: v.optional(v.pipe(v.string(), v.nonEmpty('expected the path of a file, found nothing'))),
    AWS_LAMBDA_RUNTIME_API: v.optional(v.string()),
  }),
  v.forward(
    v.check(
      (env) => env.SECRETS_FILE === undefined || env.AWS_LAMBDA_RUNTIME_API === undefined,
      'expected to be unset on Lambda, where secrets come from AWS Secrets Manager alone',
    ),
    ['SECRETS_FILE'],
  ),
  v.transform((env) => ({
    openidHandlerModule: env.OPENID_HANDLER_MODULE ?? null,
    samlHandlerModule: env.SAML_HANDLER_MODULE ?? null,
    responseNames: env.RESPONSE_NAMES,
    handlerTimeoutMs: env.HANDLER_TIMEOUT_MS ?? null,
    maxBodyBytes: env.MAX_BODY_BYTES,
    secretTtlSeconds: env.SECRET_TTL_SECONDS,
    secretsFile: env.SECRETS_FILE ?? null,
  })),
);

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
