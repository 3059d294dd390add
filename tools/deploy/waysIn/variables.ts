/** Judges the variables of each login function in the finished template, from the service or from another plugin. */
import { environmentProblems, JUDGED_VARIABLES } from '../../../lib/environment.ts';
import { SETTING_NAMES } from '../../../lib/settings.ts';
import { misspelling } from '../../shared/settingNames.ts';
import { isFilledIn, isMap, mapOf, textsOf, type Values } from './template.ts';

const EXPECTED_TEXT =
  'expected a text, because a value that CloudFormation fills in cannot be verified before a deployment; ' +
  'serverless can fill it in by cf: or ssm:';

/** @returns where and what was expected, never a value */
export function problemsOfEnvironment({ Environment = {} }: Values): string[] {
  const { Variables = {} } = mapOf(Environment);
  const problems =
    isMap(Environment) && isMap(Variables)
      ? problemsOfVariables(Variables)
      : ['expected a literal map, because its other variables are unknown'];
  return problems.map((problem) => `Environment.Variables: ${problem}`);
}

function problemsOfVariables(variables: Values): string[] {
  const judged = [...SETTING_NAMES, ...JUDGED_VARIABLES].filter((name) => Object.hasOwn(variables, name));
  return [
    ...judged.filter((name) => isFilledIn(variables[name])).map((name) => `${name}: ${EXPECTED_TEXT}`),
    ...environmentProblems(textsOf(variables)).map(([name, expected]) => `${name}: ${expected}`),
    ...Object.keys(variables).flatMap((name) => misspelling(name) ?? []),
  ];
}
