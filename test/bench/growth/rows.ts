/** The bench's tables of growing inputs. */
import { GROWTH, sizesTo, startCounting, startTiming } from './growth.ts';

/** Less is noise. */
const MIN_MS = 1;

export const GROWTH_HEADER = [
  'input',
  'KB',
  '1/256: ms',
  '1/64',
  '1/16',
  '1/4',
  'whole',
  'parse ms',
  'ratio',
];

/**
 * Rows of input, its largest size, the login in milliseconds for parts of it and for the whole, `JSON.parse` of the whole, and
 * how many times as long at most a login takes as one of a quarter of its size.
 */
export async function growingInputs(): Promise<string[][]> {
  const growth = await startTiming();
  const rows = [];
  for (const { label, largest, measure } of growth.inputs) {
    const times = [];
    for (const bytes of sizesTo(largest)) times.push(await measure(bytes));
    const logins = times.map((timed) => timed?.loginMs ?? Number.NaN);
    const ratios = logins.flatMap((ms, step) => (ms >= MIN_MS ? [(logins[step + 1] ?? 0) / ms] : []));
    rows.push([
      label,
      String(Math.ceil(largest / 1_024)),
      ...logins.map(shown),
      shown(times.at(-1)?.parseMs ?? Number.NaN),
      shown(Math.max(0, ...ratios)),
    ]);
  }
  await growth.stop();
  return rows;
}

export const COUNTS_HEADER = [
  'input',
  'KB',
  '1/256: blocks',
  '1/64',
  '1/16',
  '1/4',
  'whole',
  'ratio',
  'found',
];
/** Linear is `GROWTH` and a little more, where the later items take another branch; quadratic is the square of it. */
const MAX_RATIO = 1.1 * GROWTH;
/** Less than a millisecond: a limit can make a step from next to nothing to this. */
const MIN_BLOCKS = 10_000;
/** How a handler's decision may end. */
const DECIDED =
  '(?:authorized|profile_|email_|groups_|assurance_|rule_refused|issuer_not_listed|answer_invalid)';

/**
 * Rows of input, its largest size, how many blocks of our code a login runs for parts of it and for the whole, how many
 * times as many at most as for a quarter, and what is wrong with that. Unlike times, these are the same on each machine.
 */
export async function countedInputs(): Promise<string[][]> {
  const growth = await startCounting();
  const rows = [];
  for (const { label, largest, refusal, measure } of growth.inputs) {
    const counts = [];
    for (const bytes of sizesTo(largest)) counts.push(await measure(bytes));
    const blocks = counts.map((counted) => counted?.blocks ?? Number.NaN);
    const ratios = blocks.slice(1).map((count, step) => count / Math.max(MIN_BLOCKS, blocks[step] ?? 0));
    const ratio = Math.max(...ratios);
    const expected = new RegExp(`^(?:${DECIDED}|${refusal ?? DECIDED})`);
    const found = counts.every((counted) => counted && expected.test(counted.reason))
      ? ratio > MAX_RATIO && 'GROWS TOO FAST'
      : 'UNEXPECTED END';
    rows.push([label, String(Math.ceil(largest / 1_024)), ...blocks.map(String), shown(ratio), found || '-']);
  }
  await growth.stop();
  return rows;
}

function shown(value: number): string {
  return Number.isNaN(value) ? 'not in time' : value.toFixed(value < 1 ? 3 : 1);
}
