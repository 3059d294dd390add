import { IS_OWN_PROJECT } from './project.ts';

interface Positional {
  name: string;
  about: string;
  isOptional?: boolean;
  isRepeated?: boolean;
  choices?: readonly string[];
}

export type Option = { about: string } & (
  | { type: 'boolean' }
  | { type: 'string'; value: string; default?: string; choices?: readonly string[]; multiple?: true }
);

export interface Command<TOptions extends Record<string, Option> = Record<string, Option>> {
  name: string;
  purpose: string;
  positionals?: readonly Positional[];
  options: TOptions;
  example: string;
  /** What exit code 1 says; left out where the command has none. */
  found?: string;
  /** What exit code 2 says beside "it could not run"; left out where that is all. */
  missed?: string;
}

/**
 * A command as it is typed in this project.
 *
 * @param command behind `login-hooks`, e.g. `check`
 */
export function typed(command: string, arguments_ = ''): string {
  if (IS_OWN_PROJECT && command !== 'start') return `npx login-hooks ${command} ${arguments_}`.trimEnd();
  return typedScript(command, arguments_);
}

export function typedScript(command: string, arguments_ = ''): string {
  const script = command === 'start' ? 'npm start' : `npm run ${command}`;
  // npm takes what stands before `--` for its own.
  return arguments_ === '' ? script : `${script} -- ${arguments_}`;
}

export function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function usageOf(command: Command): string {
  const { name, purpose, positionals = [], options, example, found, missed } = command;
  const rows = [
    ...positionals.map((one) => [one.name, one.about]),
    ...Object.entries(options).map(([option, declared]) => [
      shownOption(option, declared),
      aboutOf(declared),
    ]),
    ['--help', 'shows this'],
  ];
  const width = Math.max(...rows.map(([shown = '']) => shown.length));
  return [
    `${typed(name)} ${purpose}`,
    '',
    `usage: ${typed(name, [...positionals.map(shownPositional), '[options]'].join(' '))}`,
    '',
    ...rows.map(([shown = '', about]) => `  ${shown.padEnd(width)}  ${about}`),
    '',
    `example: ${typed(name, example)}`,
    '',
    `exit codes: 0; ${found ? `1: ${found}; ` : ''}2: ${missed ? `${missed}, or ` : ''}it could not run`,
  ].join('\n');
}

function shownPositional({ name, isOptional, isRepeated }: Positional): string {
  const shown = isRepeated ? `${name}...` : name;
  return isOptional ? `[${shown}]` : shown;
}

function shownOption(name: string, option: Option): string {
  return option.type === 'boolean' ? `--${name}` : `--${name} ${option.value}`;
}

function aboutOf(option: Option): string {
  const isDefaulted = option.type === 'string' && option.default !== undefined;
  return isDefaulted ? `${option.about}; default: ${option.default}` : option.about;
}
