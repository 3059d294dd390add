export type Option = { about: string } & (
  | { type: 'boolean'; choices?: never }
  | { type: 'string'; value: string; default?: string; choices?: readonly string[]; multiple?: true }
);

export interface Command<TOptions extends Record<string, Option> = Record<string, Option>> {
  name: string;
  /** Whether it is a script of this repository only. */
  isScript?: boolean;
  purpose: string;
  positionals?: readonly {
    name: string;
    about: string;
    isOptional?: boolean;
    choices?: readonly string[];
  }[];
  options: TOptions;
  example: string;
  /** What exit code 1 says; left out where the command has none. */
  found?: string;
  /** What exit code 2 says beside "it could not run"; left out where that is all. */
  missed?: string;
}

/**
 * A command as it is typed, in a project and in a clone of login-hooks.
 *
 * @param command behind `login-hooks`, e.g. `check`
 */
export function typed(command: string, arguments_ = ''): string {
  return `npx login-hooks ${command} ${arguments_}`.trimEnd();
}

/** A script of `package.json`. npm takes what stands before `--` for its own. */
export function typedScript(script: string, arguments_ = ''): string {
  return `npm run ${script}${arguments_ === '' ? '' : ` -- ${arguments_}`}`;
}

/** A command or a script, as each is typed. */
export function shownAs({ name, isScript }: Command, arguments_ = ''): string {
  return isScript ? typedScript(name, arguments_) : typed(name, arguments_);
}

export function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function usageOf(command: Command): string {
  const { purpose, positionals = [], options, example, found, missed } = command;
  const rows = [
    ...positionals.map(({ name, about }) => [name, about]),
    ...Object.entries(options).map(([name, option]) =>
      option.type === 'boolean'
        ? [`--${name}`, option.about]
        : [`--${name} ${option.value}`, [option.about, option.default].filter(Boolean).join('; default: ')],
    ),
    ['--help', 'shows this'],
  ];
  const width = Math.max(...rows.map(([shown = '']) => shown.length));
  const typedAs = positionals.map(({ name, isOptional }) => (isOptional ? `[${name}]` : name));
  return [
    `${shownAs(command)} ${purpose}`,
    '',
    `usage: ${shownAs(command, [...typedAs, '[options]'].join(' '))}`,
    '',
    ...rows.map(([shown = '', about]) => `  ${shown.padEnd(width)}  ${about}`),
    '',
    `example: ${shownAs(command, example)}`,
    '',
    `exit codes: 0; ${found ? `1: ${found}; ` : ''}2: ${missed ? `${missed}, or ` : ''}it could not run`,
  ].join('\n');
}
