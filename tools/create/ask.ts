/** What a command asks where an option is not given and somebody sits at a terminal. */
import { createInterface } from 'node:readline';
import { UnusableInput } from '../shared/commandLine.ts';

/**
 * At a terminal, what cannot be used is asked for again.
 *
 * @param check throws {@link UnusableInput} for what cannot be used
 * @throws {UnusableInput} that names the option where nobody can be asked, or nobody answers
 */
export async function givenOrAsked(
  option: string,
  given: string | undefined,
  question: string,
  check: (answer: string) => void,
): Promise<string> {
  if (given === undefined && process.stdin.isTTY) return asked(option, question, check);
  if (given === undefined) throw new UnusableInput(`expected --${option}: ${question}`);
  check(given);
  return given;
}

async function asked(option: string, question: string, check: (answer: string) => void): Promise<string> {
  for (;;) {
    const line = await lineOfTerminal(`${question}: `);
    if (line === null) throw new UnusableInput(`\nexpected --${option}: ${question}`);
    try {
      check(line);
      return line;
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      console.error(error.message);
    }
  }
}

/** @returns null where the input ends */
async function lineOfTerminal(query: string): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const line = await new Promise<string | null>((resolve) => {
    terminal.once('close', () => resolve(null));
    terminal.question(query, resolve);
  });
  // Not within the event of the line: the input would go on.
  terminal.close();
  return line?.trim() ?? null;
}
