/** Client secrets out of the file that `SECRETS_FILE` names: what is typed nowhere cannot be seen by others. */
import { isJsonObject } from '../../lib/schema.ts';
import { readJsonFile } from '../shared/commandLine.ts';

/**
 * @returns by its name, each that is a text, and the field `client_secret` of each that holds JSON
 * @throws {UnusableInput} for a file that is no JSON
 */
export async function namedSecrets(file: string | null): Promise<ReadonlyMap<string, string>> {
  const content = file === null ? {} : await readJsonFile(file);
  const named = Object.entries(isJsonObject(content) ? content : {}).map(
    ([name, value]) => [name, isJsonObject(value) ? value.client_secret : value] as const,
  );
  return new Map(named.filter((one): one is [string, string] => typeof one[1] === 'string'));
}
