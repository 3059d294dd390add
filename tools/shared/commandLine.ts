/** The one way in which every command reads its arguments and ends. Data goes to stdout, everything else to stderr. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs, styleText } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { jsonMistake } from '../../lib/jsonMistake.ts';
import { type ExitCode, type Io, runProcess } from './process.ts';
import { type Command, type Option, shownAs, typedScript, usageOf } from './usage.ts';

/** Thrown when what the user gave cannot be used; the message says what was expected, and what to do. */
export class UnusableInput extends Error {}

export const STAGE = {
  type: 'string',
  value: '<stage>',
  default: 'dev',
  about: 'the settings of this stage: .env.<stage>, or .env if that file does not exist',
} as const;

/** Of commands that ask AWS: it may be one that this project does not know. */
export const DEPLOYED_STAGE = { ...STAGE, about: 'the stage that is deployed' } as const;

export const HANDLER = {
  type: 'string',
  value: '<module>',
  about: 'uses this handler, or default, instead of the configured one',
} as const;

type Values<TOptions extends Record<string, Option>> = ReturnType<
  typeof parseArgs<{ options: TOptions }>
>['values'];

export interface Arguments<TOptions extends Record<string, Option>> {
  /** Those that must be there are there. */
  positionals: string[];
  values: Values<TOptions>;
}

/** The work of a command. @returns 1 where it found what it looks for, 2 where it could not look */
export type Main<TOptions extends Record<string, Option>> = (
  arguments_: Arguments<TOptions>,
  io: Io,
) => Promise<ExitCode>;

/** Shows the usage for `--help`, or else runs a command. @throws {UnusableInput} */
export async function runCommand<const TOptions extends Record<string, Option>>(
  command: Command<TOptions>,
  main: Main<TOptions>,
  args: string[],
  io: Io,
): Promise<ExitCode> {
  const arguments_ = readArguments(command, args);
  if (arguments_ !== null) return main(arguments_, io);
  console.log(usageOf(command));
  return 0;
}

/** Runs a script, which is the whole of this process. */
export function startCommand<const TOptions extends Record<string, Option>>(
  command: Command<TOptions>,
  main: Main<TOptions>,
): Promise<void> {
  return runProcess((args, io) =>
    exitCodeOf(() => runCommand({ ...command, isScript: true }, main, args, io)),
  );
}

/** Why a command cannot run is told on stderr. */
export async function exitCodeOf(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    console.error(styleText('red', textOf(error), { stream: process.stderr }));
    return 2;
  }
}

/** What the user, the system or another program did wrong is a sentence. Anything else is a defect, and its stack leads to it. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof UnusableInput || 'syscall' in error || 'cmd' in error
    ? error.message
    : (error.stack ?? error.message);
}

/** @returns null where the usage is asked for */
function readArguments<TOptions extends Record<string, Option>>(
  command: Command<TOptions>,
  args: string[],
): Arguments<TOptions> | null {
  if (args.includes('--help') || args.includes('-h')) return null;
  try {
    refuseTakenByNpm(command);
    const { positionals, values } = parseArgs({ args, options: command.options, allowPositionals: true });
    for (const [name, given] of Object.entries<unknown>(values)) {
      // As of a variable that a shell or CI does not have.
      if (given === '') throw new UnusableInput(`--${name}: expected a value, found nothing`);
      const { choices } = command.options[name] ?? {};
      if (choices) for (const value of [given].flat()) expectOneOf(`--${name}`, String(value), choices);
    }
    checkPositionals(command, positionals);
    return { positionals, values };
  } catch (error) {
    throw new UnusableInput(
      `${whyUnusable(error as Error, command, args)}\nSee ${shownAs(command, '--help')}`,
    );
  }
}

const UNKNOWN = /^Unknown option '(-[^']+)'/;

