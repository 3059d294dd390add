/** What a command asks where an option is not given and somebody sits at a terminal. */
import { createInterface } from 'node:readline/promises';
import { UnusableInput } from '../shared/commandLine.ts';

/** @throws {UnusableInput} that names the option where nobody can be asked */
export async function givenOrAsked(
  option: string,
  given: string | undefined,
  question: string,
): Promise<string> {
  if (given !== undefined) return given;
  if (!process.stdin.isTTY) throw new UnusableInput(`expected --${option}: ${question}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    return (await terminal.question(`${question}: `)).trim();
  } finally {
    terminal.close();
  }
}
