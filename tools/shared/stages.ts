/** Which stages a project has. A misspelled one would read no settings, and all would be well with it. */
import { readdirSync } from 'node:fs';
import { readConfiguration } from './configuration.ts';

export const DEFAULT_STAGE = 'dev';
const FILE = '.env.';

/**
 * The default, those with a file of settings, and those that the configuration names: names, or beginnings with `*` behind them.
 *
 * @param folder of the files of settings
 */
export function stagesIn(folder: string, configuration: string): string[] {
  const named = readdirSync(folder).filter((file) => file.startsWith(FILE));
  const files = named.map((file) => file.slice(FILE.length));
  return [...new Set([DEFAULT_STAGE, ...files, ...readConfiguration(configuration).stages])].sort();
}

/** By its exact name, on file systems that ignore case too. */
export function isStage(name: string, stages: readonly string[]): boolean {
  return stages.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
}