/** What Node says of a mistake, with the option that is nearest to an unknown one. */
function whyUnusable({ message }: Error, command: Command, args: readonly string[]): string {
  const [, unknown] = UNKNOWN.exec(message) ?? [];
  if (unknown === undefined) return message.split('\n', 1).join();
  // Behind a single hyphen, each letter is an option.
  const [word = unknown] = args.find((one) => one.startsWith(unknown))?.split('=') ?? [];
  const near = nearest(word.replace(/^-+/, ''), [...Object.keys(command.options), 'help']);
  return `${word} is not an option of ${shownAs(command)}${near && `; the nearest is --${near}`}`;
}

function checkPositionals(command: Command, found: string[]): void {
  const { positionals: declared = [] } = command;
  const surplus = found[declared.length];
  if (surplus !== undefined) throw new UnusableInput(`${shownAs(command)} has no use for ${surplus}`);
  declared.forEach(({ name: shown, about, isOptional, choices }, index) => {
    const word = found[index];
    if (word !== undefined && choices) expectOneOf(shown, word, choices);
    if (word === undefined && !isOptional) throw new UnusableInput(`expected ${shown}: ${about}`);
  });
}

/** Without `--` before it, npm takes an option for its own, and the command would run without it. */
function refuseTakenByNpm({ name, options }: Command): void {
  const { env } = process;
  if (env.npm_lifecycle_event !== name) return;
  const taken = Object.keys(options).find((option) => env[`npm_config_${option.replaceAll('-', '_')}`]);
  if (taken === undefined) return;
  throw new UnusableInput(
    `npm took --${taken} as its own option: write -- before all that is for the command, as in ${typedScript(name, `--${taken}`)}`,
  );
}

/** @throws {UnusableInput} that names the nearest of the choices */
export function expectOneOf(where: string, found: string, choices: readonly string[]): void {
  if (choices.includes(found)) return;
  const near = nearest(found, choices);
  const hint = near && choices.length > 2 ? `; the nearest is ${near}` : '';
  throw new UnusableInput(`${where}: expected ${choices.join(' or ')}, found ${found}${hint}`);
}

export const MAX_PORT = 65_535;

/** @throws {UnusableInput} for what is not a whole number from `min` to `max` */
export function wholeNumber(where: string, found: string, min: number, max: number): number {
  const number = /^\d+$/.test(found) ? Number(found) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UnusableInput(`${where}: expected a whole number from ${min} to ${max}, found ${found}`);
}

/** The known word that is meant, or an empty text where none is near. */
export function nearest(word: string, known: readonly string[]): string {
  const lower = word.toLowerCase();
  const rank = (one: string) =>
    lower.length > 2 && one.toLowerCase().includes(lower) ? 0 : distance(lower, one.toLowerCase());
  const [first = ''] = known.toSorted((a, b) => rank(a) - rank(b));
  return rank(first) <= Math.max(2, word.length / 2) ? first : '';
}

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'expected a file, found a folder',
};

/** Some editors begin a file with it. */
const BYTE_ORDER_MARK = /^\ufeff/;

/** @throws {UnusableInput} */
export function readGivenFile(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
}

/** @param name of the file, for an error @throws {UnusableInput} */
export function readFileNow(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').replace(BYTE_ORDER_MARK, '');
  } catch (error) {
    throw unreadable(name, error as NodeJS.ErrnoException);
  }
}

function unreadable(name: string, { code = '' }: NodeJS.ErrnoException): UnusableInput {
  if (/^https?:/.test(name)) return new UnusableInput(`${name}: expected a file: download it`);
  return new UnusableInput(`${name}: ${READ_FAILURES[code] ?? `cannot be read (${code})`}`);
}

/** @throws {UnusableInput} */
export async function readTextFile(file: string): Promise<string> {
  const content = await readGivenFile(file);
  if (!isUtf8(content)) throw new UnusableInput(`${file}: expected a file of UTF-8 text: save it as UTF-8`);
  return content.toString().replace(BYTE_ORDER_MARK, '');
}

/** @throws {UnusableInput} that quotes nothing of the file: it may hold secrets */
export async function readJsonFile(file: string): Promise<unknown> {
  return parsedJson(await readTextFile(file), file);
}

/** @throws {UnusableInput} that says where it is no JSON */
export function parsedJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableInput(`${file}:${jsonMistake(text)}`);
  }
}
