/** The settings of a stage on this machine, and the environment of a function that runs here. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { KINDS } from '../../lib/kinds.ts';
import { LOG_LEVELS, readConfiguration as readFunctionSettings } from '../../lib/readSettings.ts';
import { isJsonObject } from '../../lib/schema.ts';
import { variableOf } from '../../lib/settings.ts';
import { inWords, trimmedAll } from '../../lib/text.ts';
import { parsedJson, readFileNow, UnusableInput } from './commandLine.ts';
import { handlerSettings, readConfiguration } from './configuration.ts';
import { CERTIFICATES, DEFAULT_STAGE, readSettings, type StageSettings } from './dotenv.ts';
import { handlerIn, handlerSetting, handlerVariable } from './functions.ts';
import { CONFIGURATION, ofProject, PROJECT } from './project.ts';

/** A text to some handlers, and the credentials of a client to others. */
const STAND_IN = { client_id: 'stand-in', client_secret: 'stand-in' };
export const STAND_INS = 'stand-in-secrets';

const LOG_LEVEL = 'AWS_LAMBDA_LOG_LEVEL';

const CHECKS = ['CALLER_CHECK', ...Object.values(KINDS).map(({ check }) => variableOf(check))];

/** For sample events: they have tokens and assertions that nobody signed, and times long past. */
export function withoutChecks(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return without(CHECKS, env);
}

const FORM = ['RESPONSE_NAMES', 'MESSAGE_LANGUAGE'];
const IDENTIFIERS = ['OPENID_EXTERNAL_ID', 'SAML_EXTERNAL_ID'];

/** For sample events: each has one expected response, for all stages. An identifier that people without an address must have stays. */
export function withDefaultResponses(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { requiredFields } = readFunctionSettings('both', env).settings;
  return without([...FORM, ...(requiredFields.includes('email') ? IDENTIFIERS : [])], env);
}

