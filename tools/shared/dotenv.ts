/** Settings in `.env.<stage>` or `.env`: read as `serverless` reads them, and checked for names that nothing reads. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import dotenv from 'dotenv';
import { expand } from 'dotenv-expand';
import { readConfiguration } from './configuration.ts';
import { ALL_SETTINGS, mistake, namesListedIn } from './settingNames.ts';

export const DEFAULT_STAGE = 'dev';

export interface SettingFiles {
  folder: string;
  /** Whose file is read; null where none is. */
  stage: string | null;
  /** The file that lists an operator's own variables, from that folder. */
  configuration: string;
  env: NodeJS.ProcessEnv;
  /** Whether the stage may be one that only AWS knows. Default: false. */
  mayBeDeployed?: boolean;
}

interface SettingFile {
  name: string;
  text: string;
  parsed: Readonly<Record<string, string>>;
}

/** What AWS, Node, npm and `serverless` read on the machine that deploys. */
const OF_THE_MACHINE =
  /^(?:AWS|NODE|NPM|SLS|SERVERLESS|LOGIN_HOOKS)_|_PROXY$|^(?:CI|DEBUG|(?:NO|FORCE)_COLOR)$/i;
/** What `dotenv-expand` replaces, in quotes of any kind too. One with a default (`${A:-b}`) is meant so. */
const REPLACED = /(?<!\\)\$(?:\{([^{}+-]+)\}|([A-Za-z_]\w*))/g;
const LOST =
  'a $ begins the name of a variable that is not set, which would be left out. For the character itself, write \\$';

/** A machine names the authorities of its own network, which are none for the functions of a stage that names others. */
export const CERTIFICATES = 'NODE_EXTRA_CA_CERTS';

/** @returns what is set already, and what the file of the stage adds to it */
export function readDotenv(files: SettingFiles): NodeJS.ProcessEnv {
  const parsed = { ...fileOf(files)?.parsed };
  const processEnv: Record<string, string> = {};
  for (const [name, value] of Object.entries(files.env))
    if (value !== undefined && !(name === CERTIFICATES && name in parsed)) processEnv[name] = value;
  dotenv.populate(processEnv, parsed);
  expand({ parsed, processEnv });
  return processEnv;
}

function fileOf({ folder, stage }: SettingFiles): SettingFile | undefined {
  return stage === null ? undefined : firstOf(folder, [`.env.${stage}`, '.env']);
}

function firstOf(folder: string, names: readonly string[]): SettingFile | undefined {
  const name = names.find((one) => existsSync(join(folder, one)));
  if (name === undefined) return undefined;
  const text = readFileSync(join(folder, name), 'utf8');
  return { name, text, parsed: dotenv.parse(text) };
}

/**
 * Looks for names that are not a setting's but were meant so, in the environment and in the file of the stage.
 *
 * @returns sentences without any value
 */
export function settingProblems(files: SettingFiles): string[] {
  const { folder, stage, configuration, env, mayBeDeployed = false } = files;
  const taken = namesTaken(files);
  const read = fileOf(files);
  const inFile = Object.keys(read?.parsed ?? {});
  const mistakes = (names: readonly string[], where = '') =>
    names.flatMap((name) => {
      const problem = mistake(name, taken, basename(configuration));
      return problem === null ? [] : [`${where}: ${problem}`];
    });
  const missing =
    stage === null || mayBeDeployed ? null : missingStage(stage, folder, resolve(folder, configuration));
  return [
    ...(missing === null ? [] : [`${missing}. For another one, make .env.${stage}, which may be empty`]),
    ...(read ? problemsIn(read, taken, env) : []),
    ...mistakes(inFile, read?.name),
    ...mistakes(
      Object.keys(env).filter((name) => !inFile.includes(name)),
      'environment',
    ),
  ];
}

function namesTaken({ folder, configuration }: SettingFiles): string[] {
  return [...ALL_SETTINGS, ...namesListedIn(resolve(folder, configuration))];
}

