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
/** What `dotenv-expand` replaces, in quotes of any kind too. One with a default (`${A:-b}`) is meant so. */
const REPLACED = /(?<!\\)\$(?:\{([^{}+-]+)\}|([A-Za-z_]\w*))/g;
const LOST =
  'a $ begins the name of a variable that is not set, which would be left out. For the character itself, write \\$';

/**
 * Reads the file of the stage with the two libraries that `serverless` reads it with.
 *
 * @returns what is set already, and what the file adds to it
 */
export function readDotenv(files: SettingFiles): NodeJS.ProcessEnv {
  const processEnv = textsIn(files.env);
  const { read } = dotenvFiles(files);
  if (read !== null) expand({ ...dotenv.config({ path: read, processEnv, quiet: true }), processEnv });
  return processEnv;
}

function textsIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
}

/** The file that is read, and the one that is not for its sake. */
function dotenvFiles({ folder, stage }: SettingFiles): { read: string | null; skipped: string | null } {
  const names = stage === null ? [] : [`.env.${stage}`, '.env'];
  const [read = null, skipped = null] = names
    .map((name) => join(folder, name))
    .filter((file) => existsSync(file));
  return { read, skipped };
}

/**
 * Looks for names that are not a setting's but were meant so, in the environment and in the file of the stage.
 *
 * @returns sentences without any value
 */
export function checkSettingNames(files: SettingFiles): { problems: string[]; notes: string[] } {
  const { configuration, env } = files;
  const taken = namesTaken(files);
  const { read, skipped } = dotenvFiles(files);
  const inFile = read === null ? { names: [], problems: [] } : namesIn(read, taken, env);
  const ofEnvironment = Object.keys(env).filter((name) => !inFile.names.includes(name));
  const mistakes = (names: readonly string[], where: string) =>
    names.flatMap((name) => {
      const problem = mistake(name, taken, basename(configuration));
      return problem === null ? [] : [`${where}: ${problem}`];
    });
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

function namesTaken({ folder, configuration }: SettingFiles): string[] {
  return [...ALL_SETTINGS, ...namesListedIn(resolve(folder, configuration))];
}

/**
 * Which variables of the stage's file no function gets on AWS: on this machine, handlers read them.
 *
 * @returns a sentence, or nothing
 */
export function notesOfUnpassed(files: SettingFiles): string[] {
  const { read } = dotenvFiles(files);
  if (read === null) return [];
  const used = [...namesTaken(files), ...referencesIn(textOf(read) ?? '')];
  const names = namesIn(read).names.filter((name) => !used.includes(name) && !OF_THE_MACHINE.test(name));
  if (names.length === 0) return [];
  return [
    `${basename(read)}: not passed to the functions on AWS: ${names.join(', ')}. If a handler reads them, list them ` +
      `below provider.environment in ${basename(files.configuration)}, e.g. ${names[0]}: \${env:${names[0]}, null}`,
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
export function sourceOf(name: string, value: unknown, files: SettingFiles): string {
  const { stage, env, configuration } = files;
  const { read } = dotenvFiles(files);
  if (value === undefined)
    return stage === null ? basename(configuration) : basename(read ?? `.env.${stage}`);
  if (read !== null && valuesIn(read, env)[name] === value) return basename(read);
  return env[name] === value ? 'environment' : basename(configuration);
}

/** As `readDotenv` reads a file, and nothing of it is set already. */
function valuesIn(file: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const parsed = dotenv.parse(textOf(file) ?? '');
  const others = Object.entries(textsIn(env)).filter(([name]) => !(name in parsed));
  return expand({ parsed, processEnv: Object.fromEntries(others) }).parsed ?? {};
}

/** The names in a file, and what in it is lost without a word by the libraries that read it. */
function namesIn(
  file: string,
  taken: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): { names: string[]; problems: string[] } {
  const where = basename(file);
  const text = textOf(file);
  if (text === null)
    return { names: [], problems: [`${where}: expected a file of UTF-8 text: save it as UTF-8`] };
  const parsed = dotenv.parse(text);
  const names = Object.keys(parsed);
  const words = text.split('\n').flatMap((line) =>
    line
      .split(/[#=:'"`]/, 1)
      .join()
      .split(/\s+/),
  );
  const unread = taken.filter((name) => !names.includes(name) && words.includes(name));
  const known = { ...env, ...parsed };
  const cut = names.filter((name) => referencesIn(parsed[name] ?? '').some((one) => !(one in known)));
  return {
    names,
    problems: [
      ...unread.map((name) => `${where}: expected ${name}=value, found no value`),
      ...cut.map((name) => `${where}: ${name}: ${LOST}`),
    ],
  };
}

function referencesIn(text: string): string[] {
  return Array.from(text.matchAll(REPLACED), ([, braced, bare]) => braced ?? bare ?? '');
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
