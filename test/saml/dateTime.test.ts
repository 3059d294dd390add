import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDateTime } from '../../lib/saml/dateTime.ts';

describe('a date-time', () => {
  test.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21t10:00:00z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00.5', '2026-11-21T10:00:00.500Z'],
    ['2026-11-21T10:00:00.123456789123Z', '2026-11-21T10:00:00.123Z'],
    ['2026-07-07T02:44:29.09017759956Z', '2026-07-07T02:44:29.090Z'],
    ['2026-11-21T10:00:00.9999+05:30', '2026-11-21T04:30:00.999Z'],
    ['2026-11-21T00:30:00+01:00', '2026-11-20T23:30:00.000Z'],
    ['2026-11-21T10:00:00-00:00', '2026-11-21T10:00:00.000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59-23:59', '+010000-01-01T23:58:59.000Z'],
    [`2026-11-21T10:00:00.${'9'.repeat(979)}Z`, '2026-11-21T10:00:00.999Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseDateTime(text)?.toISOString()).toBe(iso);
  });

  test.each([
    ...['', '1795255200000', '2026-11-21', '2026-11-21 10:00:00Z', '2026-11-21T10:00Z'],
    ...['2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z', '2026-00-10T00:00:00Z', '2026-13-10T00:00:00Z'],
    ...['2026-11-31T00:00:00Z', '2026-11-00T00:00:00Z', '2026-11-21T24:00:00Z', '2026-11-21T10:60:00Z'],
    ...['2026-11-21T10:00:60Z', '2026-11-21T10:00:00+00', '2026-11-21T10:00:00+0100'],
    ...['2026-11-21T10:00:00+24:00', '2026-11-21T10:00:00.Z', '+02026-11-21T10:00:00Z'],
    ...[' 2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z\n', '٢٠٢٦-11-21T10:00:00Z'],
    `2026-11-21T10:00:00.${'9'.repeat(980)}Z`,
  ])('is not %p', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });

  test('is read back as it was written', () => {
    const range = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') };
    fc.assert(
      fc.property(fc.date({ ...range, noInvalidDate: true }), (date) => {
        expect(parseDateTime(date.toISOString())).toEqual(date);
      }),
    );
  });

  test('is a valid date or refused, whatever the text', () => {
    const form = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;
    fc.assert(
      fc.property(fc.stringMatching(form), (text) => {
        const date = parseDateTime(text);
        if (date === null) return;
        expect(date.getTime()).not.toBeNaN();
        const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
        const utc = parseDateTime(`${text.slice(0, 19)}.${fraction || '0'}Z`)?.toISOString();
        expect(utc).toBe(`${text.slice(0, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
      }),
    );
  });
});
