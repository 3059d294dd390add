/** Date-times as JSON strings, right and almost right (RFC 3339 section 5.6). */
import fc from 'fast-check';

const digits = (length: number) => (part: number) => String(part).padStart(length, '0');

/** Usually within its bounds, at times one over. */
function part(min: number, max: number): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 9, arbitrary: fc.integer({ min, max }) },
      { weight: 1, arbitrary: fc.constantFrom(0, max + 1, 99) },
    )
    .map(digits(2));
}

function usually(right: string[], wrong: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}

const year = fc
  .oneof(fc.integer({ min: 0, max: 9_999 }), fc.constantFrom(1900, 2000, 2024, 2100))
  .map(digits(4));
/** The end of months, where impossible days are. */
const day = fc.oneof(part(1, 28), fc.integer({ min: 28, max: 31 }).map(digits(2)));
const fraction = usually(['', '.0', '.123', '.9999999999'], ['.', ',5', '.-1']);
const offset = usually(
  ['Z', 'z', '', '+00:00', '-23:59', '+05:30'],
  ['+24:00', '+0100', 'Z ', '+00:60', 'UTC', '\\n'],
);

export const dateTimeText = fc
  .tuple(
    year,
    part(1, 12),
    day,
    part(0, 23),
    part(0, 59),
    part(0, 59),
    fraction,
    offset,
    usually(['T', 't'], [' ', '']),
  )
  .map(
    ([y, mo, d, h, mi, s, fraction, offset, t]) => `"${y}-${mo}-${d}${t}${h}:${mi}:${s}${fraction}${offset}"`,
  );
