/** Which stages a project has. A misspelled one would read no settings, and all would be well with it. */
import { globSync } from 'node:fs';
import { readConfiguration } from './configuration.ts';
import { CONFIGURATION, PROJECT } from './project.ts';
import { DEFAULT_STAGE } from './stage.ts';

/** Those with a file of settings, those that the configuration names, as names or patterns, and the default. */
export function stages(folder = process.env.LOGIN_HOOKS_ENV_FOLDER ?? PROJECT): string[] {
  const files = globSync('.env.*', { cwd: folder }).map((file) => file.slice('.env.'.length));
  return [...new Set([DEFAULT_STAGE, ...files.sort(), ...readConfiguration(CONFIGURATION).stages])];
}

export function isStage(name: string): boolean {
  return stages().some((stage) => patternOf(stage).test(name));
}

function patternOf(stage: string): RegExp {
  return new RegExp(`^${RegExp.escape(stage).replaceAll(String.raw`\*`, '.*')}$`);
}
