/** What the commands take from their command line. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

/** Thrown when what the user gave cannot be used; the message says what was expected. */
export class UnusableInput extends Error {}

export const FUNCTIONS: Readonly<Record<string, string>> = { openid: 'openidLoggedIn', saml: 'samlLoggedIn' };

type Options = Record<string, { type: 'string' | 'boolean' }>;

/** @throws {UnusableInput} with the usage, for options and arguments that are not foreseen */
export function readCommandLine<const TOptions extends Options>(
  usage: string,
  most: number,
  options: TOptions,
) {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const [surplus] = positionals.slice(most);
    if (surplus !== undefined) throw new Error(`expected nothing more before ${surplus}`);
    return { positionals, values };
  } catch (error) {
    throw new UnusableInput(`${(error as Error).message}\n${usage}`);
  }
}

/** @throws {UnusableInput} */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableInput(`${file}: cannot be read (${error.code})`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnusableInput(`${file}: expected JSON: ${(error as Error).message}`);
  }
}

/** Runs a command: exit code 2 for unusable input, 1 for whatever else goes wrong. */
export async function run(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = error instanceof UnusableInput ? 2 : 1;
  }
}
