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
  for (;;) {
    const answer = given ?? (await answerTo(question));
    // Below the question that nobody answers.
    const start = process.stdin.isTTY ? '\n' : '';
    if (answer === null) throw new UnusableInput(`${start}expected --${option}: ${question}`);
    try {
      check(answer);
      return answer;
    } catch (error) {
      if (given !== undefined || !(error instanceof UnusableInput)) throw error;
      console.error(error.message);
    }
  }
}

/** @returns null where nobody can be asked, or the input ends */
async function answerTo(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const line = await new Promise<string | null>((resolve) => {
    terminal.once('close', () => resolve(null));
    terminal.question(`${question}: `, resolve);
  });
  // Not within the event of the line: the input would go on.
  terminal.close();
  return line?.trim() ?? null;
}
