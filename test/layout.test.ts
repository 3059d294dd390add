/** How `lib/` holds together: imports go one way, those of types too. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../tools/build.ts';

/** Dynamic imports aside: they are made while a login runs, when everything is loaded. */
const IMPORT = /^(?:import|export)\s(?:[^;]*?\sfrom\s)?'(\.[^']+)';$/gm;

const files = await Array.fromAsync(glob('**/*.ts', { cwd: join(PROJECT, 'lib') }), (file) =>
  file.replaceAll('\\', '/'),
);
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): string[] {
  const source = readFileSync(join(PROJECT, 'lib', file), 'utf8');
  return Array.from(source.matchAll(IMPORT), ([, path = '']) => posix.join(dirname(file), path));
}

/** The first circle that is met from a file on; null where there is none. */
function circleFrom(file: string, path: readonly string[] = []): string | null {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ');
  for (const next of imports.get(file) ?? []) {
    const circle = circleFrom(next, [...path, file]);
    if (circle) return circle;
  }
  return null;
}

test('every import names a file of lib', () => {
  const named = new Set([...imports.values()].flat());
  expect(named.size).toBeGreaterThan(30);
  expect([...named].filter((file) => !imports.has(file))).toEqual([]);
});

test('no file imports itself through others', () => {
  expect(files.flatMap((file) => circleFrom(file) ?? [])).toEqual([]);
});
