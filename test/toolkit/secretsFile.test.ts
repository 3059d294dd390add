/** `SECRETS_FILE`: a file in the place of Secrets Manager on a developer's machine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SecretFailed } from '../../lib/reasons.ts';
import { fetchSecret, loadSecretSource } from '../../lib/toolkit/secrets.ts';

const VALUE = 'SECRET-VALUE-5d0e';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'login-hooks-secrets-'));
  file = join(folder, 'secrets.json');
  process.env.SECRETS_FILE = file;
});
beforeEach(() => rmSync(file, { recursive: true, force: true }));
afterAll(() => {
  rmSync(folder, { recursive: true });
  delete process.env.SECRETS_FILE;
});

const failureOf = (id: string, version: 'current' | 'previous' = 'current') =>
  fetchSecret(id, version).then(
    () => null,
    ({ code, details }: SecretFailed) => ({ code, ...details }),
  );

test('is loaded once, and read each time', async () => {
  expect(loadSecretSource()).toBe(loadSecretSource());
  for (const value of [VALUE, 'another']) {
    writeFileSync(file, JSON.stringify({ a: value }));
    expect(await fetchSecret('a', 'current')).toEqual({ value, createdAt: null });
  }
});

test('holds text, or JSON as an object', async () => {
  writeFileSync(file, JSON.stringify({ text: VALUE, json: { ok: true, of: [1] } }));
  expect(await fetchSecret('text', 'current')).toEqual({ value: VALUE, createdAt: null });
  expect(await fetchSecret('json', 'current')).toEqual({ value: '{"ok":true,"of":[1]}', createdAt: null });
});

test('may begin with a byte order mark', async () => {
  writeFileSync(file, `\ufeff${JSON.stringify({ a: VALUE })}`);
  expect(await fetchSecret('a', 'current')).toEqual({ value: VALUE, createdAt: null });
});

test.each(['none', 'constructor', '__proto__'])('has no secret %s that it does not hold', async (id) => {
  writeFileSync(file, JSON.stringify({ a: VALUE }));
  expect(await failureOf(id)).toEqual({ code: 'secret_not_found', secretId: id });
});

test('has no previous version', async () => {
  writeFileSync(file, JSON.stringify({ a: VALUE }));
  expect(await failureOf('a', 'previous')).toEqual({ code: 'secret_not_found', secretId: 'a' });
});

describe('that cannot be used', () => {
  test.each<[string, () => void]>([
    ['does not exist', () => {}],
    ['cannot be read (EISDIR)', () => mkdirSync(file)],
    ['is not a JSON object of id to secret', () => writeFileSync(file, `{"a": "${VALUE}"`)],
    ['is not a JSON object of id to secret', () => writeFileSync(file, `["${VALUE}"]`)],
    ['is not a JSON object of id to secret', () => writeFileSync(file, '')],
  ])('%s: the error says so, and not what it holds', async (problem, write) => {
    write();
    const problems = [`SECRETS_FILE ${problem}: ${file}`];
    expect(await failureOf('a')).toEqual({ code: 'secret_failed', secretId: 'a', problems });
  });
});
