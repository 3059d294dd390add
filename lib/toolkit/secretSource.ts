/** Where secrets come from: AWS Secrets Manager, or a file on a developer's machine. */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { SecretFailed } from '../reasons.ts';
import { isJsonObject, parseJson } from '../schema.ts';
import { configuration } from '../settings.ts';
import type { SecretSource, SecretVersion, StoredSecret } from './secretsManager.ts';

const Secrets = v.custom<Record<string, unknown>>(isJsonObject);

let source: Promise<SecretSource> | undefined;

/**
 * Fetches one version of a secret from its source, without a cache.
 *
 * @param id the secret's name or ARN
 * @throws {SecretFailed}
 */
export async function fetchSecret(id: string, version: SecretVersion): Promise<StoredSecret> {
  return (await loadSecretSource())(id, version);
}

/** Loads the code that fetches secrets. Fetches none. */
export function loadSecretSource(): Promise<SecretSource> {
  source ??= load().catch((error) => {
    source = undefined;
    throw error;
  });
  return source;
}

async function load(): Promise<SecretSource> {
  const { secretsFile } = configuration('both').settings;
  if (secretsFile !== null) return secretsFromFile(secretsFile);
  return (await import('./secretsManager.ts')).secretsFromManager();
}

/**
 * Secrets from a JSON file: `{ "<id>": "text", "<id>": { … } }`. An object stands for a secret that holds JSON. There
 * is no previous version.
 */
function secretsFromFile(file: string): SecretSource {
  return async (id, version) => {
    const content = await readSecretsFile(file, id);
    if (version === 'previous' || !Object.hasOwn(content, id)) throw new SecretFailed('secret_not_found', id);
    const value = content[id];
    return { value: typeof value === 'string' ? value : JSON.stringify(value), createdAt: null };
  };
}

async function readSecretsFile(file: string, id: string): Promise<Record<string, unknown>> {
  const unusable = (problem: string) => new SecretFailed('secret_failed', id, [`SECRETS_FILE ${problem}`]);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unusable(
      error.code === 'ENOENT' ? `does not exist: ${file}` : `cannot be read (${error.code}): ${file}`,
    );
  });
  // Some editors begin a file with a byte order mark.
  const text = bytes.toString().replace(/^\ufeff/, '');
  return parseJson(Secrets, text, () => unusable(`is not a JSON object of id to secret: ${file}`));
}
