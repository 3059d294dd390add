/** The table of costs is what the formula on the page gives for its prices. */
import { expect, test } from '@jest/globals';
import { codeIn, tableRows, textOf } from '../support/pages.ts';

const PAGE = await textOf('docs/deploy.md');
const ROWS = tableRows(PAGE.slice(PAGE.indexOf('## Cost')));

/** The last cell of the row of a variable: a number for 1,000 logins, and one for 1,000,000 where it differs. */
function valuesOf(variable: string): [number, number] {
  const row = ROWS.find(([cell]) => codeIn(cell).includes(variable)) ?? [];
  const [few = Number.NaN, many = few] = Array.from(row.at(-1)?.matchAll(/[\d.]+/g) ?? [], Number);
  return [few, many];
}

const priceOf = (variable: string) => valuesOf(variable)[0];
const [ONE = 0, READ = 0] = valuesOf('one');
const SHOWN = new Map(ROWS.map(([title = '', ...cells]) => [title, cells]));

function loginsAt(index: 0 | 1, { isHttp = false, lookUpSeconds = 0 }): number {
  const n = [1_000, 1_000_000][index] ?? 0;
  const requests = n * (priceOf('r') + (isHttp ? valuesOf('h')[0] : 0));
  const time = n * (valuesOf('s')[index] + lookUpSeconds) * priceOf('m') * priceOf('t');
  return requests + time + n * priceOf('b') * (priceOf('i') + priceOf('k') * priceOf('a'));
}

test.each([
  ['called directly, no look-up', {}],
  ['called over HTTP, no look-up', { isHttp: true }],
  ['called over HTTP, with a look-up of 200 ms', { isHttp: true, lookUpSeconds: 0.2 }],
])('%s', (title, options) => {
  const costs = [loginsAt(0, options).toFixed(3), loginsAt(1, options).toFixed(2)];
  expect(SHOWN.get(title)).toEqual(costs.map((cost) => `$${cost}`));
});

test('monitoring and a secret', () => {
  const monitoring = `$${(20 * priceOf('alarm') + 10 * priceOf('metric')).toFixed(2)}`;
  expect(SHOWN.get('added by `MONITORING=on`, at most')).toEqual([monitoring, monitoring]);
  const secret = [1_000, 1_000_000].map((n) => ONE + Math.min(n, 8_640 * priceOf('p')) * READ);
  expect(SHOWN.get('added by each secret')).toEqual(secret.map((cost) => `$${(cost + 1e-9).toFixed(2)}`));
});