/** What in a file is lost without a word by the libraries that read it. */
function problemsIn(
  { name: file, text, parsed }: SettingFile,
  taken: readonly string[],
  env: NodeJS.ProcessEnv,
): string[] {
  // As some shells write it: UTF-16.
  if (text.includes('\0')) return [`${file}: expected a file of UTF-8 text: save it as UTF-8`];
  const words = text.split('\n').flatMap((line) => line.replace(/[#=:'"`].*/, '').split(/\s+/));
  const unread = taken.filter((name) => !(name in parsed) && words.includes(name));
  const known = { ...env, ...parsed };
  const cut = Object.entries(parsed).filter(([, value]) => namesIn(value).some((one) => !(one in known)));
  return [
    ...unread.map((name) => `${file}: expected ${name}=value, found no value`),
    ...cut.map(([name]) => `${file}: ${name}: ${LOST}`),
  ];
}

/** The variables that a value has the values of. */
function namesIn(value: string): string[] {
  return Array.from(value.matchAll(REPLACED), ([, braced, bare]) => braced ?? bare ?? '');
}

/** What an operator should know of the files before a deployment, without any value. */
export function notesOfFiles(files: SettingFiles): string[] {
  return [...notesOfSkipped(files), ...notesOfUnpassed(files)];
}

/** Beside the file of the stage, `.env` is not read: a check that only it turns on is off. */
function notesOfSkipped(files: SettingFiles): string[] {
  const read = fileOf(files);
  const skipped = firstOf(files.folder, ['.env']);
  if (!read || !skipped || read.name === skipped.name) return [];
  const names = Object.keys(skipped.parsed).filter(
    (name) => ALL_SETTINGS.includes(name) && !(name in read.parsed) && files.env[name] === undefined,
  );
  if (names.length === 0) return [];
  return [`${skipped.name} is not read, because ${read.name} exists. Not in force: ${names.join(', ')}`];
}

/** Which variables of the stage's file no function gets on AWS: on this machine, handlers read them. */
function notesOfUnpassed(files: SettingFiles): string[] {
  const read = fileOf(files);
  if (!read) return [];
  const used = [...namesTaken(files), ...namesIn(read.text)];
  const names = Object.keys(read.parsed).filter((name) => !used.includes(name) && !OF_THE_MACHINE.test(name));
  if (names.length === 0) return [];
  return [
    `${read.name}: not passed to the functions on AWS: ${names.join(', ')}. If a handler reads them, list them ` +
      `below provider.environment in ${basename(files.configuration)}, e.g. ${names[0]}: \${env:${names[0]}, null}`,
  ];
}

/**
 * A misspelled stage would read no settings, and all would be well with it. Those of a project are the default, those with a file
 * of settings, and those that the configuration names, with `*` behind a beginning. Names are exact, on file systems that ignore
 * case too.
 *
 * @param folder of the files of settings
 * @returns that there is no such stage, and which there are; null where it is one of them
 */
export function missingStage(name: string, folder: string, configuration: string): string | null {
  const files = readdirSync(folder).flatMap((file) => /^\.env\.(.+)$/.exec(file)?.[1] ?? []);
  const stages = [...new Set([DEFAULT_STAGE, ...files, ...readConfiguration(configuration).stages])].sort();
  const isThere = (one: string) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name);
  return stages.some(isThere) ? null : `there is no stage ${name}: expected ${stages.join(' or ')}`;
}

/**
 * Where the value of a setting is from: the file of the stage, the environment, or the configuration. A setting without
 * a value belongs into the file of the stage.
 *
 * @returns e.g. `.env.prod`, `environment`, `serverless.yml`
 */
export function sourceOf(name: string, value: unknown, files: SettingFiles): string {
  const { stage, env, configuration } = files;
  const read = fileOf(files);
  if (value === undefined) return stage === null ? basename(configuration) : (read?.name ?? `.env.${stage}`);
  const others = Object.entries(env).filter(([other]) => read && !(other in read.parsed));
  const ofFile = readDotenv({ ...files, env: Object.fromEntries(others) });
  if (read && name in read.parsed && ofFile[name] === value) return read.name;
  return env[name] === value ? 'environment' : basename(configuration);
}
