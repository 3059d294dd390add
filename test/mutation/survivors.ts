/** What lives: the mutants that no test detects, as a person reads them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { PROJECT } from '../../tools/shared/project.ts';

const LONGEST = 160;

/** @returns for each, where it stands, what stands there, and what may stand there and no test minds */
export async function survivors(mutants: readonly MutantResult[]): Promise<string[]> {
  const alive = mutants.filter(
    ({ status }) => status !== 'Ignored' && status !== 'Killed' && status !== 'Timeout',
  );
  return Promise.all(alive.map(describe));
}

async function describe({
  fileName,
  location,
  mutatorName,
  replacement,
  status,
}: MutantResult): Promise<string> {
  const { start, end } = location;
  const lines = (await readFile(join(PROJECT, fileName), 'utf8')).split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const original = lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n');
  const untested = status === 'NoCoverage' ? ', which no test reaches' : '';
  return [
    `${fileName}:${start.line}:${start.column} ${mutatorName}${untested}`,
    `  - ${onOneLine(original)}`,
    `  + ${onOneLine(replacement ?? '')}`,
  ].join('\n');
}

function onOneLine(code: string): string {
  const text = code.replace(/\s+/g, ' ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
