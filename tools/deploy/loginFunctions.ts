/** The login functions among all that a service may have, each with the settings that it gets. */
import { ALL_FUNCTION_NAMES, type FunctionName } from '../shared/functions.ts';
import { textsOf } from './exposure/values.ts';
import type { FunctionOfService, Service } from './service.ts';

interface LoginFunction {
  name: FunctionName;
  fn: FunctionOfService;
  environment: Record<string, unknown>;
  /** What of it is known before a deployment. */
  settings: Record<string, string>;
}

export function loginFunctions({ provider, functions }: Service): LoginFunction[] {
  return ALL_FUNCTION_NAMES.flatMap((name) => {
    const fn = functions[name];
    if (fn === undefined) return [];
    const environment = { ...provider.environment, ...fn.environment };
    return [{ name, fn, environment, settings: textsOf(environment) }];
  });
}
