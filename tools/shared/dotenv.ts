/** Settings in `.env.<stage>` or `.env`: read as `serverless` reads them, and checked for names that nothing reads. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import dotenv from 'dotenv';
import { expand } from 'dotenv-expand';
import { ALL_SETTINGS, mistake, namesListedIn } from './settingNames.ts';
import { isStage, stagesIn } from './stages.ts';

/** Where settings may be from. */
export interface SettingFiles {
  folder: string;
  /** Whose file is read; null where none is. */
  stage: string | null;
  /** The file that lists an operator's own variables, from that folder. */
  configuration: string;
  /** What is set already. */
  env: NodeJS.ProcessEnv;
  /** Whether the stage may be one that only AWS knows. Default: false. */
  mayBeDeployed?: boolean;
}

/** What AWS, Node, npm and `serverless` read on the machine that deploys. */
const OF_THE_MACHINE =
  /^(?:AWS|NODE|NPM|SLS|SERVERLESS|LOGIN_HOOKS)_|_PROXY$|^(?:CI|DEBUG|(?:NO|FORCE)_COLOR)$/i;
const REFERENCE = /\$\{?(\w+)/g;

/**
 * Reads the file of the stage with the two libraries that `serverless` reads it with.
 *
 * @returns what is set already, and what the file adds to it
 */
export function readDotenv({ folder, stage, env }: SettingFiles): NodeJS.ProcessEnv {
  const processEnv = textsOf(env);
  const { read } = stage === null ? { read: null } : dotenvFiles(folder, stage);
  if (read !== null) expand({ ...dotenv.config({ path: read, processEnv, quiet: true }), processEnv });
  return processEnv;
}

function textsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;
  return Object.fromEntries(Object.entries(env).filter(isSet));
}

/** The file that is read, and the one that is not for its sake. */
function dotenvFiles(folder: string, stage: string): { read: string | null; skipped: string | null } {
  const [read = null, skipped = null] = [`.env.${stage}`, '.env']
    .map((name) => join(folder, name))
    .filter((file) => existsSync(file));
  return { read, skipped };
}

/**
 * Looks for names that are not a setting's but were meant so, in the environment and in the file of the stage.
 *
 * @returns sentences without any value
 */
export function checkSettingNames(files: SettingFiles): {
  problems: string[];
  notes: string[];
} {
  const { folder, stage, configuration, env } = files;
  const taken = [...ALL_SETTINGS, ...namesListedIn(resolve(folder, configuration))];
  const { read, skipped } = stage === null ? { read: null, skipped: null } : dotenvFiles(folder, stage);
  const inFile = read === null ? { names: [], problems: [] } : namesIn(read, taken, env);
  const ofEnvironment = Object.keys(env).filter((name) => !inFile.names.includes(name));
  const mistakes = (names: readonly string[], where: string) =>
    names
      .flatMap((name) => mistake(name, taken, basename(configuration)) ?? [])
      .map((problem) => `${where}: ${problem}`);
  return {
    problems: [
      ...missingStage(files),
      ...inFile.problems,
      ...mistakes(inFile.names, basename(read ?? '')),
      ...mistakes(ofEnvironment, 'environment'),
    ],
    notes: skipped === null ? [] : notesOf(skipped, basename(read ?? ''), taken),
  };
}

/**
 * Which variables of the stage's file no function gets on AWS: on this machine, handlers read them.
 *
 * @returns a sentence, or nothing
 */
export function notesOfUnpassed({ folder, stage, configuration }: SettingFiles): string[] {
  const { read } = stage === null ? { read: null } : dotenvFiles(folder, stage);
  if (read === null) return [];
  const parts = Array.from((textOf(read) ?? '').matchAll(REFERENCE), ([, name = '']) => name);
  const used = [...ALL_SETTINGS, ...namesListedIn(resolve(folder, configuration)), ...parts];
  const names = namesIn(read, []).names.filter((name) => !used.includes(name) && !OF_THE_MACHINE.test(name));
  if (names.length === 0) return [];
  return [
    `${basename(read)}: not passed to the functions on AWS: ${names.join(', ')}. If a handler reads them, list them ` +
      `below provider.environment in ${basename(configuration)}, e.g. ${names[0]}: \${env:${names[0]}, null}`,
  ];
}

