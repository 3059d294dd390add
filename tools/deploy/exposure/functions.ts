/** A login function of the finished template: this project's code, handler and role, and an environment that changes neither. */
import { posix } from 'node:path';
import { isJudged, templateProblems } from '../../../lib/forbiddenVariables.ts';
import { SETTING_NAMES } from '../../../lib/settings.ts';
import { misspelling } from '../../shared/settingNames.ts';
import { addedAttributes } from './forms.ts';
import { LOGIN_FUNCTIONS, type Resource, type Stack, variablesOf } from './stack.ts';
import { isFilledIn, isMap, listOf, mapOf, textOf, textsOf, type Values } from './values.ts';

const PROPERTIES = [
  ...['Architectures', 'Code', 'CodeSigningConfigArn', 'DeadLetterConfig', 'Description', 'Environment'],
  ...['EphemeralStorage', 'FileSystemConfigs', 'FunctionName', 'Handler', 'KmsKeyArn', 'Layers'],
  ...['LoggingConfig', 'MemorySize', 'RecursiveLoop', 'ReservedConcurrentExecutions', 'Role', 'Runtime'],
  ...['RuntimeManagementConfig', 'Tags', 'Timeout', 'TracingConfig', 'VpcConfig'],
];
const EXPECTED_TEXT =
  'expected a text, because a value that CloudFormation fills in cannot be verified before a deployment; ' +
  'serverless can fill it in by cf: or ssm:';

const REDIRECTED =
  "Handler is not the plugin's: a layer may wrap it by AWS_LAMBDA_EXEC_WRAPPER, or by a Handler below /opt/ that reads ours from a variable";

/** @returns sentences that begin with what is refused */
export function judgeFunction(resource: Resource, stack: Stack): string[] {
  const { id, properties } = resource;
  const { Code, Role } = properties;
  const others = Object.keys(properties).filter((name) => !PROPERTIES.includes(name));
  const isPackage =
    Object.keys(mapOf(Code)).sort().join() === 'S3Bucket,S3Key' && !isFilledIn(mapOf(Code).S3Key);
  const isOwnRole = stack.referredTo(Role, 'Arn')?.type === 'AWS::IAM::Role';
  const problems = [...others, ...addedAttributes(resource)].map(
    (name) => `${id}: ${name} is not as serverless makes it`,
  );
  if (!isPackage) problems.push(`${id}: Code is not the package of this project`);
  if (!runsLogin(id, properties)) problems.push(`${id}: ${REDIRECTED}`);
  if (!isOwnRole && !stack.isNamed(`${id}.Role`))
    problems.push(
      `${id}.Role: the role is not in this template: name it with a reason below custom.loginHooks.others`,
    );
  return problems;
}

function runsLogin(id: string, properties: Values): boolean {
  const expected = `dist/functions/${LOGIN_FUNCTIONS[id]}.handler`;
  const { Handler } = properties;
  if (Handler === expected) return true;
  const isOfLayer = typeof Handler === 'string' && posix.normalize(Handler).startsWith('/opt/');
  return isOfLayer && Object.values(variablesOf(properties)).includes(expected);
}

/** What the function runs beside its package. */
export function layersOf({ id, properties: { Layers } }: Resource): string[] {
  return listOf(Layers).map((layer) => `${id} runs the layer ${textOf(layer) ?? JSON.stringify(layer)}`);
}

/** Of the variables that the template sets, from the service or from another plugin: sentences without any value. */
export function problemsOfEnvironment({ Environment = {} }: Values): string[] {
  const { Variables = {} } = mapOf(Environment);
  const problems =
    isMap(Environment) && isMap(Variables)
      ? problemsOfVariables(Variables)
      : ['expected a literal map, because its other variables are unknown'];
  return problems.map((problem) => `Environment.Variables: ${problem}`);
}

function problemsOfVariables(variables: Values): string[] {
  const unknown = Object.keys(variables).filter(
    (name) => (SETTING_NAMES.includes(name) || isJudged(name)) && isFilledIn(variables[name]),
  );
  return [
    ...unknown.map((name) => `${name}: ${EXPECTED_TEXT}`),
    ...templateProblems(textsOf(variables)).map(([name, expected]) => `${name}: ${expected}`),
    ...Object.keys(variables).flatMap((name) => misspelling(name) ?? []),
  ];
}
