/** The environment of a function that runs on this machine. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UnusableInput } from './commandLine.ts';
import { deploymentProblems } from './deployment.ts';
import { checkSettingNames, notesOfUnpassed, loadDotenv as readDotenv, sourceOf } from './dotenv.ts';
import { PROJECT } from './project.ts';
import { OF_CODE } from './settingNames.ts';

/** Where `.env` files are. The tests name a folder of their own: no setting of the operator's changes what they see. */
export const ENV_FOLDER = process.env.LOGIN_HOOKS_ENV_FOLDER ?? PROJECT;

/** The setting that names a function's handler. */
export const HANDLER_SETTING = settingsNamed('handler');

/** The settings that name shadows. */
export const SHADOW_SETTING = settingsNamed('shadow');

function settingsNamed(key: 'handler' | 'shadow'): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(OF_CODE).map(([code, settings]) => [code, settings[key]]));
}

const CHECKS = ['CALLER_CHECK', ...Object.values(OF_CODE).map(({ check }) => check)];

/**
 * The environment without the settings of checks, which are off by default. For sample events: they have tokens and assertions
 * without a valid signature, and expired times.
 */
export function withoutChecks(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return without(CHECKS, env);
}

/** What a stage adds to responses, and how it names their fields. */
const RESPONSES = ['RESPONSE_NAMES', 'OPENID_EXTERNAL_ID', 'SAML_EXTERNAL_ID'];

/** The environment in which responses have their default form. For sample events: each has one expected response, for all stages. */
export function withDefaultResponses(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return without(RESPONSES, env);
}

function without(names: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** The environment without shadows: what is tried on samples is the handler, and a shadow would ask other systems too. */
export function withoutShadows(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.includes('SHADOW_')));
}

/**
 * This process's environment, and the settings of the stage's file, which `serverless` reads too.
 *
 * @param handlerModule what the function's handler setting says instead of what it said
 */
export function environmentFor(functionName: string, handlerModule?: string): NodeJS.ProcessEnv {
  loadDotenv();
  return { ...process.env, ...handlerSetting(functionName, handlerModule) };
}

/** Where `SECRETS_FILE` is; null where it is not set. */
export function secretsFile(): string | null {
  loadDotenv();
  return process.env.SECRETS_FILE ? resolve(PROJECT, process.env.SECRETS_FILE) : null;
}

/** The handler that the settings name; undefined for the default handler. */
export function configuredHandler(functionName: string): string | undefined {
  loadDotenv();
  return handlerIn(process.env, functionName);
}

/** The handler that an environment names; undefined for the default handler. */
export function handlerIn(env: NodeJS.ProcessEnv, functionName: string): string | undefined {
  return env[HANDLER_SETTING[functionName] ?? ''];
}

/** The shadow that an environment names; undefined for none. */
export function shadowIn(env: NodeJS.ProcessEnv, functionName: string): string | undefined {
  return env[SHADOW_SETTING[functionName] ?? ''];
}

const DEFAULT_STAGE = 'dev';
let stage = DEFAULT_STAGE;

/** Whose settings are read: by default those of `dev`, as for `serverless`. */
export function useStage(name = DEFAULT_STAGE): void {
  stage = name;
}

/** The option that makes a command read the same settings; an empty list where it does so without. */
export function stageOption(): string[] {
  return stage === DEFAULT_STAGE ? [] : ['--stage', stage];
}

/**
 * Reads `.env.<stage>`, or `.env` where there is none, as `serverless` does; what is set already stays.
 *
 * @throws {UnusableInput} for a name that is not a setting's but was meant so
 */
export function loadDotenv(): void {
  if (loaded === stage) return;
  for (const note of checkSettings()) console.error(note);
  before = { ...process.env };
  readDotenv(ENV_FOLDER, stage);
  checkFiles();
  loaded = stage;
}

/** Node only warns of certificates that are not there, and a function says so at its first secret. */
function checkFiles(): void {
  for (const name of ['SECRETS_FILE', 'NODE_EXTRA_CA_CERTS']) {
    const file = process.env[name];
    if (!file || existsSync(resolve(PROJECT, file))) continue;
    throw new UnusableInput(`${sourceOfSetting(name)}: ${name} does not exist: ${file}`);
  }
}

/** Where the value of a setting is from, e.g. `.env.prod` or `environment`. */
export function sourceOfSetting(name: string): string {
  return sourceOf(name, process.env[name], { folder: ENV_FOLDER, stage });
}

/**
 * What an operator should know before a deployment with these settings.
 *
 * @returns `problems`: sentences that begin with the setting; `notes`: which variables no function gets
 */
export function judgeDeployment(): { problems: string[]; notes: string[] } {
  loadDotenv();
  return { problems: deploymentProblems(process.env), notes: notesOfUnpassed(settingFiles()) };
}

let loaded: string | null = null;
/** What the process was started with, where the file has set something. */
let before: NodeJS.ProcessEnv | null = null;

/**
 * Reads the files again, because they changed. Where they cannot be used, the settings before stay.
 *
 * @throws {UnusableInput} for a name that is not a setting's but was meant so
 */
export function reloadDotenv(): void {
  const inForce = { ...process.env };
  try {
    if (before) keepOnly(before);
    loaded = null;
    loadDotenv();
  } catch (error) {
    keepOnly(inForce);
    Object.assign(process.env, inForce);
    loaded = stage;
    throw error;
  }
}

function keepOnly(names: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in names)) delete process.env[name];
}

/**
 * @returns what an operator should know of the files
 * @throws {UnusableInput} for a name that is not a setting's but was meant so
 */
function checkSettings(): string[] {
  const { problems, notes } = checkSettingNames(settingFiles());
  if (problems.length > 0) throw new UnusableInput(problems.join('\n'));
  return notes;
}

/** Where settings may be from. */
function settingFiles() {
  return { folder: ENV_FOLDER, stage, configuration: join(PROJECT, 'serverless.yml') };
}

/** The setting that names the handler; nothing for the default handler. */
export function handlerSetting(
  functionName: string,
  handlerModule: string | undefined,
): Record<string, string> {
  const setting = HANDLER_SETTING[functionName];
  return handlerModule === undefined || setting === undefined ? {} : { [setting]: handlerModule };
}
