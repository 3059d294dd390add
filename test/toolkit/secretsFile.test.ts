/** `SECRETS_FILE`: a file in the place of Secrets Manager on a developer's machine. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { SecretFailed } from '../../lib/reasons.ts';
import { fetchSecret, loadSecretSource } from '../../lib/toolkit/secrets.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const VALUE = 'SECRET-VALUE-5d0e';

const file = join(temporaryFolder(), 'secrets.json');
process.env.SECRETS_FILE = file;
beforeEach(() => rmSync(file, { recursive: true, force: true }));

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

test.each([
  ['JSON as an object', '{"a":{"ok":true,"of":[1]}}', '{"ok":true,"of":[1]}'],
  ['what follows a byte order mark', `\ufeff{"a":"${VALUE}"}`, VALUE],
])('holds %s', async (_, content, value) => {
  writeFileSync(file, content);
  expect(await fetchSecret('a', 'current')).toEqual({ value, createdAt: null });
});

test.each([...['none', 'constructor'].map((id) => [id, 'current'] as const), ['a', 'previous'] as const])(
  'has no secret %s in a version %s that it does not hold',
  async (secretId, version) => {
    writeFileSync(file, JSON.stringify({ a: VALUE }));
    expect(await failureOf(secretId, version)).toEqual({ code: 'secret_not_found', secretId });
  },
);

test.each<[string, () => void]>([
  ['cannot be read (ENOENT)', () => {}],
  ['is not a JSON object of id to secret', () => writeFileSync(file, `{"a": "${VALUE}"`)],
  ['is not a JSON object of id to secret', () => writeFileSync(file, `["${VALUE}"]`)],
])('%s: the error says so, and not what it holds', async (problem, write) => {
  write();
  const problems = [`SECRETS_FILE ${problem}: ${file}`];
  expect(await failureOf('a')).toEqual({ code: 'secret_failed', secretId: 'a', problems });
});
