import { describe, expect, test } from '@jest/globals';
import { keyOf, type Path } from '../../../tools/studio/page/logins/marks.ts';
import { moveOf } from '../../../tools/studio/page/tree/moves.ts';
import { previewOf } from '../../../tools/studio/page/tree/preview.ts';
import {
  CHILDREN_AT_ONCE,
  limitsAtFirst,
  openAtFirst,
  ROWS_AT_FIRST,
  rowsOf,
} from '../../../tools/studio/page/tree/rows.ts';

const VALUE = { a: { b: 1, c: [] }, d: ['x', 'y'], e: null };

function rows(value: unknown, open: readonly Path[], limits: ReadonlyMap<string, number> = new Map()) {
  return rowsOf(value, { open: new Set(open.map(keyOf)), limits });
}

describe('rows of a tree', () => {
  test('children of closed nodes are left out', () => {
    const shown = rows(VALUE, [['d']]).map(({ name, level, isOpen }) => [name, level, isOpen]);
    expect(shown).toEqual([
      ['a', 1, false],
      ['d', 1, true],
      [0, 2, null],
      [1, 2, null],
      ['e', 1, null],
    ]);
  });

  test('each knows its place among its siblings', () => {
    expect(rows(VALUE, []).map(({ position, siblings }) => [position, siblings])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  test.each([['text'], [null], [[]], [{}]])('%j has a row of its own', (value) => {
    expect(rows(value, [])).toMatchObject([{ level: 1, name: null, value, isOpen: null }]);
  });

  test('of many children, some are shown at once', () => {
    const list = Array.from({ length: 250 }, (_, index) => index);
    const first = rows(list, []);
    expect(first).toHaveLength(CHILDREN_AT_ONCE + 1);
    expect(first.at(-1)).toMatchObject({ hidden: 150, path: [], position: 101, siblings: 250 });
    expect(rows(list, [], new Map([[keyOf([]), 250]]))).toHaveLength(250);
  });

  test('a value may be nested deeper than functions can call each other', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(openAtFirst(deep, []).size).toBeLessThanOrEqual(ROWS_AT_FIRST);
    expect(rowsOf(deep, { open: openAtFirst(deep, []), limits: new Map() }).length).toBeLessThan(100);
  });
});

describe('at first', () => {
  test('what leads to a used text is open, in whatever list it stands', () => {
    const value = { list: Array.from({ length: 300 }, (_, index) => ({ text: `t${index}` })) };
    const used: Path[] = [['list', 250, 'text']];
    const shown = rowsOf(value, { open: openAtFirst(value, used), limits: limitsAtFirst(value, used) });
    expect(shown.some(({ key }) => key === keyOf(used[0] ?? []))).toBe(true);
  });

  test('items of a longer list are closed, each in a line', () => {
    const value = { list: Array.from({ length: 4 }, () => ({ a: 1 })) };
    expect(openAtFirst(value, [])).toEqual(new Set([keyOf([]), keyOf(['list'])]));
  });

  test('an event of a megabyte opens few rows', () => {
    const attribute = { name: 'n'.repeat(50), value: 'v'.repeat(50) };
    const value = { list: Array.from({ length: 9_000 }, () => attribute) };
    const shown = rowsOf(value, { open: openAtFirst(value, []), limits: new Map() });
    expect(shown.length).toBeLessThan(10);
  });
});

describe('keys in a tree', () => {
  const shown = rows(VALUE, [['d']]);
  test.each<[string, Path, object | null]>([
    ['ArrowDown', ['a'], { focus: keyOf(['d']) }],
    ['ArrowUp', ['d'], { focus: keyOf(['a']) }],
    ['ArrowUp', ['a'], null],
    ['ArrowDown', ['e'], null],
    ['Home', ['e'], { focus: keyOf(['a']) }],
    ['End', ['a'], { focus: keyOf(['e']) }],
    ['ArrowRight', ['a'], { open: keyOf(['a']) }],
    ['ArrowRight', ['d'], { focus: keyOf(['d', 0]) }],
    ['ArrowRight', ['e'], null],
    ['ArrowLeft', ['d'], { close: keyOf(['d']) }],
    ['ArrowLeft', ['d', 1], { focus: keyOf(['d']) }],
    ['ArrowLeft', ['a'], null],
    ['x', ['a'], null],
    ['ArrowDown', ['gone'], null],
  ])('%s at %j', (key, path, move) => {
    expect(moveOf(shown, keyOf(path), key)).toEqual(move);
  });
});

test.each([
  [[], 'no items'],
  [{}, 'no entries'],
  [['a', 'b'], '2 items: a · b'],
  [[{}], '1 item'],
  [{ a: {} }, '1 entry'],
  [{ name: 'mail', format: 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri', other: null }, 'mail · …uri'],
  [{ text: 'x'.repeat(50) }, `${'x'.repeat(32)}…`],
])('a closed node has %j in a line', (value, line) => {
  expect(previewOf(value)).toBe(line);
});
