/** What findings say holds: the files that they name are there, and a code of the table of reasons means the same here. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../lib/readSettings.ts';
import { REASONS } from '../../lib/reasons.ts';
import { PROJECT } from '../../tools/shared/project.ts';

const SOURCES = globSync('tools/capture/*.ts', { cwd: PROJECT });
const TEXT = SOURCES.map((file) => readFileSync(join(PROJECT, file), 'utf8')).join('\n');

function all(pattern: RegExp): string[] {
  return [...new Set(Array.from(TEXT.matchAll(pattern), ([, found = '']) => found))];
}

test.each(all(/((?:docs|handlers)\/[\w-]+\.\w+)/g))('%s is there', (file) => {
  expect(existsSync(join(PROJECT, file))).toBe(true);
});

test.each(all(/\b((?:SAML|OPENID)_[A-Z_]+)\b/g))('%s is a setting', (name) => {
  const settings = Object.keys(readConfiguration('both', {}).settings);
  const variables = settings.map((key) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  expect(variables).toContain(name);
});

/** Those of a caller's signature are of other signatures. */
test('no code is that of another reason', () => {
  const codes = all(/(?:problem|warning|note|report)\(\s*'(\w+)'/g);
  expect(codes.length).toBeGreaterThan(30);
  const reasons = codes.filter((code) => Object.hasOwn(REASONS, code));
  expect(
    reasons.filter(
      (code) => !/^(?:token|assertion|profile|email|groups|issuer|rule|event|configuration)_/.test(code),
    ),
  ).toEqual([]);
});
