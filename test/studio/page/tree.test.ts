import { describe, expect, test } from '@jest/globals';
import { keyOf, type Path } from '../../../tools/studio/page/logins/marks.ts';
import { moveOf } from '../../../tools/studio/page/tree/moves.ts';
import { previewOf } from '../../../tools/studio/page/tree/preview.ts';
import {
  CHILDREN_AT_ONCE,
  ROWS_AT_FIRST,
  rowsOf,
  treeAtFirst,
  usedKeys,
} from '../../../tools/studio/page/tree/rows.ts';

const VALUE = { a: { b: 1, c: [] }, d: ['x', 'y'], e: null };

function rows(value: unknown, open: readonly Path[], limits: ReadonlyMap<string, number> = new Map()) {
  return rowsOf(value, { open: new Set(open.map(keyOf)), limits, used: new Set() });
}

/** As a tree begins, with what is used. */
function rowsAtFirst(value: unknown, used: readonly Path[] = []) {
  return rowsOf(value, { ...treeAtFirst(value, used), used: usedKeys(used) });
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
    expect(first.at(-1)).toMatchObject({ hidden: 150, path: [100], position: 101, siblings: 250 });
    expect(rows(list, [], new Map([[keyOf([]), 250]]))).toHaveLength(250);
  });

  test('a value may be nested deeper than functions can call each other', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(rowsAtFirst(deep).length).toBeLessThanOrEqual(ROWS_AT_FIRST);
  });
});

describe('at first', () => {
  const shownAtFirst = (value: unknown, used: readonly Path[]) =>
    rowsAtFirst(value, used).map(({ key, hidden, path }) => (hidden > 0 ? [path, hidden] : key));

  test('what is used is shown with what leads to it, and the rest waits behind a row', () => {
    const used: Path[] = [['a', 'b']];
    expect(shownAtFirst(VALUE, used)).toEqual([keyOf(['a']), keyOf(['a', 'b']), [['a', 'c'], 1], [['d'], 2]]);
  });

  test('the rest is shown beside what is used, once it is unfolded', () => {
    const used: Path[] = [['a', 'b']];
    const { open } = treeAtFirst(VALUE, used);
    const shown = rowsOf(VALUE, { open, limits: new Map(), used: usedKeys(used) });
    expect(shown.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a used text stays where it is among more siblings than are shown at once', () => {
    const list = Array.from({ length: 300 }, (_, index) => index);
    const limits = new Map([[keyOf([]), CHILDREN_AT_ONCE]]);
    const shown = rowsOf(list, { ...treeAtFirst(list, [[250]]), limits, used: usedKeys([[250]]) });
    expect(shown.at(-2)).toMatchObject({ value: 250, position: 251, siblings: 300 });
    expect(shown.at(-1)).toMatchObject({ hidden: 199, path: [100] });
  });

  test('items of a longer list are closed, each in a line', () => {
    const value = { list: Array.from({ length: 4 }, () => ({ a: 1 })) };
    expect(treeAtFirst(value, []).open).toEqual(new Set([keyOf([]), keyOf(['list'])]));
  });

  test('an event of a megabyte opens few rows', () => {
    const attribute = { name: 'n'.repeat(50), value: 'v'.repeat(50) };
    const value = { list: Array.from({ length: 9_000 }, () => attribute) };
    expect(rowsAtFirst(value).length).toBeLessThan(10);
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
