/** JSON values, as text: of any kind, and of the kinds that break things. */
import fc from 'fast-check';

/** Stands in values and in names; its last character makes a name one that may not be shown. */
export const MARKER = 'MARKER-!';

const MAX_LEVELS = 10_000;
const MAX_ITEMS = 30_000;
const HUGE_TEXT = { min: 100_000, max: 1_500_000 };

export const anyJson = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 6 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }) },
);

/** Keys as JSON text, so that an escape stays one. */
export const hostileKey = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['"__proto__"', '"\\u005f_proto__"', '"__proto\\u005f\\u005f"', '"constructor"', '"prototype"'],
      ...['"toString"', '"hasOwnProperty"', '"valueOf"', '"toJSON"', '"then"', '"length"', '"message"'],
      ...['"0"', '"-1"', '"4294967295"', '"1e3"', '""', '" "', '"."', '"a.b"', '"@"'],
      ...['"\\n"', '"\\r\\n{}"', '"\\u0000"', '"\\u2028"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u001b[31m"'],
      `"claim ${MARKER}name"`,
    ),
  },
  { weight: 2, arbitrary: fc.string().map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.nat(3_000).map((length) => `"${'k'.repeat(length)}"`) },
);

const hostileScalar = fc.constantFrom(
  ...['1e400', '-1e400', '-0', '0.0', '1.5', '1E2', '9007199254740993', '1e-400', '12345678901234567890'],
  ...['null', 'true', 'false', '[]', '{}', '""', '" "', '[null]', '[[]]', '{"":null}'],
  ...['"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\r\\n\\u2028\\u2029"', '"\\u202eada@example.org"'],
  ...['"__proto__"', '"<script>"', '"../../etc/passwd"', '"%s%n"', '"{{7*7}}"'],
  ...['"a@b@c"', '"@"', '"ada@example.org"'],
  ...['"2026-02-30T00:00:00Z"', '"2026-11-21T24:00:00Z"', '"2026-11-21T10:00:00+24:00"'],
  '"0000-01-01T00:00:00Z"',
  `"${MARKER}text"`,
  `"\\n{\\"event\\":\\"login\\",\\"x\\":\\"${MARKER}forged\\"}"`,
);

const hostileObject = fc.constantFrom(
  '{"__proto__":{"polluted":true}}',
  '{"\\u005f_proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"constructor":1,"constructor":{"prototype":null}}',
  '{"a":1,"a":2,"__proto__":null}',
  '{"then":{},"toJSON":{},"toString":null,"valueOf":1}',
  '{"length":1000000000,"0":"a"}',
  '{"type":"AuthorizedUserResponse","email":"eve@example.org","first_name":"E","last_name":"V"}',
);

const deep = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}']),
    fc.integer({ min: 1, max: MAX_LEVELS }),
  )
  .map(([[open = '', close = ''], levels]) => `${open.repeat(levels)}1${close.repeat(levels)}`);

const long = fc
  .tuple(fc.constantFrom('x', 'é', '\\n', '\\ud800', ' ', 'a@', '1'), fc.integer(HUGE_TEXT))
  .map(([unit, length]) => `"${unit.repeat(length / unit.length)}"`);

const wide = fc
  .tuple(fc.constantFrom('1', '"a"', '{}', 'null', '[]'), fc.nat(MAX_ITEMS))
  .map(([item, count]) => `[${Array(count).fill(item).join()}]`);

/** Rare, because each costs as much as a hundred of the others. */
const huge = fc.oneof(deep, long, wide);

export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 100, arbitrary: hostileScalar },
  { weight: 40, arbitrary: hostileObject },
  { weight: 40, arbitrary: fc.tuple(hostileKey, hostileScalar).map(([key, value]) => `{${key}:${value}}`) },
  { weight: 40, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: huge },
);
