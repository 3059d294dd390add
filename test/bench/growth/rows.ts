/** The bench's table of growing inputs. */
import { sizesTo, startTiming } from './growth.ts';

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

function shown(value: number): string {
  return Number.isNaN(value) ? 'not in time' : value.toFixed(value < 1 ? 3 : 1);
}