function missingStage({ folder, stage, configuration, mayBeDeployed = false }: SettingFiles): string[] {
  if (stage === null || mayBeDeployed) return [];
  const stages = stagesIn(folder, resolve(folder, configuration));
  if (isStage(stage, stages)) return [];
  return [
    `there is no stage ${stage}: expected ${stages.join(' or ')}. For another one, make .env.${stage}, which may be empty`,
  ];
}

/**
 * Where the value of a setting is from: the file of the stage, the environment, or the configuration. A setting without
 * a value belongs into the file of the stage.
 *
 * @returns e.g. `.env.prod`, `environment`, `serverless.yml`
 */
export function sourceOf(
  name: string,
  value: unknown,
  { folder, stage, configuration, env }: SettingFiles,
): string {
  if (stage !== null) {
    const { read } = dotenvFiles(folder, stage);
    if (value === undefined) return basename(read ?? `.env.${stage}`);
    if (read !== null && valuesIn(read, env)[name] === value) return basename(read);
  }
  return value !== undefined && env[name] === value ? 'environment' : basename(configuration);
}

/** As `readDotenv` reads a file, and nothing of it is set already. */
function valuesIn(file: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const parsed = dotenv.parse(textOf(file) ?? '');
  const others = Object.entries(textsOf(env)).filter(([name]) => !(name in parsed));
  return expand({ parsed, processEnv: Object.fromEntries(others) }).parsed ?? {};
}

/** The names in a file, and what in it is lost without a word by the libraries that read it. */
function namesIn(
  file: string,
  taken: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { names: string[]; problems: string[] } {
  const where = basename(file);
  const text = textOf(file);
  if (text === null)
    return { names: [], problems: [`${where}: expected a file of UTF-8 text: save it as UTF-8`] };
  const parsed = dotenv.parse(text);
  const names = Object.keys(parsed);
  const unread = taken.filter((name) => !names.includes(name) && isInALine(name, text));
  const cut = names.filter((name) => losesText(parsed[name] ?? '', { ...env, ...parsed }));
  return {
    names,
    problems: [
      ...unread.map((name) => `${where}: expected ${name}=value, found no value`),
      ...cut.map((name) => `${where}: ${name}: ${LOST}`),
    ],
  };
}

/** Whether a name stands in a line before all values and comments. */
function isInALine(name: string, text: string): boolean {
  return new RegExp(`^[^#=:'"\`]*(?<![\\w.-])${name}(?![\\w.-])`, 'm').test(text);
}

const LOST =
  'a $ begins the name of a variable that is not set, which would be left out. For the character itself, write \\$';
/** What `dotenv-expand` replaces, in quotes of any kind too. One with a default (`${A:-b}`) is meant so. */
const REPLACED = /(?<!\\)\$(?:\{([^{}+-]+)\}|([A-Za-z_]\w*))/g;

/** Whether a variable in a value is set nowhere. */
function losesText(value: string, env: NodeJS.ProcessEnv): boolean {
  return Array.from(value.matchAll(REPLACED)).some(([, braced, bare]) => !((braced ?? bare ?? '') in env));
}

/** Null for a file that cannot be read, or in the UTF-16 that some shells write. */
function textOf(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function notesOf(skipped: string, read: string, taken: readonly string[]): string[] {
  const { names } = namesIn(skipped, taken);
  const settings = names.filter((name) => taken.includes(name) || mistake(name, taken) !== null);
  if (settings.length === 0) return [];
  return [`${basename(skipped)} is not read, because ${read} exists. Not in force: ${settings.join(', ')}`];
}
