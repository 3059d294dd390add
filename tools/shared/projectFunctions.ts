/** The login functions of the project: of the kinds that its configuration names, or else of all. */
import { KINDS } from '../../lib/kinds.ts';
import { UnusableInput } from './commandLine.ts';
import { ALL_KINDS, readConfiguration } from './configuration.ts';
import type { FunctionName } from './functions.ts';
import { CONFIGURATION, ofProject } from './project.ts';

const { kinds, service } = readConfiguration(CONFIGURATION);

/** The name of the service; null where the configuration does not have it written out. */
export const SERVICE = service;

/** By the word that commands have for the kind of login. */
export const FUNCTIONS: Readonly<Record<string, FunctionName>> = Object.fromEntries(
  (kinds ?? ALL_KINDS).map((kind) => [KINDS[kind].word, KINDS[kind].functionName]),
);

export const FUNCTION_NAMES: readonly FunctionName[] = Object.values(FUNCTIONS);

/** @throws {UnusableInput} for a login of another kind than the project's */
export function requireFunction(functionName: string): void {
  if (FUNCTION_NAMES.some((one) => one === functionName)) return;
  const kinds = `custom.loginHooks.kinds in ${ofProject(CONFIGURATION)}`;
  throw new UnusableInput(
    `this is a login of ${functionName}, which this project does not have: see ${kinds}`,
  );
}
