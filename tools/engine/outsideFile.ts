/** Recorded responses of other systems: `<event>.outside.json` beside the event. */
import { readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { object, problemsOf } from '../../lib/schema.ts';
import { UnusableInput } from '../cli/commandLine.ts';
import type { Exchange } from '../lambda/local.ts';

const text = v.string('expected a text');
const Exchanges = v.array(
  object({
    request: text,
    body_sha256: v.exactOptional(text),
    status: v.number('expected an HTTP status'),
    headers: v.record(text, text, 'expected headers'),
    json: v.exactOptional(v.unknown()),
    text: v.exactOptional(text),
  }),
  'expected a list of requests and their responses',
);

/** @throws {UnusableInput} for a file that holds something else */
export async function readExchanges(file: string): Promise<Exchange[] | null> {
  const content = await readFile(file, 'utf8').catch(() => null);
  if (content === null) return null;
  const result = v.safeParse(Exchanges, parsed(content));
  if (result.success) return result.output;
  throw new UnusableInput(`${file}: ${problemsOf(result.issues).join('; ')}`);
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

export async function writeExchanges(file: string, exchanges: readonly Exchange[]): Promise<void> {
  await writeFile(file, `${JSON.stringify(exchanges, null, 2)}\n`);
}
