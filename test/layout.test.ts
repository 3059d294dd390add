/** How the code holds together: imports go one way, those of types too, and in no circle. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../tools/shared/project.ts';

/** Files and folders. Each imports what stands in its own folder and in the lines above, and nothing else. */
const LAYERS = [
  [
    'handlers',
    'lib/deadline.ts',
    'lib/environment.ts',
    'lib/kinds.ts',
    'lib/secretId.ts',
    'lib/text.ts',
    'lib/words',
  ],
  ['lib/reasons.ts', 'lib/schema.ts'],
  ['lib/issuers.ts'],
  ['lib/settings.ts'],
  ['lib/toolkit', 'lib/profile'],
  ['lib/webhook', 'lib/openid', 'lib/saml'],
  ['lib/login', 'lib/sdk.ts'],
  ['functions', 'tools/shared'],
  ['tools/bundle'],
  ['tools/local', 'tools/create'],
  ['tools/explain', 'tools/deploy'],
  ['tools/capture'],
  ['tools/signIn', 'tools/keep'],
  ['tools/doctor'],
  ['tools/studio'],
  ['tools/pack'],
  ['tools/cli'],
];

/** Of code: data may stand anywhere. */
const IMPORT = /\b(?:from|import|require)\s*\(?\s*'(\.[^']+\.(?:[cm]?[jt]s|tsx))'/g;
/** Made while a login runs, when everything is loaded. */
const DYNAMIC_IMPORT = /\bimport\(\s*'[^']+'/g;

const files = await Array.fromAsync(
  glob('{lib,functions,handlers,tools}/**/*.{ts,tsx,mjs,cjs}', { cwd: PROJECT }),
  (file) => file.replaceAll('\\', '/'),
);

function importsOf(file: string, source: string): string[] {
  return Array.from(source.matchAll(IMPORT), ([, path = '']) => posix.join(dirname(file), path));
}

const sources = new Map(files.map((file) => [file, readFileSync(join(PROJECT, file), 'utf8')]));
const imports = Array.from(sources, ([file, source]) => ({ file, paths: importsOf(file, source) }));

/** The file or folder of a layer; undefined where a file belongs to none. */
function roomOf(file: string): string | undefined {
  return LAYERS.flat().find((room) => file === room || file.startsWith(`${room}/`));
}

function layerOf(file: string): number {
  return LAYERS.findIndex((rooms) => rooms.includes(roomOf(file) ?? ''));
}

test('every file belongs to a layer', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
});

test('imports go one way', () => {
  const wrong = imports.flatMap(({ file, paths }) =>
    paths
      .filter(
        (path) => roomOf(path) !== roomOf(file) && !(layerOf(path) >= 0 && layerOf(path) < layerOf(file)),
      )
      .map((path) => `${file} → ${path}`),
  );
  expect(wrong).toEqual([]);
});

test('no file imports itself through others', () => {
  const loaded = new Map(
    Array.from(sources, ([file, source]) => [file, importsOf(file, source.replaceAll(DYNAMIC_IMPORT, ''))]),
  );
  const circleFrom = (file: string, path: readonly string[]): string | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ');
    for (const next of loaded.get(file) ?? []) {
      const circle = circleFrom(next, [...path, file]);
      if (circle) return circle;
    }
    return null;
  };
  expect(files.flatMap((file) => circleFrom(file, []) ?? [])).toEqual([]);
});
