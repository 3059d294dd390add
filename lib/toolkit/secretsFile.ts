import '../core.ts';
import { readFile } from 'node:fs/promises';
import { SecretFailed } from '../errors.ts';
import { isJsonObject } from '../schema.ts';
import type { SecretSource } from './secretSource.ts';

/**
 * Secrets out of a JSON file on a developer's machine: `{ "<id>": "text", "<id>": { … } }`. An object stands for a
 * secret that holds JSON. There is no previous version.
 */
export function secretsFromFile(file: string): SecretSource {
  return async (id, version) => {
    const content = await read(file, id);
    if (version === 'previous' || !Object.hasOwn(content, id)) throw new SecretFailed('secret_not_found', id);
    const value = content[id];
    return { value: typeof value === 'string' ? value : JSON.stringify(value), createdAt: null };
  };
}

/** @throws {SecretFailed} */
async function read(file: string, id: string): Promise<Record<string, unknown>> {
  const unusable = (problem: string) => new SecretFailed('secret_failed', id, [`SECRETS_FILE ${problem}`]);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unusable(
      error.code === 'ENOENT' ? `is not there: ${file}` : `cannot be read (${error.code}): ${file}`,
    );
  });
  const content = parse(text);
  if (!isJsonObject(content)) throw unusable(`is not a JSON object of id to secret: ${file}`);
  return content;
}

/** Undefined for what is not JSON: the parser's error quotes the text, which holds secrets. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