function without(names: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** The settings of a stage: the environment that the process was started with, and what the file of the stage adds to it. */
export class Stage {
  readonly name: string;
  /** Where `.env` files are. The tests name a folder of their own: no setting of the operator's changes what they see. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly #given: NodeJS.ProcessEnv;
  readonly #options: Readonly<Record<'asksForSecrets' | 'mayBeDeployed', boolean>>;
  #settings: StageSettings;

  /**
   * @param options `asksForSecrets`: whether `SECRETS_FILE` must be there where it is set. `mayBeDeployed`: whether the stage
   *   may be one that only AWS knows
   * @throws {UnusableInput} for a name that is not a setting's but was meant so, and for a file that is not there
   */
  constructor(
    name = DEFAULT_STAGE,
    env: NodeJS.ProcessEnv = process.env,
    { asksForSecrets = true, mayBeDeployed = false } = {},
  ) {
    this.name = name;
    this.#given = { ...env };
    this.#options = { asksForSecrets, mayBeDeployed };
    this.folder = env.LOGIN_HOOKS_ENV_FOLDER ?? PROJECT;
    this.files = ['.env', `.env.${name}`].map((file) => join(this.folder, file));
    this.#settings = this.#read();
  }

  get env(): Readonly<NodeJS.ProcessEnv> {
    return this.#settings.env;
  }

  /** That there is no such stage, and which there are; null for one of the project. */
  get missing(): string | null {
    return this.#settings.missing;
  }

  /** Where `SECRETS_FILE` is; null where it is not set. */
  get secretsFile(): string | null {
    return this.env.SECRETS_FILE ? resolve(PROJECT, this.env.SECRETS_FILE) : null;
  }

  get secretIds(): string[] {
    return trimmedAll((this.env.SECRET_IDS ?? '').split(','));
  }

  /**
   * Writes a file with a made-up value for each secret of `SECRET_IDS`, or what `secrets.sample.json` has for it.
   *
   * @returns its setting; nothing where the stage has a file of its own
   */
  standInSecrets(folder: string): NodeJS.ProcessEnv {
    if (this.secretsFile !== null) return {};
    const sample = join(PROJECT, 'secrets.sample.json');
    const samples = existsSync(sample) ? secretsIn(sample) : {};
    const secrets = this.secretIds.map((id) => [id, samples[id] ?? STAND_IN]);
    const file = join(folder, `${STAND_INS}.${this.name}.json`);
    const text = JSON.stringify(Object.fromEntries(secrets));
    writeFileSync(file, text);
    return { SECRETS_FILE: file };
  }

  /** The option that makes a command read the same settings; an empty list where it does so without. */
  get option(): string[] {
    return this.name === DEFAULT_STAGE ? [] : ['--stage', this.name];
  }

  /** Reads the files again. Where they cannot be used, the settings before stay. @throws {UnusableInput} */
  refresh(): void {
    this.#settings = this.#read();
  }

  /** @returns undefined for the default handler */
  handlerOf(functionName: string): string | undefined {
    return handlerIn(this.env, functionName);
  }

  /** What answers the logins of a function, and where that is said, e.g. `handlers/keycloak (serverless.yml)`. */
  answeringOf(functionName: string): string {
    const setting = handlerVariable(functionName);
    const handler = this.handlerOf(functionName) ?? 'the default handler';
    const isSet = this.env[setting] !== undefined;
    return `${handler} (${isSet ? this.sourceOf(setting) : basename(CONFIGURATION)})`;
  }

  /** @param handlerModule what the function's handler setting says instead of what it said; null for the default handler */
  readonly environmentOf = (functionName: string, handlerModule?: string | null): NodeJS.ProcessEnv => ({
    ...(handlerModule === null ? without([handlerVariable(functionName)], this.env) : this.env),
    ...(typeof handlerModule === 'string' && handlerSetting(functionName, handlerModule)),
  });

  /** Where the value of a setting is from, e.g. `.env.prod` or `environment`. */
  readonly sourceOf = (setting: string): string => this.#settings.sourceOf(setting, this.env[setting]);

  /** What an operator should know of the files before a deployment. */
  get notes(): readonly string[] {
    return this.#settings.notes;
  }

  #read(): StageSettings {
    const { asksForSecrets, mayBeDeployed } = this.#options;
    const configuration = readConfiguration(CONFIGURATION);
    const files = { folder: this.folder, stage: this.name, configuration, env: this.#given };
    const settings = readSettings({ ...files, mayBeDeployed });
    if (settings.problems.length > 0) throw new UnusableInput(settings.problems.join('\n'));
    const env = { ...handlerSettings(configuration), ...settings.env };
    // A clone has no such file, and its events are answered by recordings.
    if (!asksForSecrets && !existsSync(resolve(PROJECT, env.SECRETS_FILE ?? ''))) delete env.SECRETS_FILE;
    // Node only warns of certificates that are not there, and a function says so at its first secret.
    for (const name of ['SECRETS_FILE', CERTIFICATES]) {
      const file = env[name];
      if (!file || existsSync(resolve(PROJECT, file))) continue;
      throw new UnusableInput(`${settings.sourceOf(name, file)}: ${name} does not exist: ${file}`);
    }
    if (env.SECRETS_FILE) secretsIn(resolve(PROJECT, env.SECRETS_FILE));
    // A function would take the default: a wrong level must not stop a login.
    const level = env[LOG_LEVEL];
    if (level !== undefined && !LOG_LEVELS.some((one) => one === level.toUpperCase()))
      throw new UnusableInput(
        `${settings.sourceOf(LOG_LEVEL, level)}: ${LOG_LEVEL}: expected ${inWords(LOG_LEVELS, 'or')}`,
      );
    return { ...settings, env };
  }
}

/** @throws {UnusableInput} for a file of anything but a JSON object */
function secretsIn(file: string): Readonly<Record<string, unknown>> {
  const name = ofProject(file);
  const secrets = parsedJson(readFileNow(file, name), name);
  if (isJsonObject(secrets)) return secrets;
  throw new UnusableInput(`${name}: expected a JSON object of id to secret`);
}
