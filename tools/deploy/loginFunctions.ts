/** The functions of this bundle among all that a service may have, each with the settings that it gets. */
import type { FunctionName } from '../shared/functions.ts';
import type { FunctionOfService, Service } from './service.ts';
import { codeOf } from './waysIn/functionNames.ts';
import { textsOf } from './waysIn/template.ts';

interface LoginFunction {
  /** In the service. */
  name: string;
  fn: FunctionOfService;
  code: FunctionName;
  environment: Record<string, unknown>;
  /** What of it is known before a deployment. */
  settings: Record<string, string>;
}

export function loginFunctions({ provider, functions }: Service): LoginFunction[] {
  return Object.entries(functions).flatMap(([name, fn]) => {
    const code = codeOf(fn.handler);
    if (code === undefined) return [];
    const environment = { ...provider.environment, ...fn.environment };
    return [{ name, fn, code, environment, settings: textsOf(environment) }];
  });
}
