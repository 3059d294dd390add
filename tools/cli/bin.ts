/** `login-hooks <command>`: each command is loaded when it is asked for. */
import { existsSync } from 'node:fs';
import { type Main, nearest, runCommand, tellError, UnusableInput } from '../shared/commandLine.ts';
import { type ExitCode, type Io, runProcess } from '../shared/process.ts';
import { CODE, CONFIGURATION, IS_OWN_PROJECT } from '../shared/project.ts';
import { type Command, type Option, typed } from '../shared/usage.ts';
import { loadViewsFromSource } from '../studio/jsx.ts';

interface Loaded {
  purpose: string;
  run(args: string[], io: Io): Promise<ExitCode>;
}

const COMMANDS: Readonly<Record<string, () => Promise<Loaded>>> = {
  start: async () => loaded(await import('./start.ts')),
  login: async () => loaded(await import('./login.ts')),
  capture: async () => loaded(await import('./capture.ts')),
  check: async () => loaded(await import('./check.ts')),
  // In the repository of login-hooks `npm test` runs the tests of login-hooks.
  ...(IS_OWN_PROJECT && { test: async () => loaded(await import('./test.ts')) }),
  build: async () => loaded(await import('./build.ts')),
  verify: async () => loaded(await import('./verify.ts')),
  doctor: async () => loaded(await import('./doctor.ts')),
  why: async () => loaded(await import('./why.ts')),
  'self-test': async () => loaded(await import('./selfTest.ts')),
  create: async () => loaded(await import('./create.ts')),
  new: async () => loaded(await import('./new.ts')),
  update: async () => loaded(await import('./update.ts')),
};

function loaded<const TOptions extends Record<string, Option>>(command: {
  COMMAND: Command<TOptions>;
  main: Main<TOptions>;
}): Loaded {
  const { COMMAND, main } = command;
  return { purpose: COMMAND.purpose, run: (args, io) => runCommand(COMMAND, main, args, io) };
}

/** Needs no project. */
const MAKES_PROJECT = 'create';

/** @param args as they are typed behind `login-hooks` */
export async function run(args: string[], io: Io): Promise<ExitCode> {
  try {
    return await runNamed(args, io);
  } catch (error) {
    // Commands read the configuration of the project when they are loaded.
    tellError(error);
    return 2;
  }
}

async function runNamed([name = '--help', ...args]: string[], io: Io): Promise<ExitCode> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load && name !== MAKES_PROJECT && !existsSync(CONFIGURATION)) {
    const make = typed(MAKES_PROJECT, '<folder>');
    throw new UnusableInput(`found no serverless.yml, here or above: make a project with ${make}`);
  }
  if (load) return (await load()).run(args, io);
  if (name === '--help' || name === '-h') {
    console.log(await usage());
    return 0;
  }
  const near = nearest(name, Object.keys(COMMANDS));
  const hint = near && `; the nearest is ${near}`;
  throw new UnusableInput(`${name} is no command of login-hooks${hint}\nSee npx login-hooks --help`);
}

async function usage(): Promise<string> {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  const lines = Object.entries(COMMANDS).map(
    async ([name, load]) => `  ${name.padEnd(width)}  ${(await load()).purpose}`,
  );
  return ['usage: login-hooks <command> [options]', '', ...(await Promise.all(lines))].join('\n');
}

export function start(): Promise<void> {
  if (CODE === '.ts') loadViewsFromSource();
  return runProcess(run);
}
