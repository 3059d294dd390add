/** The CHANGELOG has a heading for each version, as Keep a Changelog asks, and package.json names the newest. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { textOf } from '../support/pages.ts';

const PARTS = (await textOf('CHANGELOG.md')).split('\n## ').slice(1);
const RELEASE = /^(\d+)\.(\d+)\.(\d+) - (unreleased|\d{4}-\d\d-\d\d)$/;
const heading = (part: string) => part.slice(0, part.indexOf('\n'));

/** https://keepachangelog.com/en/1.1.0/#how: types of changes. */
const TYPES = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

test('only the first version is not released', () => {
  const unreleased = PARTS.map((part) => heading(part).endsWith(' - unreleased'));
  expect(unreleased.lastIndexOf(true)).toBeLessThan(1);
});

describe.each(PARTS.map((part) => [heading(part), part]))('%s', (title, part) => {
  test('is a version with its date', () => {
    const [, , , , date = ''] = RELEASE.exec(title) ?? [];
    if (date !== 'unreleased') expect(new Date(date).toISOString()).toMatch(new RegExp(`^${date}T`));
  });

  test('has its changes by their types', () => {
    const types = Array.from(part.matchAll(/^### (.*)$/gm), ([, type]) => type);
    expect(types).toEqual(TYPES.filter((type) => types.includes(type)));
    expect(types).not.toEqual([]);
  });
});

test('a newer version and a newer date stand above an older one', () => {
  const order = PARTS.map((part) => (RELEASE.exec(heading(part)) ?? []).slice(1));
  const older = order.toSorted((a, b) => b.join().localeCompare(a.join(), 'en', { numeric: true }));
  expect(order).toEqual(older);
});

test.each(['package.json', 'package-lock.json'])(
  '%s has the newest version, or a candidate of it',
  async (file) => {
    const { version } = JSON.parse(await readFile(join(PROJECT, file), 'utf8'));
    const [newest = ''] = heading(PARTS[0] ?? '').split(' ');
    expect(version.replace(/-rc\.\d+$/, '')).toBe(newest);
  },
);
