/** JSON values, as text: of any kind, and of the kinds that break things. */
import fc from 'fast-check';

/** Stands in values and in names; its last character makes a name one that may not be shown. */
export const MARKER = 'MARKER-!';

const MAX_LEVELS = 10_000;
const MAX_ITEMS = 30_000;
const HUGE_TEXT = { min: 100_000, max: 1_500_000 };

/** Names such as `__proto__` are among the texts of fast-check, and halves of characters among those of code units. */
export const anyJson = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 6 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }) },
);

/** What no value is written as, or what looks like something else. */
const ODD = [
  ...['1e400', '-0', '9007199254740993', '{"a":1,"a":2}', '"\\ud800"', '"\\u0000"', '"\\r\\n\\u2028"'],
  ...['"a@b@c"', '"\\u202eada@example.org"', '"2026-02-30T00:00:00Z"', '"2026-11-21T24:00:00Z"'],
  ...['{"\\u005f_proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
  ...['{"then":{},"toJSON":{},"toString":null,"valueOf":1}', '{"length":1000000000,"0":"a"}'],
  '{"type":"AuthorizedUserResponse","email":"eve@example.org","first_name":"E","last_name":"V"}',
  `"${MARKER}text"`,
  `"\\n{\\"event\\":\\"login\\",\\"x\\":\\"${MARKER}forged\\"}"`,
];

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

export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 50, arbitrary: fc.constantFrom(...ODD) },
  { weight: 50, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
  // Rare, because each costs as much as a hundred of the others.
  { weight: 1, arbitrary: fc.oneof(deep, long, wide) },
);

/** As JSON text, so that an escape stays one. */
export const hostileKey = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('"__proto__"', '"\\u005f_proto__"', '"then"', `"claim ${MARKER}name"`),
  },
  { weight: 1, arbitrary: fc.nat(3_000).map((length) => `"${'k'.repeat(length)}"`) },
);
