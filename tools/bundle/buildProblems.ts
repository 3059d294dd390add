/** What is wrong with the sources, for people. */
import { formatMessages, type Message } from 'esbuild';

const MISSING_PACKAGE = /^Could not resolve "((?:@[^/"]+\/)?[^./"#][^/"]*)/;

/** @returns each error with its place in the sources, and what to do where esbuild's advice is not for this project */
export async function buildProblems(errors: readonly Message[]): Promise<string> {
  const told = errors.map((error) => {
    const [, missing] = MISSING_PACKAGE.exec(error.text) ?? [];
    if (missing === undefined) return error;
    return { ...error, notes: [{ text: `Where it is a package: npm install ${missing}`, location: null }] };
  });
  return (await formatMessages(told, { kind: 'error' })).map((text) => text.trimEnd()).join('\n\n');
}
