/** Recorded responses of other systems: `<event>.outside.json` beside the event. */
import { readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { problemsOf } from '../../lib/schema.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Exchange, Exchanges } from './process/exchanges.ts';

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

/** The first ones, and those of the others whose requests are not among them. */
export function joinExchanges(first: readonly Exchange[], others: readonly Exchange[]): Exchange[] {
  const isAlike = (one: Exchange, other: Exchange) =>
    one.request === other.request && one.body_sha256 === other.body_sha256;
  return [...first, ...others.filter((other) => !first.some((one) => isAlike(one, other)))];
}

export async function writeExchanges(file: string, exchanges: readonly Exchange[]): Promise<void> {
  await writeFile(file, `${JSON.stringify(exchanges, null, 2)}\n`);
}
