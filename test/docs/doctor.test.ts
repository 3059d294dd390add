/** The table of what the doctor finds says what the code finds. */
import { glob } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { codeIn, tableRows, textOf } from '../support/pages.ts';

/** The first text that makes a finding. */
const CODE =
  /(?:\b(?:error|warning|note|missing|found|askProvider)\)?\((?:[^'()]|\([^()]*\))*|INCONCLUSIVE = )'([a-z\d_]+)'/g;

test('the page has each code, and no other', async () => {
  const files = await Array.fromAsync(glob('tools/doctor/*.ts', { cwd: PROJECT }));
  const sources = await Promise.all(files.map(textOf));
  const codes = sources.flatMap((source) => Array.from(source.matchAll(CODE), ([, code]) => code));
  const page = await textOf('docs/doctor.md');
  const listed = tableRows(page.slice(page.indexOf('## Codes'))).flatMap(([cell]) => codeIn(cell));
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual([...new Set(codes)].sort());
});
