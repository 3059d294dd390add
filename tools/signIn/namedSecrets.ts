/** Client secrets out of `SECRETS_FILE`, by their names: what is typed nowhere cannot be seen by others. */
import { isJsonObject } from '../../lib/schema.ts';
import { readJsonFile, UnusableInput } from '../shared/commandLine.ts';
import { secretsFile } from '../shared/environment.ts';

/** @throws {UnusableInput} for a file that is no JSON */
export async function secretNames(): Promise<string[]> {
  return Object.keys(await secrets());
}

/**
 * @returns the secret, or the field `client_secret` of one that holds JSON
 * @throws {UnusableInput}
 */
export async function secretNamed(name: string): Promise<string> {
  const all = await secrets();
  const value = Object.hasOwn(all, name) ? all[name] : undefined;
  const secret = isJsonObject(value) ? value.client_secret : value;
  if (typeof secret === 'string') return secret;
  throw new UnusableInput(`SECRETS_FILE: expected a text, or a field client_secret, under ${name}`);
}

async function secrets(): Promise<Record<string, unknown>> {
  const file = secretsFile();
  const content = file === null ? {} : await readJsonFile(file);
  return isJsonObject(content) ? content : {};
}
