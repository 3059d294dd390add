/** The figures of a load as text. */
import { table } from '../shared/table.ts';
import type { Figures } from './figures.ts';
import type { Loaded } from './load.ts';

const PERCENTILES = [50, 90, 99, 100];
/** By so much may a login leave too late before the figures say more of this machine than of the target. */
const MAX_LATE_MS = 50;

/** @param rate that was asked for, in logins a second */
export function reportOf({ figures, seconds }: Loaded, rate: number): string {
  const sent = figures.logins();
  if (sent === 0) return 'no login was sent';
  const rows = figures.counted.map(({ kind, status, type, logins, what }) => [
    kind,
    String(status ?? '-'),
    type ?? '-',
    String(logins),
    what,
  ]);
  return [
    `${sent} logins in ${seconds.toFixed(1)} s, at a rate of ${rate} a second`,
    '',
    table(['outcome', 'status', 'type', 'logins', ''], rows),
    '',
    ...speed(figures, seconds),
  ].join('\n');
}

function speed(figures: Figures, seconds: number): string[] {
  const answered = figures.logins('as expected');
  if (answered === 0) return ['No login had the expected response.'];
  const percentiles = PERCENTILES.map((percent) => figures.percentile(percent).toFixed(1));
  return [
    `As expected: ${(answered / seconds).toFixed(1)} a second`,
    '',
    table(['ms', '50%', '90%', '99%', 'max'], [['', ...percentiles]]),
    ...lateness(figures),
  ];
}

function lateness({ latestMs }: Figures): string[] {
  if (latestMs <= MAX_LATE_MS) return [];
  return ['', `This machine sent some logins too late, by up to ${latestMs.toFixed(0)} ms: lower --rate.`];
}

/** Whether all logins were answered, and rightly. */
export function isClean({ figures }: Loaded): boolean {
  return figures.counted.every(({ kind }) => kind === 'as expected' || kind === 'interrupted');
}
