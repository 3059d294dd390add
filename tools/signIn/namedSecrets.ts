/** Client secrets out of the file that `SECRETS_FILE` names, by their names: what is typed nowhere cannot be seen by others. */
import { isJsonObject } from '../../lib/schema.ts';
import { readJsonFile, UnusableInput } from '../shared/commandLine.ts';

/** @throws {UnusableInput} for a file that is no JSON */
export async function secretNames(file: string | null): Promise<string[]> {
  return Object.keys(await secretsIn(file));
}

/**
 * @returns the secret, or the field `client_secret` of one that holds JSON
 * @throws {UnusableInput}
 */
export async function secretNamed(name: string, file: string | null): Promise<string> {
  const all = await secretsIn(file);
  const value = Object.hasOwn(all, name) ? all[name] : undefined;
  const secret = isJsonObject(value) ? value.client_secret : value;
  if (typeof secret === 'string') return secret;
  throw new UnusableInput(`SECRETS_FILE: expected a text, or a field client_secret, under ${name}`);
}

async function secretsIn(file: string | null): Promise<Record<string, unknown>> {
  const content = file === null ? {} : await readJsonFile(file);
  return isJsonObject(content) ? content : {};
}
