/** The sample events: `<folder>/<function>/<name>.json`, each with `<name>.expected.json` beside it or not. */
import { glob } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readJsonFile } from './arguments.ts';
import { PROJECT } from './build.ts';

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

export async function sampleEvents(folder = EVENTS): Promise<SampleEvent[]> {
  const files = await Array.fromAsync(glob('{openid,saml}LoggedIn/*.json', { cwd: folder }));
  const expectedFiles = new Set(files.filter((file) => file.endsWith('.expected.json')));
  return Promise.all(
    files
      .filter((file) => !expectedFiles.has(file))
      .sort()
      .map(async (file) => {
        const expectedFile = file.replace(/\.json$/, '.expected.json');
        return {
          functionName: dirname(file),
          name: basename(file, '.json'),
          event: await readJsonFile(join(folder, file)),
          expected: expectedFiles.has(expectedFile)
            ? ((await readJsonFile(join(folder, expectedFile))) as Expected)
            : null,
        };
      }),
  );
}

/** Where the expected answer of an event stands. */
export function expectedFile(
  folder: string,
  { functionName, name }: Pick<SampleEvent, 'functionName' | 'name'>,
): string {
  return join(folder, functionName, `${name}.expected.json`);
}

/** The answer out of a function's result: out of its HTTP envelope, where the event was an HTTP request. */
export function unwrap(result: unknown): { status: number | null; answer: unknown } {
  const { statusCode, body } = result as { statusCode?: number; body?: string };
  if (typeof statusCode !== 'number' || typeof body !== 'string') return { status: null, answer: result };
  return { status: statusCode, answer: JSON.parse(body) };
}
