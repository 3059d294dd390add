/** Settings in `.env.<stage>` or `.env`: read as `serverless` reads them, and checked for names that nothing reads. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import dotenv from 'dotenv';
import { expand } from 'dotenv-expand';
import { readFileNow } from './commandLine.ts';
import type { Configuration } from './configuration.ts';
import { ALL_SETTINGS, mistake } from './settingNames.ts';

export const DEFAULT_STAGE = 'dev';

export interface SettingFiles {
  folder: string;
  stage: string;
  /** Whether `serverless` reads such files: it does by `useDotenv`. Default: true. */
  hasDotenv?: boolean;
  /** It lists an operator's own variables, and stages without a file. */
  configuration: Configuration;
  env: NodeJS.ProcessEnv;
  /** Whether the stage may be one that only AWS knows. Default: false. */
  mayBeDeployed?: boolean;
}

export type StageSettings = ReturnType<typeof readSettings>;

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

export function readSettings(files: SettingFiles) {
  const { folder, stage, configuration, env, mayBeDeployed = false, hasDotenv = true } = files;
  const own = `.env.${stage}`;
  const none: SettingFile = { name: hasDotenv ? own : configuration.file, text: '', parsed: {} };
  const all = [own, '.env'].filter((name) => existsSync(join(folder, name)));
  const [found] = hasDotenv ? all : [];
  const file = found === undefined ? none : fileIn(folder, found);
  const { parsed } = file;
  // Virtual environments of Python have such a name, and are folders.
  const skipped = all.filter((name) => name !== found && !statSync(join(folder, name)).isDirectory());
  const taken = [...ALL_SETTINGS, ...configuration.listed];
  const settings = withFile(env, parsed);
  const missing = hasDotenv ? missingStage(files) : null;
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => !(name in parsed)));
  const mistakes = (where: string, variables: object) =>
    Object.keys(variables).flatMap((name) => {
      const problem = mistake(name, taken, configuration.file);
      return problem === null ? [] : [`${where}: ${problem}`];
    });
  return {
    /** What is set already, and what the file of the stage adds to it. */
    env: settings,
    /** Those that the file names. */
    certificates: CERTIFICATES in parsed ? settings[CERTIFICATES] : undefined,
    /** That there is no such stage, and which there are; null where it is one of them, or none is asked for. */
    missing,
    /** Names that are not a setting's but were meant so, and what is lost without a word: sentences without any value. */
    problems: [
      ...(missing === null || mayBeDeployed
        ? []
        : [`${missing}. For another one, make .env.${stage}, which may be empty`]),
      ...problemsIn(file, taken, env),
      ...mistakes(file.name, parsed),
      ...mistakes('environment', others),
    ],
    /** What an operator should know of the files before a deployment, without any value. */
    notes: [
      ...skipped.flatMap((name) => notesOfSkipped(file, fileIn(folder, name), { env, hasDotenv })),
      ...notesOfUnpassed(file, taken, configuration.file),
    ],
    /**
     * Where the value of a setting is from: the file of the stage, the environment, or the configuration. A setting without
     * a value belongs into the file of the stage.
     *
     * @returns e.g. `.env.prod`, `environment`, `serverless.yml`
     */
    sourceOf(name: string, value: unknown): string {
      const ofFile = withFile(others, parsed);
      if (value === undefined || (name in parsed && ofFile[name] === value)) return file.name;
      return env[name] === value ? 'environment' : configuration.file;
    },
  };
}

function fileIn(folder: string, name: string): SettingFile {
  const text = readFileNow(join(folder, name), name);
  return { name, text, parsed: dotenv.parse(text) };
}

function withFile(env: NodeJS.ProcessEnv, ofFile: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const parsed = { ...ofFile };
  const processEnv: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !(name === CERTIFICATES && name in parsed)) processEnv[name] = value;
  dotenv.populate(processEnv, parsed);
  expand({ parsed, processEnv });
  return processEnv;
}

/** What in a file is lost without a word by the libraries that read it. */
function problemsIn(
  { name: file, text, parsed }: SettingFile,
  taken: readonly string[],
  env: NodeJS.ProcessEnv,
): string[] {
  // As some shells write it: UTF-16.
  if (text.includes('\0')) return [`${file}: expected a file of UTF-8 text: save it as UTF-8`];
  const words = text.split('\n').flatMap((line) => {
    const before = line.replace(/[#=:'"`].*/, '').match(/\S+/g) ?? [];
    return [...before, before.join('_')];
  });
  const unread = taken.filter((name) => !(name in parsed) && words.includes(name));
  const known = { ...env, ...parsed };
  const cut = Object.entries(parsed).filter(([, value]) => namesIn(value).some((one) => !(one in known)));
  return [
    ...unread.map((name) => `${file}: expected ${name}=value, found it in another form`),
    ...cut.map(([name]) => `${file}: ${name}: ${LOST}`),
  ];
}

/** The variables that a value has the values of. */
function namesIn(value: string): string[] {
  return Array.from(value.matchAll(REPLACED), ([, braced, bare]) => braced ?? bare ?? '');
}

/** Beside the file of the stage, `.env` is not read, and without `useDotenv` none is: a check that only it turns on is off. */
function notesOfSkipped(
  file: SettingFile,
  skipped: SettingFile,
  { env, hasDotenv }: { env: NodeJS.ProcessEnv; hasDotenv: boolean },
): string[] {
  const names = Object.keys(skipped.parsed).filter(
    (name) => ALL_SETTINGS.includes(name) && !(name in file.parsed) && env[name] === undefined,
  );
  if (names.length === 0) return [];
  const why = hasDotenv ? `${file.name} exists` : `${file.name} has no useDotenv: true`;
  return [`${skipped.name} is not read, because ${why}. Not in force: ${names.join(', ')}`];
}

/** Which variables of the stage's file no function gets on AWS: on this machine, handlers read them. */
function notesOfUnpassed(file: SettingFile, taken: readonly string[], configuration: string): string[] {
  const used = [...taken, ...namesIn(file.text)];
  const names = Object.keys(file.parsed).filter((name) => !used.includes(name) && !OF_THE_MACHINE.test(name));
  if (names.length === 0) return [];
  return [
    `${file.name}: not passed to the functions on AWS: ${names.join(', ')}. If a handler reads them, list them ` +
      `below provider.environment in ${configuration}, e.g. ${names[0]}: \${env:${names[0]}, null}`,
  ];
}

/**
 * A misspelled stage would read no settings, and all would be well with it. Those of a project are the default, those with a file
 * of settings, and those that the configuration names, with `*` behind a beginning. Names are exact, on file systems that ignore
 * case too.
 */
function missingStage({ stage, folder, configuration }: SettingFiles): string | null {
  const files = readdirSync(folder).flatMap((file) => /^\.env\.(.+)$/.exec(file)?.[1] ?? []);
  const stages = [...new Set([DEFAULT_STAGE, ...files, ...configuration.stages])].sort();
  const isThere = (one: string) => (one.endsWith('*') ? stage.startsWith(one.slice(0, -1)) : one === stage);
  return stages.some(isThere) ? null : `there is no stage ${stage}: expected ${stages.join(' or ')}`;
}
