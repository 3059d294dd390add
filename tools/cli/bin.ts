/** `login-hooks <command>`: each command is loaded when it is asked for. */
import { existsSync } from 'node:fs';
import { exitCodeOf, expectOneOf, type Main, runCommand, UnusableInput } from '../shared/commandLine.ts';
import { type ExitCode, type Io, runProcess } from '../shared/process.ts';
import { CODE, CONFIGURATION, IS_OWN_PROJECT, packageManifest } from '../shared/project.ts';
import { type Command, type Option, typed } from '../shared/usage.ts';
import { loadViewsFromSource } from '../studio/jsx.ts';

/** Its `main` reads the options of its `COMMAND`. */
interface Loaded {
  COMMAND: Command;
  main(arguments_: never, io: Io): Promise<ExitCode>;
}

const COMMANDS: Readonly<Record<string, () => Promise<Loaded>>> = {
  start: () => import('./start.ts'),
  login: () => import('./login.ts'),
  capture: () => import('./capture.ts'),
  check: () => import('./check.ts'),
  // In the repository of login-hooks `npm test` runs the tests of login-hooks.
  ...(IS_OWN_PROJECT && { test: () => import('./test.ts') }),
  build: () => import('./build.ts'),
  verify: () => import('./verify.ts'),
  doctor: () => import('./doctor.ts'),
  why: () => import('./why.ts'),
  'self-test': () => import('./selfTest.ts'),
  create: () => import('./create.ts'),
  update: () => import('./update.ts'),
};

/** Needs no project. */
const MAKES_PROJECT = 'create';

/** @param args as they are typed behind `login-hooks` */
export function run(args: string[], io: Io): Promise<ExitCode> {
  return exitCodeOf(() => runNamed(args, io));
}

async function runNamed([name = '--help', ...args]: string[], io: Io): Promise<ExitCode> {
  if (name === '--help' || name === '-h') {
    console.log(await usage());
    return 0;
  }
  if (name === '--version') {
    console.log((await packageManifest()).version);
    return 0;
  }
  expectOneOf('login-hooks', name, Object.keys(COMMANDS));
  if (name === MAKES_PROJECT || existsSync(CONFIGURATION)) {
    const { COMMAND, main } = await (COMMANDS[name] as () => Promise<Loaded>)();
    return runCommand(COMMAND, main as Main<Record<string, Option>>, args, io);
  }
  const make = typed(MAKES_PROJECT, '<folder>');
  throw new UnusableInput(`found no serverless.yml, here or above: make a project with ${make}`);
}

async function usage(): Promise<string> {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  const lines = Object.entries(COMMANDS).map(
    async ([name, load]) => `  ${name.padEnd(width)}  ${(await load()).COMMAND.purpose}`,
  );
  return [`usage: ${typed('<command>', '[options]')}`, '', ...(await Promise.all(lines))].join('\n');
}

export function start(): Promise<void> {
  if (CODE === '.ts') loadViewsFromSource();
  return runProcess(run);
}
