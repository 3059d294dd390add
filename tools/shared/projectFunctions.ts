/** The login functions of the project, of the kinds that its configuration names, and what answers them. */
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { UnusableInput } from './commandLine.ts';
import { readConfiguration } from './configuration.ts';
import { type FunctionName, kindOf } from './functions.ts';
import { CONFIGURATION, ofProject } from './project.ts';

const { handlers, service } = readConfiguration(CONFIGURATION);

/**
 * The name of a login function in AWS.
 *
 * @throws {UnusableInput} where the configuration does not have the name of the service written out
 */
export function deployedName(stage: string, functionName: string): string {
  if (service !== null) return `${service}-${stage}-${functionName}`;
  const expected = 'expected a name that is written out, because the names of the functions begin with it';
  throw new UnusableInput(`${ofProject(CONFIGURATION)}: service: ${expected}`);
}

/** By the word that commands have for the kind of login. */
export const FUNCTIONS: Readonly<Record<string, FunctionName>> = Object.fromEntries(
  Object.keys(handlers).map((kind) => {
    const { word, functionName } = KINDS[kind as LoginKind];
    return [word, functionName];
  }),
);

export const FUNCTION_NAMES: readonly FunctionName[] = Object.values(FUNCTIONS);

/**
 * Whether a handler may take any issuer, because the configuration says so aloud. The default handler does.
 *
 * @param handler as a setting names it; undefined for the default handler
 */
export function isOfAnyIssuer(functionName: string, handler: string | undefined): boolean {
  const { module, isOfAnyIssuer } = handlers[kindOf(functionName)] ?? {};
  return handler === undefined || (module === handler && isOfAnyIssuer === true);
}

/** @throws {UnusableInput} for a login of another kind than the project's */
export function requireFunction(functionName: string): void {
  if (FUNCTION_NAMES.some((one) => one === functionName)) return;
  throw new UnusableInput(
    `this is a login of ${functionName}, which this project does not have: see custom.loginHooks in ${ofProject(CONFIGURATION)}`,
  );
}
