/** The login functions by name, and what only tools know of their kinds. */
import { KINDS, type LoginKind } from '../../lib/kinds.ts';
import { variableOf } from '../../lib/settings.ts';

export type FunctionName = (typeof KINDS)[LoginKind]['functionName'];

/** Of the package: a project may have only one of them. */
export const ALL_FUNCTION_NAMES: readonly FunctionName[] = Object.values(KINDS).map(
  ({ functionName }) => functionName,
);

export const CHECK_NAMES: Readonly<Record<LoginKind, string>> = {
  OpenID: 'ID token check',
  SAML: 'assertion check',
};

export function kindOf(functionName: string): LoginKind {
  return functionName === KINDS.SAML.functionName ? 'SAML' : 'OpenID';
}

/** The setting that names the handler of a function. */
export function handlerVariable(functionName: string): string {
  return variableOf(KINDS[kindOf(functionName)].handlerModule);
}

/** The setting with which a function has this handler. */
export function handlerSetting(functionName: string, module: string): Record<string, string> {
  return { [handlerVariable(functionName)]: module };
}

/** @returns undefined for the default handler */
export function handlerIn(env: NodeJS.ProcessEnv, functionName: string): string | undefined {
  const handler = env[handlerVariable(functionName)];
  return handler === 'default' ? undefined : handler;
}
