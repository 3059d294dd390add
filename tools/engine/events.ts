/** The sample events: `<folder>/<function>/<name>.json`, each with `<name>.expected.json` beside it or not. */
import { glob } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { object, problemsOf } from '../../lib/schema.ts';
import { PROJECT } from '../build.ts';
import { readJsonFile, UnusableInput } from '../cli/commandLine.ts';

export const EVENTS = join(PROJECT, 'events');

export interface Expected {
  /** The handler that answers so, as the setting takes it; the default handler where there is none. */
  handler?: string;
  /** The HTTP status that goes with the answer: 200 wherever the handler answered. */
  status: number;
  answer: unknown;
}

export interface SampleEvent {
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  name: string;
  event: unknown;
  expected: Expected | null;
}

/** @throws {UnusableInput} for a file that is no JSON, no expected answer, or expects an answer to no event */
export async function sampleEvents(folder = EVENTS): Promise<SampleEvent[]> {
  const files = await Array.fromAsync(glob('{openid,saml}LoggedIn/*.json', { cwd: folder }));
  const expectedFiles = new Set(files.filter((file) => file.endsWith(EXPECTED)));
  const eventFiles = files.filter((file) => !expectedFiles.has(file)).sort();
  for (const file of expectedFiles) {
    const event = file.replace(EXPECTED, '.json');
    if (!eventFiles.includes(event))
      throw new UnusableInput(`${file}: expected ${basename(event)} beside it`);
  }
  return Promise.all(
    eventFiles.map(async (file) => {
      const expected = file.replace(/\.json$/, EXPECTED);
      return {
        functionName: dirname(file),
        name: basename(file, '.json'),
        event: await readJsonFile(join(folder, file)),
        expected: expectedFiles.has(expected) ? await readExpected(join(folder, expected)) : null,
      };
    }),
  );
}

/** One of the sample events of the project, a copy to change. */
export async function sampleEvent(functionName: string, name: string): Promise<unknown> {
  return readJsonFile(join(EVENTS, functionName, `${name}.json`));
}

const EXPECTED = '.expected.json';
const ExpectedSchema = object({
  handler: v.exactOptional(v.string('expected the name of a handler')),
  status: v.number('expected an HTTP status'),
  answer: object({ type: v.string('expected the type of an answer') }),
});

async function readExpected(file: string): Promise<Expected> {
  const content = await readJsonFile(file);
  const result = v.safeParse(ExpectedSchema, content);
  if (result.success) return content as Expected;
  throw new UnusableInput(`${file}: ${problemsOf(result.issues).join('; ')}`);
}

/** Where the expected answer of an event stands. */
export function expectedFile(
  folder: string,
  { functionName, name }: Pick<SampleEvent, 'functionName' | 'name'>,
): string {
  return join(folder, functionName, name + EXPECTED);
}

/** The answer out of a function's result: out of its HTTP envelope, where the event was an HTTP request. */
export function unwrap(result: unknown): { status: number | null; answer: unknown } {
  const { statusCode, body } = result as { statusCode?: number; body?: string };
  if (typeof statusCode !== 'number' || typeof body !== 'string') return { status: null, answer: result };
  return { status: statusCode, answer: JSON.parse(body) };
}
