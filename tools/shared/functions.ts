/** The login functions by name, and what only tools know of their kinds. */
import { KINDS, type LoginKind } from '../../lib/kinds.ts';

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
