/** What an installation needs of this machine, looked for before it starts: a compiler's own complaints come late. */
import { spawnSync } from 'node:child_process';
import { UnusableInput } from '../../../tools/shared/commandLine.ts';

export interface Requirement {
  /** As it is named to whoever must install it. */
  name: string;
  isMet: () => boolean;
}

/** A program that is there when it runs, with `--version` unless said. */
export function program(name: string, command: string, args = ['--version']): Requirement {
  return { name, isMet: () => spawnSync(command, args, { stdio: 'ignore' }).status === 0 };
}

/** @throws {UnusableInput} that names all that is missing */
export function requireAll(requirements: readonly Requirement[]): void {
  const missing = requirements.filter(({ isMet }) => !isMet()).map(({ name }) => name);
  if (missing.length > 0) throw new UnusableInput(`install first: ${[...new Set(missing)].join(', ')}`);
}
