/** The variables of a login function in the finished template: plugins add some after those of the service are judged. */
import { environmentProblems, JUDGED_VARIABLES } from '../../../lib/environment.ts';
import { isMap, mapOf, textsOf, type Values } from './template.ts';

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
  const filledIn = JUDGED_VARIABLES.filter((name) => typeof (variables[name] ?? '') !== 'string');
  return [
    ...filledIn.map(
      (name) => `${name}: expected a text, because the value that CloudFormation fills in is unknown`,
    ),
    ...environmentProblems(textsOf(variables)).map(([name, expected]) => `${name}: ${expected}`),
  ];
}
