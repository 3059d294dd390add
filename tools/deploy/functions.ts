/** The functions of this bundle among all that a service may have, each with the settings that it gets. */
import { environmentProblems, JUDGED_VARIABLES } from '../../lib/environment.ts';
import { SETTING_NAMES } from '../../lib/settings.ts';
import { type LoginCode, misspelling } from '../shared/settingNames.ts';
import type { FunctionOfService, Service } from './service.ts';
import { codeOf } from './waysIn/functions.ts';
import { textsOf } from './waysIn/template.ts';

interface LoginFunction {
  /** In the service. */
  name: string;
  fn: FunctionOfService;
  code: LoginCode;
  environment: Record<string, unknown>;
  /** The texts in its environment. */
  settings: Record<string, string>;
}

export function loginFunctions({ provider, functions }: Service): LoginFunction[] {
  return Object.entries(functions).flatMap(([name, fn]) => {
    const code = codeOf(fn.handler);
    if (code === undefined) return [];
    const environment = asOnLambda({ ...provider.environment, ...fn.environment });
    return [{ name, fn, code, environment, settings: textsOf(environment) }];
  });
}

/**
 * Lambda makes texts of numbers and booleans. `serverless` does so with its own configuration, and not with what a plugin
 * adds. What else is not a text is left for CloudFormation to fill in.
 */
function asOnLambda(environment: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(environment).map(([name, value]) => [
    name,
    ['number', 'boolean'].includes(typeof value) ? String(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** @returns what is wrong with the environment of each function, whatever the values of its settings */
export function problemsOfEnvironments(service: Service): string[] {
  return loginFunctions(service).flatMap(({ name, environment, settings }) =>
    [
      ...[...SETTING_NAMES, ...JUDGED_VARIABLES]
        .filter((variable) => typeof (environment[variable] ?? '') !== 'string')
        .map((variable) => `${variable}: ${EXPECTED_TEXT}`),
      ...environmentProblems(settings).map(([variable, expected]) => `${variable}: ${expected}`),
      ...Object.keys(environment).flatMap((variable) => misspelling(variable) ?? []),
    ].map((problem) => `${name}: ${problem}`),
  );
}

const EXPECTED_TEXT =
  'expected a text, because a value that CloudFormation fills in cannot be verified before a deployment; ' +
  'serverless can fill it in by cf: or ssm:';
