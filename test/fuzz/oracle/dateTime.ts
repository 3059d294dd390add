/** RFC 3339 section 5.6 read digit by digit, the offset optional (SAML Core 1.3.3: none means UTC). */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Milliseconds since 1970; null for what is no date-time, leap seconds included. */
export function millisecondsOf(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  const [, year, month, day, hour, minute, second, fraction, offset] = partsOf(text);
  if (year === undefined) return null;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as Six;
  const isLeap = y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0);
  const daysInMonth = mo === 2 && isLeap ? 29 : (DAYS[mo - 1] ?? 0);
  if (d < 1 || d > daysInMonth || h > 23 || mi > 59 || s > 59) return null;
  const offsetMinutes = offsetOf(offset);
  if (offsetMinutes === null) return null;
  const midnight = new Date(0).setUTCFullYear(y, mo - 1, d);
  const milliseconds = Number(`${fraction ?? ''}000`.slice(0, 3));
  return midnight + ((h * 60 + mi - offsetMinutes) * 60 + s) * 1_000 + milliseconds;
}

type Six = [number, number, number, number, number, number];

function partsOf(text: string): (string | undefined)[] {
  return /^(\d\d\d\d)-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(.*)$/s.exec(text) ?? [];
}

function offsetOf(text = ''): number | null {
  if (['', 'Z', 'z'].includes(text)) return 0;
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
