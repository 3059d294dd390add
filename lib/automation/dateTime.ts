/** RFC 3339 section 5.6, the offset optional. */
const DATE_TIME =
  /^(\d{4}-\d{2}-(\d{2}))[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3})\d*)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/**
 * Reads a date-time as RFC 3339 writes it, with any number of fractional digits; what is finer than a
 * millisecond is cut off. No offset means UTC (SAML Core 1.3.3).
 *
 * @returns null for anything else, impossible dates and leap seconds included: `Date` would be invalid or
 *   roll over to another day, and comparisons with an invalid one are false, which fails open.
 */
export function parseDateTime(text: string): Date | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [, day, dayOfMonth, time, fraction = '0', offset = 'Z'] = match;
  if (new Date(`${day}T00:00:00Z`).getUTCDate() !== Number(dayOfMonth)) return null;
  // Three digits exactly: V8 misreads longer fractions.
  return new Date(`${day}T${time}.${fraction.padEnd(3, '0')}${offset.toUpperCase()}`);
}
