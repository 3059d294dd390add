import { readFile } from 'node:fs/promises';
import { isJsonObject } from '../../automation/schema.ts';
import { SecretFailed } from '../errors.ts';
import type { SecretSource } from './secretSource.ts';

/**
 * Secrets out of a JSON file on a developer's machine: `{ "<id>": "text", "<id>": { … } }`. An object stands for a
 * secret that holds JSON. There is no previous version.
 */
export function secretsFromFile(file: string): SecretSource {
  return async (id, version) => {
    const content = await readFile(file, 'utf8').then(JSON.parse, () => null);
    if (!isJsonObject(content)) {
      throw new SecretFailed('secret_failed', id, [
        'expected SECRETS_FILE to be a JSON object of id to secret',
      ]);
    }
    if (version === 'previous' || !Object.hasOwn(content, id)) throw new SecretFailed('secret_not_found', id);
    const value = content[id];
    return { value: typeof value === 'string' ? value : JSON.stringify(value), createdAt: null };
  };
}
