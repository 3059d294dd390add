/** Date-times of assertions. */
import * as v from 'valibot';

/** In characters. */
const MAX_LENGTH = 1_000;

/** RFC 3339 section 5.6, the offset optional. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-](?:[01]\d|2[0-3])):([0-5]\d))?$/;

/**
 * Reads a date-time of RFC 3339, with as many fractional digits as `MAX_LENGTH` allows; digits below a millisecond are cut
 * off. No offset means UTC (SAML Core 1.3.3).
 *
 * @returns null for anything else, impossible dates and leap seconds included: `Date` would be invalid or
 *   roll over to another day, and comparisons with an invalid one are false, which fails open.
 */
export function parseDateTime(text: string): Date | null {
  const match = text.length > MAX_LENGTH ? null : DATE_TIME.exec(text);
  if (!match) return null;
  // Of nothing, `Number` makes 0.
  const [, year, month, day, hour, minute, second, fraction = '', offsetHour = '', offsetMinute = ''] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day that the month does not have is one of another month.
  if (date.getUTCMonth() + 1 !== Number(month)) return null;
  const sign = offsetHour.startsWith('-') ? -1 : 1;
  date.setUTCHours(
    Number(hour) - Number(offsetHour),
    Number(minute) - sign * Number(offsetMinute),
    Number(second),
    Number(fraction.slice(0, 3).padEnd(3, '0')),
  );
  return date;
}

const EXPECTED = 'expected a date-time';

/** A date-time string, whose output is a `Date`; see `parseDateTime` for what is accepted. */
export const dateTime = v.pipe(
  v.string(EXPECTED),
  v.transform((text) => parseDateTime(text) ?? new Date(Number.NaN)),
  v.date(EXPECTED),
);
