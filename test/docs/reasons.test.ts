/** The tables of reasons say what the code does. */
import { expect, test } from '@jest/globals';
import { REASONS } from '../../lib/errors.ts';
import { codeIn, tableRows, textOf } from './pages.ts';

test('the guide has a row for each reason, and for no other', async () => {
  const page = await textOf('docs/operate.md');
  const table = page.slice(page.indexOf('| reason |'), page.indexOf('## Troubleshoot'));
  const listed = tableRows(table).flatMap(([cell]) => codeIn(cell));
  expect(listed.sort()).toEqual(Object.keys(REASONS).sort());
});

test.each(Object.entries(REASONS))('%s has a message that a person can be shown', (_, [status, words]) => {
  expect([200, 400, 401, 413, 415, 422, 500, 504]).toContain(status);
  if (typeof words !== 'string') return;
  expect(words.length).toBeLessThanOrEqual(200);
  expect(words).toMatch(/^[A-Z].*\.$/);
});
