/** How the code holds together: imports go one way and in no circle, those of types and those made while a login runs too. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../tools/shared/project.ts';

/** Files and folders. Each imports what stands in its own folder and in the lines above, and nothing else. */
const LAYERS = [
  [
    'handlers',
    'lib/invocation.ts',
    'lib/forbiddenVariables.ts',
    'lib/jsonMistake.ts',
    'lib/kinds.ts',
    'lib/text.ts',
    'lib/messages',
  ],
  ['lib/reasons.ts', 'lib/schema.ts'],
  ['lib/issuers.ts'],
  ['lib/settings.ts'],
  ['lib/readSettings.ts'],
  ['lib/toolkit'],
  ['lib/profile/schema/emailAddress.ts'],
  ['lib/profile/response.ts'],
  ['lib/profile/schema'],
  ['lib/profile/fields'],
  ['lib/profile/groups'],
  ['lib/profile/rules'],
  ['lib/profile/decision.ts', 'lib/profile/compiledMapping.ts', 'lib/profile/sources.ts'],
  ['lib/profile/kind.ts'],
  ['lib/profile/decide.ts'],
  ['lib/profile/mapping.ts'],
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
  expect(files.length).toBeGreaterThan(200);
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
  const pathsOf = new Map(imports.map(({ file, paths }) => [file, paths]));
  /** Files from which no circle can be reached. */
  const cleared = new Set<string>();
  const circles: string[] = [];
  const follow = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    else if (!cleared.has(file)) {
      for (const next of pathsOf.get(file) ?? []) follow(next, [...way, file]);
      cleared.add(file);
    }
  };
  for (const file of files) follow(file, []);
  expect(circles).toEqual([]);
});
