/** The tables of reasons say what the code does. */
import { expect, test } from '@jest/globals';
import { REASONS } from '../../lib/reasons.ts';
import { codeIn, tableRows, textOf } from '../support/pages.ts';

test('the guide has each reason with its status, and no other', async () => {
  const page = await textOf('docs/operate.md');
  const table = page.slice(page.indexOf('| reason |'), page.indexOf('## Troubleshoot'));
  const listed = tableRows(table).flatMap(([cell, status]) => codeIn(cell).map((code) => [code, status]));
  const reasons = Object.entries(REASONS).map(([code, [status]]) => [code, String(status)]);
  expect(listed.sort()).toEqual(reasons.sort());
});

test('the page for HTTP callers has each status, and no other', async () => {
  const page = await textOf('docs/deploy.md');
  const rows = tableRows(page.slice(page.indexOf('| status |'))).slice(2);
  const statuses = new Set(Object.values(REASONS).map(([status]) => String(status)));
  expect(rows.map(([status]) => status)).toEqual([...statuses].sort());
});
