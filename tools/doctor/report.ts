/** What the doctor found, for people. */
import { counted } from '../shared/readable.ts';
import type { Diagnosis } from './examination.ts';

/** A paragraph for each finding: its level and code, what it is about, what was found, and what to do. */
export function reportOf({ findings, unasked }: Diagnosis): string {
  const found = findings.map(
    ({ level, code, subject, message, cure }) =>
      `${level.padEnd(7)}  ${code}  ${subject}\n  ${message}\n  → ${cure}\n`,
  );
  const missing = unasked.map(({ subject, message }) => `unasked  ${subject}\n  ${message}\n`);
  const count = (level: string) => findings.filter((one) => one.level === level).length;
  const counts = [
    counted(count('finding'), 'finding'),
    counted(count('note'), 'note'),
    ...(unasked.length > 0 ? [`${unasked.length} could not be asked`] : []),
  ];
  return [...found, ...missing, counts.join(', ')].join('\n');
}
